"""How far apart moments may seem to be: the clocks of brokers, and the copies of one capture."""

SKEW_MS = 2_000
"""How far the clocks of two brokers may be apart where nothing measures it."""
CHECKPOINTED_MS = 5_000
"""How often a broker writes its high watermarks (replica.high.watermark.checkpoint.interval.ms), ms."""
COPYING_MS = 60_000
"""Files of one capture are copied one after the other: within this time of its moment one may be older than another,
and a follower's copy may lag."""
LONGEST_AGO_MS = 315_360_000_000
"""Ten years: what a transaction's record bears from before that is no time at which it was made, but that of an event,
or in another unit. Kafka has transactions since June 2017."""
QUARTER_MS = 900_000
"""What every time zone is a multiple of away from UTC."""
MOST_QUARTERS = 56
"""How many of these at most: 14 hours."""

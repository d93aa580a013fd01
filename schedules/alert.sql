-- One row, always: how many findings of the newest capture need somebody, and one of them. No capture for two hours is a
-- problem of its own: a watch that stopped looks like a cluster without faults.
WITH newest AS (SELECT capture, captured_at FROM summaries ORDER BY captured_at DESC LIMIT 1)
SELECT count_if(f.severity IN ('critical', 'warning'))
         + CASE WHEN max(n.captured_at) IS NULL OR max(n.captured_at) < unix_millis(now()) - 7200000 THEN 1 ELSE 0 END
         AS problems,
       min(CASE WHEN f.severity = 'critical' THEN f.alert_line END) AS example
FROM (SELECT 1 AS one) LEFT JOIN newest n ON true LEFT JOIN findings f ON f.capture = n.capture

#!/bin/sh
# Collects the files of one Kafka broker that tell why its transactions hang, as one tar.gz.
#
# Needs sh, awk, head, date, and stat or ls; gzip for a compressed archive. Writes nothing but the archive, with -o -
# nothing at all on this machine. Run it once on each broker.

usage() {
  cat <<'EOF'
usage: collect.sh [--log-dir DIR]... [--partition TOPIC-N]... [--topics PATTERN]... [--files LIST] [--all]
                  [--config server.properties] [--kafka-home DIR] [--max-mb N] [-o FILE.tar.gz | -o -]

Without more it takes what is small: __transaction_state, checkpoints, producer snapshots, transaction indexes.

  --log-dir DIR        a log dir of this broker; default: those of --config, else of the running broker
  --partition TOPIC-N  the segments of this partition too
  --topics PATTERN     the segments of every topic that matches this shell pattern too
  --all                the segments of all partitions too
  --files LIST         exactly the files that LIST names, one path a line (- is stdin): TOPIC-N/FILE, or TOPIC-N for
                       all of it, with broker-ID/ before it or not (paths of another broker are passed over), or the
                       full path
  --config FILE        the broker's server.properties: log.dirs, and timeouts that bear on transactions; nothing else
  --kafka-home DIR     where libs/ and bin/ are: Kafka's version, and its admin tools if $BOOTSTRAP is set
  --max-mb N           the most to read, default 1024; what does not fit is left out and told, oldest segments first
  -o FILE              the archive, default capture-broker-ID-TIME.tar.gz here; - is stdout; *.tar is not compressed

With $BOOTSTRAP (host:port) and Kafka's bin folder it adds what the admin tools say: topics, transactions, those that
hang, producers, groups, settings (those above, and the class of the authorizer), features. $COMMAND_CONFIG may name a
client configuration for them; it is not copied.
EOF
}

NL='
'
TAB='	'
FORMAT=1 # of manifest.txt
DIGITS10='[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]'
DIGITS20=$DIGITS10$DIGITS10
VIEW_SECONDS=60
STOPPED_SECONDS=120
MOST_PRODUCER_VIEWS=20
# All that is ever copied from server.properties, and only where the value is a number, true or false; of what the tools
# say of a broker's settings, these and authorizer.class.name: where there is one, an answer may leave ids out.
TIMEOUTS="transaction.max.timeout.ms transactional.id.expiration.ms producer.id.expiration.ms \
 transaction.abort.timed.out.transaction.cleanup.interval.ms replica.lag.time.max.ms \
 transaction.remove.expired.transaction.cleanup.interval.ms producer.id.expiration.check.interval.ms"
SETTINGS="transaction.partition.verification.enable transaction.two.phase.commit.enable \
 transaction.state.log.num.partitions transaction.state.log.replication.factor transaction.state.log.min.isr \
 transaction.state.log.segment.bytes offsets.topic.num.partitions unclean.leader.election.enable min.insync.replicas \
 log.cleaner.enable log.cleaner.delete.retention.ms"

say() { printf '%s\n' "$1" >&2; }
die() {
  say "collect.sh: $1"
  exit 2
}
inert() { printf '%s' "$1" | tr -c 'A-Za-z0-9._/=-' '?'; } # a name that may hold anything, on one line
now_ms() {
  ms=$(date +%s%3N)
  case $ms in *[!0-9]*) ms= ;; esac
  [ ${#ms} -ge 13 ] || ms=$(date +%s)000
  printf '%s' "$ms"
}

# --- names: only those that Kafka gives are ever opened

is_partition() { # TOPIC-N
  case $1 in *[!A-Za-z0-9._-]* | -[0-9]*) return 1 ;; ?*-[0-9]*) ;; *) return 1 ;; esac
  case ${1##*-} in '' | *[!0-9]*) return 1 ;; esac
  [ ${#1} -le 255 ]
}
is_kafka_file() { # the files of a partition that are read; indexes are not
  # shellcheck disable=SC2254 # these are patterns
  case $1 in
  $DIGITS20.log | $DIGITS20.snapshot | $DIGITS20.txnindex | $DIGITS20-$DIGITS10.checkpoint) ;;
  leader-epoch-checkpoint | partition.metadata) ;;
  *) return 1 ;;
  esac
}
is_top_file() {
  case $1 in *[!a-z.-]*) return 1 ;; meta.properties | ?*-checkpoint) ;; *) return 1 ;; esac
}
is_folder() { [ ! -L "$1" ] && [ -d "$1" ]; }
is_plain() { [ ! -L "$1" ] && [ -f "$1" ]; }

# --- server.properties and the running broker

properties_of() { # "NAME NAME": a line "NAME VALUE" for each that the configuration or an override sets
  { [ -z "$config" ] || cat <"$config"; printf '\n%s\n' "$overrides"; } | awk -v names="$1" '
    BEGIN { count = split(names, wanted) }
    { sub(/\r$/, ""); text = held $0; held = ""; tail = text; sub(/^.*[^\\]/, "", tail) }
    length(tail) % 2 { held = substr(text, 1, length(text) - 1); next }
    {
      sub(/^[ \t\f]+/, "", text)
      if (text ~ /^[#!]/ || !match(text, /^[A-Za-z0-9._-]+/)) next
      name = substr(text, 1, RLENGTH); value = substr(text, RLENGTH + 1)
      sub(/^[ \t]*[=:]?[ \t]*/, "", value); sub(/[ \t]+$/, "", value)
      values[name] = value
    }
    END { for (i = 1; i <= count; i++) if (wanted[i] in values) print wanted[i], values[wanted[i]] }'
}
safe_properties_of() { properties_of "$1" | awk 'NF == 2 && $2 ~ /^([0-9]+|true|false)$/ && length($2) < 19'; }

find_broker() { # the one broker that runs here: its configuration, overrides and jars
  running=
  set +f
  set -- /proc/[0-9]*/cmdline
  set -f
  for cmdline; do
    arguments=$({ tr '\0' '\n' <"$cmdline"; } 2>/dev/null) || continue
    case $NL$arguments$NL in
    *"${NL}kafka.Kafka$NL"* | *"${NL}io.confluent.support.metrics.SupportedKafka$NL"*) ;;
    *) continue ;;
    esac
    [ -z "$running" ] || { several=yes && return 1; }
    running=${cmdline%/cmdline}
    command_line=$arguments
  done
  [ -n "$running" ] || return 1
  after=$(printf '%s\n' "$command_line" | awk 'seen; /^(kafka\.Kafka|io\.confluent\..*\.SupportedKafka)$/ { seen = 1 }')
  running_config=${after%%"$NL"*}
  case $running_config in /*) ;; *) running_config=$running/cwd/$running_config ;; esac
}
forget_broker() { config='' overrides='' jar=''; }
take_broker() { # its configuration with its overrides, and its jar
  config=$running_config
  overrides=$(printf '%s\n' "$after" | awk 'take; { take = $0 == "--override" }')
  jar=$(printf '%s\n' "$command_line" | tr ':' '\n' | awk '/\/kafka_2\.[0-9]+-[^\/]*\.jar$/ { print; exit }')
}
has_given_log_dirs() { # whether the configuration names one of the log dirs that were given
  [ -r "$config" ] || return 1
  for dir in $(configured_log_dirs); do
    dir=$(CDPATH='' cd -- "$dir" 2>/dev/null && pwd -P) || continue
    case $NL$log_dirs in *"$NL$dir$NL"*) return 0 ;; esac
  done
  return 1
}

kafka_version() { # from the jars' names; Confluent's numbers become Kafka's
  set +f
  set -- "$kafka_home"/libs/kafka_2.*-[0-9]*.jar "$kafka_home"/libs/kafka-clients-[0-9]*.jar \
    "$kafka_home"/share/java/kafka/kafka_2.*-[0-9]*.jar "$kafka_home"/share/java/kafka/kafka-clients-[0-9]*.jar
  set -f
  [ -n "$kafka_home" ] || set --
  for candidate; do
    case $candidate in *-test.jar | *-sources.jar | *-javadoc.jar | *-scaladoc.jar) continue ;; esac
    [ -e "$candidate" ] && jar=$candidate && break
  done
  printf '%s\n' "${jar##*/}" | sed -n -E 's/^kafka(_2\.[0-9]+|-clients)-([0-9].*)\.jar$/\2/p' | awk '
    { split($0, part, /[.-]/); major = part[1]; minor = part[2] }
    /-(ccs|ce)$/ { # Confluent 5.x to 8.x: 5.4 is 2.4, 6.1 is 2.7, 7.6 is 3.6, 8.0 is 4.0
      if (major == 6) minor += 6
      if (major >= 5) print (major <= 6 ? 2 : major - 4) "." minor
      next
    }
    (major minor part[3]) ~ /^[0-9]+$/ { print major "." minor "." part[3] }'
}

# --- where things are

add_log_dir() {
  case $1 in '' | *"$NL"*) die "no log dir: $(inert "$1")" ;; esac
  physical=$(CDPATH='' cd -- "$1" 2>/dev/null && pwd -P) || die "cannot enter the log dir $1"
  case $NL$log_dirs in *"$NL$physical$NL"*) return ;; esac
  log_dirs=$log_dirs$physical$NL
  given_dirs=$given_dirs${1%/}$NL
}
configured_log_dirs() {
  dirs=$(properties_of 'log.dirs metadata.log.dir')
  case $dirs in log.dirs*) ;; *) dirs=$(properties_of log.dir)$NL$dirs ;; esac
  printf '%s\n' "$dirs" | sed 's/^[a-z.]* //' | tr ',' '\n' | sed 's/^[ \t]*//; s/[ \t]*$//; /^$/d'
}
find_log_dirs() {
  several='' running_config=''
  if find_broker; then
    if [ -n "$config" ]; then
      [ "$config" != "$running_config" ] || take_broker
    else
      take_broker
      [ -z "$log_dirs" ] || has_given_log_dirs || forget_broker
    fi
  elif [ -z "$log_dirs$config" ]; then
    [ -z "$several" ] || die "several brokers run here: name the configuration of one with --config"
    die "no broker runs here that this user can see: give --log-dir or --config"
  fi
  [ -z "$config" ] || [ -r "$config" ] || die "cannot read $config: give --log-dir, or run this as the broker's user"
  [ -z "$log_dirs" ] || return 0
  dirs=$(configured_log_dirs)
  [ -n "$dirs" ] || die "$config names no log.dirs: give --log-dir"
  for dir in $dirs; do add_log_dir "$dir"; done
}
find_broker_id() { # from meta.properties, on which the log dirs of one broker agree
  broker=
  for dir in $log_dirs; do
    is_plain "$dir/meta.properties" || continue
    id=$(sed -n -E 's/^ *(node|broker)\.id *[=:] *([0-9]+).*/\2/p' <"$dir/meta.properties" | head -n 1)
    [ -n "$id" ] || continue
    [ "${broker:-$id}" = "$id" ] || die "log dirs of two brokers, $broker and $id: run it once for each"
    broker=$id
  done
  [ -n "$broker" ] || broker=$(safe_properties_of 'broker.id node.id' | awk 'END { print $2 }')
  [ -n "$broker" ] || broker=$(uname -n | tr -c 'A-Za-z0-9\n' '_' | head -c 60)
}
place_of() { # log dir number $1 in the archive; several are kept apart, by names that are no TOPIC-N
  case $log_dirs in *"$NL"?*) printf 'broker-%s/logdir%s/' "$broker" "$1" ;; *) printf 'broker-%s/' "$broker" ;; esac
}

# --- what to take: lists are made inside a log dir and print names, one a line

each_partition() { # FUNCTION: call it with each partition's folder
  function=$1
  set +f
  set -- *
  set -f
  for folder; do
    is_partition "$folder" && is_folder "./$folder" && "$function" "$folder"
  done
}
name_if() { # a name, if it is one of Kafka's; links are told later
  is_kafka_file "${1##*/}" && { [ -e "./$1" ] || [ -L "./$1" ]; } && printf '%s\n' "$1"
}
small_files() {
  set +f
  set -- "$1"/leader-epoch-checkpoint "$1"/partition.metadata "$1"/*.snapshot "$1"/*.txnindex
  set -f
  for name; do name_if "$name"; done
}
segments() {
  set +f
  set -- "$1"/*.log
  set -f
  for name; do name_if "$name"; done
}
is_state() { case $1 in __transaction_state-*) ;; *) return 1 ;; esac; }
is_metadata() { case $1 in __cluster_metadata-*) ;; *) return 1 ;; esac; }
state_small_files() { is_state "$1" && small_files "$1"; }
state_segments() { is_state "$1" && segments "$1"; }
other_small_files() { is_state "$1" || is_metadata "$1" || small_files "$1"; }
asked_segments() { asked "$1" && segments "$1"; }
asked() {
  { is_state "$1" || is_metadata "$1"; } && return 1
  [ -z "$all" ] || return 0
  case $NL$asked_partitions in *"$NL$1$NL"*) return 0 ;; esac
  for pattern in $topics; do
    # shellcheck disable=SC2254 # a pattern
    case ${1%-*} in $pattern) return 0 ;; esac
  done
  return 1
}

list_top() {
  set +f
  set -- *
  set -f
  for name; do is_top_file "$name" && { [ -f "$name" ] || [ -L "$name" ]; } && printf '%s\n' "$name"; done
}
list_state_small() { each_partition state_small_files; }
list_state() { each_partition state_segments; }
list_small() { each_partition other_small_files; }
list_segments() { each_partition asked_segments; }
every_segment() { is_metadata "$1" || segments "$1"; }
list_every_segment() { each_partition every_segment; }
list_metadata() { # the newest checkpoint of the cluster's metadata, and its log from there on
  is_folder __cluster_metadata-0 || return
  set +f
  set -- __cluster_metadata-0/*.checkpoint
  set -f
  newest=$(for name; do name_if "$name"; done | awk 'END { print }')
  [ -z "$newest" ] || printf '%s\n' "$newest"
  from=${newest##*/}
  segments __cluster_metadata-0 | awk -v from="x${from%%-*}" '
    { split($0, part, /[\/.]/); name[NR] = $0; if ("x" part[2] <= from) first = NR }
    END { for (i = first ? first : 1; i <= NR; i++) print name[i] }'
}
list_files() { # those of the user's list that are in this log dir
  for name in $wanted_files; do
    case $name in
    */*) is_partition "${name%/*}" && is_folder "./${name%/*}" && name_if "$name" ;;
    *)
      is_top_file "$name" && { [ -f "$name" ] || [ -L "$name" ]; } && printf '%s\n' "$name"
      is_partition "$name" && is_folder "./$name" && { whole=$name; small_files "$whole"; segments "$whole"; }
      ;;
    esac
  done
}

read_wanted_files() { # paths as the report prints them, or full ones, become names inside a log dir
  wanted_files=
  for path in $(tr -d '\r' <&5); do
    case $path in '' | '#'*) continue ;; esac
    for dir in $log_dirs $given_dirs; do path=${path#"$dir"/}; done
    case $path in
    *broker-"$broker"/*) path=${path#*broker-"$broker"/} && path=${path#logdir[0-9]/} ;;
    broker-*/* | */broker-*/*) other_brokers=$((other_brokers + 1)) && continue ;;
    esac
    wanted_files=$wanted_files${path#./}$NL
  done
}

with_sizes() { # a line of ls -ln for each name read, many names a call
  set --
  while read -r name; do
    set -- "$@" "$name"
    [ $# -lt 200 ] && continue
    ls -lnd -- "$@" 2>/dev/null
    set --
  done
  [ $# -eq 0 ] || ls -lnd -- "$@" 2>/dev/null
}
SUM='
  BEGIN { for (i = 1; i < 128; i++) code[sprintf("%c", i)] = i }
  function sum(name, i, total) {
    for (i = 1; i <= 100 && i <= length(name); i++) total += code[substr(name, i, 1)]
    return total
  }'
plan_of() { # CLASS: a line "CLASS DIR NAME SIZE SUM" for each file; SUM is for the archive's header
  number=0
  for dir in $log_dirs; do
    number=$((number + 1))
    (cd "$dir" && "list_$1" | with_sizes) | awk -v class="$1" -v number="$number" -v place="$(place_of "$number")" \
      "$SUM"' { print class, number, $9, $5, sum(place $9) }'
  done
}
within_limit() { # mark each line of the plan "take" or "leave"; of a partition the newest segments are kept
  awk -v limit="$limit" '
    { line[NR] = $0; class[NR] = $1; key[NR] = $2 " " $3; size[NR] = $4; if ($1 != before) first[++classes] = NR; before = $1 }
    END {
      first[classes + 1] = NR + 1
      for (c = 1; c <= classes; c++) for (i = first[c + 1] - 1; i >= first[c]; i--) {
        folder = key[i]; sub(/\/[^\/]*$/, "", folder)
        fits = total + size[i] <= limit && !(key[i] ~ /\.log$/ && folder in full)
        if (fits) total += size[i]; else if (key[i] ~ /\.log$/) full[folder] = 1
        mark[i] = fits ? "take" : "leave"
      }
      for (i = 1; i <= NR; i++) print mark[i], line[i]
    }'
}
summary() {
  awk -v limit="$limit" '
    BEGIN {
      split("top state_small state small metadata segments files", order)
      what["top"] = "checkpoints, meta.properties"; what["state_small"] = "transaction state, small files"
      what["state"] = "transaction state, segments"; what["small"] = "snapshots, indexes, epochs"
      what["metadata"] = "cluster metadata"; what["segments"] = "segments asked for"; what["files"] = "files asked for"
    }
    { files[$2]++; bytes[$2] += $5; all += $5; count++ }
    $1 == "leave" { left++; leftbytes += $5 }
    function row(name, n, size) { printf "  %-32s %7d files %12.3f MB\n", name, n, size / 1e6 }
    END {
      for (i = 1; i in order; i++) if (order[i] in files) row(what[order[i]], files[order[i]], bytes[order[i]])
      row("together", count, all)
      if (left) row("left out by --max-mb", left, leftbytes)
    }' >&2
}

# --- the archive: a tar written here, so that nothing is staged, sizes are fixed and a growing file is not torn

nothing() { # N zero bytes
  zeros='' n=$1 some='\0000'
  while [ "$n" -gt 0 ]; do
    [ $((n % 2)) -eq 0 ] || zeros=$zeros$some
    some=$some$some n=$((n / 2))
  done
}
digits_of() { # the sum of the octal digits of N
  digits=0 n=$1
  while [ "$n" -gt 0 ]; do digits=$((digits + n % 8)) n=$((n / 8)); done
}
header() { # NAME SUM SIZE SECONDS TYPE: 512 bytes
  digits_of "$3"
  checked=$((2957 + $2 + digits + ($5 == 0 ? 48 : 76))) # 2957: the bytes that are always the same
  digits_of "$4"
  checked=$((checked + digits))
  nothing $((100 - ${#1}))
  printf '%.100s%b0000644%b0000000%b0000000%b%011o%b%011o%b%06o%b %.1s%bustar  %b' "$1" "$zeros" "$Z1" "$Z1" "$Z1" \
    "$3" "$Z1" "$4" "$Z1" "$checked" "$Z1" "$6" "$Z100" "$Z248"
}
begin_entry() { # NAME SUM SIZE SECONDS; a long name is an entry of its own, as GNU tar does it
  if [ ${#1} -gt 100 ]; then
    header ././@LongLink 1048 $((${#1} + 1)) 0 1 L
    printf '%s' "$1"
    nothing $((512 - ${#1} % 512))
    printf '%b' "$zeros"
  fi
  header "$1" "$2" "$3" "$4" 0 0
}
end_entry() { # SIZE
  nothing $(((512 - $1 % 512) % 512))
  printf '%b' "$zeros"
}
text_entry() { # NAME TEXT
  bytes=$(printf '%s' "$2" | wc -c)
  begin_entry "$1" "$(printf '%s\n' "$1" | awk "$SUM"'{ print sum($0) }')" $((bytes)) "$(date +%s)"
  printf '%s' "$2"
  end_entry $((bytes))
}

# --- the manifest: a line for each file, and for all that was left out; fields are separated by tabs

note() {
  for field; do chunk=$chunk$field$TAB; done
  chunk=${chunk%"$TAB"}$NL
  [ ${#chunk} -lt 16384 ] && return
  manifest=$manifest$chunk # appending to a long text copies it
  chunk=
}
left_out() { # NAME WHY
  told=$(inert "$1")
  note left-out "$told" "$2"
  lefts=$((lefts + 1))
  [ "$lefts" -gt 20 ] || say "  left out: $told: $2"
}

# --- copying

size_and_time() { # of the file that is open as 3: its size is taken once, here
  # shellcheck disable=SC2012 # the name is one of the shell's
  case $FD in
  '') ls -lnd "$source" | awk -v now="$(date +%s)" '{ print $5, now }' ;;
  *) stat -L -c '%s %Y' "$FD" ;;
  esac
}
bytes_missing() { # how far the reader of 3 stayed below the size; nothing where the system does not tell
  missing=0
  [ -r /proc/self/fdinfo/3 ] || return
  while read -r line; do
    case $line in pos:*) missing=$((size - ${line#pos:})) ;; esac
  done </proc/self/fdinfo/3
  [ "$missing" -gt 0 ] || missing=0
}
copy() { # NAME PLANNED SUM, open as 3
  size=$(size_and_time)
  modified=${size#* }
  size=${size% *}
  [ $((total + size)) -le "$limit" ] || size=$2
  begin_entry "$place$1" "$3" "$size" "$modified"
  [ "$size" -eq 0 ] || head -c "$size" <&3
  bytes_missing
  [ "$missing" -eq 0 ] || head -c "$missing" /dev/zero
  end_entry "$size"
  note file "$place$1" "$size" "$copied_at" "$modified"
  [ "$missing" -eq 0 ] || note shrank "$place$1" "$missing" "zeros stand for these last bytes"
  total=$((total + size)) files=$((files + 1))
}
take() { # NAME PLANNED SUM
  source=$dir/$1
  case $1 in
  */*) is_folder "${source%/*}" || { left_out "$place$1" 'the folder is gone, or a link'; return; } ;;
  esac
  [ ! -L "$source" ] || { left_out "$place$1" 'a link, not followed'; return; }
  [ -e "$source" ] || { left_out "$place$1" 'gone'; return; }
  [ -f "$source" ] || { left_out "$place$1" 'no regular file'; return; }
  [ -r "$source" ] || { left_out "$place$1" 'not readable by this user'; return; }
  case ${1%/*}:$1 in "$folder":*[!g]) ;; *) copied_at=$(now_ms) ;; esac
  folder=${1%/*}
  copy "$@" 3<"$source" || left_out "$place$1" 'gone'
}
go_to() { # log dir number $1
  number=0
  for dir in $log_dirs; do
    number=$((number + 1))
    [ "$number" -lt "$1" ] || break
  done
  place=$(place_of "$1")
}
copy_planned() {
  for line in $plan; do
    IFS=' '
    # shellcheck disable=SC2086 # its fields
    set -- $line
    IFS=$NL
    [ "$3" = "$number" ] || go_to "$3"
    case $1 in take) take "$4" "$5" "$6" ;; *) left_out "$place$4" "--max-mb: $5 bytes" ;; esac
  done
}
tell_what_was_not_asked() { # folders that are no replicas or not Kafka's, and paths that are nowhere
  number=0
  for dir in $log_dirs; do
    go_to $((number + 1))
    set +f
    set -- "$dir"/*
    set -f
    for path; do
      name=${path##*/}
      if [ -L "$path" ] && ! is_top_file "$name"; then
        left_out "$place$name" 'a link, not followed'
      elif [ -d "$path" ] && ! is_partition "$name"; then
        case $name in
        *-future) left_out "$place$name" 'a replica on its way to another log dir, no replica yet' ;;
        *-delete) left_out "$place$name" 'a partition that is being deleted' ;;
        *-stray) left_out "$place$name" 'a stray partition: the broker is no replica of it any more' ;;
        *) left_out "$place$name" 'no TOPIC-N' ;;
        esac
      fi
    done
  done
}
tell_what_is_nowhere() {
  for name in $wanted_files; do
    case $plan$NL in *" $name "* | *" $name/"*) ;; *) left_out "$name" 'no file of Kafka in these log dirs' ;; esac
  done
  for name in $asked_partitions; do
    case $plan$NL in *" $name/"*) ;; *) left_out "$name" 'no such partition in these log dirs' ;; esac
  done
  [ "$other_brokers" -eq 0 ] || note note "$other_brokers paths of other brokers passed over"
}

segments_left() { # a line "there NAME BYTES" for each segment that is on this broker and not in this archive
  number=0
  for dir in $log_dirs; do
    number=$((number + 1))
    {
      printf '%s\n\n' "$plan"
      (cd "$dir" && list_every_segment | with_sizes)
    } | awk -v number="$number" -v place="$(place_of "$number")" '
      !NF { listed = 1; next }
      !listed { if ($1 == "take" && $3 == number) taken[$4]; next }
      !($9 in taken) { print "there\t" place $9 "\t" $5 }'
  done
}

# --- what the admin tools say, if they can be asked

tool_path() {
  for candidate in "$kafka_home/bin/$1.sh" "$kafka_home/bin/$1"; do
    [ ! -x "$candidate" ] || { printf '%s' "$candidate" && return; }
  done
  command -v "$1.sh" || command -v "$1"
}
view() { # FILE TOOL ARGUMENT...
  view_file=broker-$broker/views/$1.txt tool=$2
  shift 2
  program=$(tool_path "$tool") || { note failed "$tool" 'not found'; return; }
  shown=$(IFS=' ' && printf '%s' "$*")
  [ -z "${COMMAND_CONFIG-}" ] || set -- --command-config "$COMMAND_CONFIG" "$@"
  set -- "$program" --bootstrap-server "$BOOTSTRAP" "$@"
  ! timeout 1 true 2>/dev/null || set -- timeout "$VIEW_SECONDS" "$@"
  copied_at=$(now_ms)
  output=$(unset JMX_PORT KAFKA_JMX_OPTS && LOG_DIR=${TMPDIR:-/tmp} KAFKA_HEAP_OPTS=-Xmx256m "$@" </dev/null 2>/dev/null)
  code=$?
  if [ $code -ne 0 ]; then
    note failed "$tool $shown" "exit $code"
    say "  $tool $shown: exit $code"
  fi
  [ -z "$only" ] || output=$(printf '%s\n' "$output" | settings_alone)
  [ -n "$output" ] || return
  text_entry "$view_file" "\$ $tool.sh $shown$NL$output$NL"
  note view "$view_file" ${#output} "$copied_at"
}
settings_alone() { # of all that a broker says of its settings, only those that bear on transactions
  awk -v names="$TIMEOUTS $SETTINGS authorizer.class.name" '
    BEGIN { split(names, listed); for (i in listed) wanted[listed[i]] }
    /^All configs for broker / { print; next }
    { name = $1; sub(/=.*/, "", name); if (name in wanted) print }'
}
open_in_snapshots() { # TOPIC-N of partitions whose newest snapshot has an open transaction; an entry is 46 bytes
  for line in $(printf '%s\n' "$plan" | awk '
    $4 ~ /\.snapshot$/ { folder = $3 " " $4; sub(/\/.*/, "", folder); newest[folder] = $3 " " $4 }
    END { for (folder in newest) print newest[folder] }' | sort); do
    go_to "${line%% *}"
    is_plain "$dir/${line#* }" || continue
    od -An -v -tu1 <"$dir/${line#* }" 2>/dev/null | awk -v folder="${line#* }" '
      { for (i = 1; i <= NF; i++) if (at++ >= 10 && (at - 11) % 46 == 38 && $i < 128) open = 1 }
      END { sub(/\/.*/, "", folder); if (open) print folder }'
  done
}
views() {
  say 'asking the admin tools ...'
  only=
  view kafka-topics kafka-topics --describe
  case $broker in
  *[!0-9]*) ;;
  *)
    view find-hanging kafka-transactions find-hanging --broker-id "$broker"
    only=settings
    view kafka-configs-broker kafka-configs --describe --entity-type brokers --entity-name "$broker" --all
    only=
    ;;
  esac
  view kafka-transactions-list kafka-transactions list
  asked_for=0
  for name in $(open_in_snapshots); do
    asked_for=$((asked_for + 1))
    [ "$asked_for" -le "$MOST_PRODUCER_VIEWS" ] || { note note "describe-producers of $name and later ones: not asked"; break; }
    view "describe-producers-$name" kafka-transactions describe-producers --topic "${name%-*}" --partition "${name##*-}"
  done
  view kafka-consumer-groups kafka-consumer-groups --describe --all-groups
  view kafka-configs kafka-configs --describe --entity-type brokers --entity-default
  view kafka-features kafka-features describe
  view kafka-metadata-quorum kafka-metadata-quorum describe --status
}

# --- the whole

moment() { # captured_at and why
  # Now, before the first file is read: every file may then only be newer than this moment, and nothing looks as if it
  # had been open for longer than it was. A running broker writes its checkpoints every few seconds. Where the newest
  # is old, the broker is down or this is a copy, and the files show nothing of the time since.
  captured_at=$(now_ms) why='before the first file was read' life=running
  newest=$(newest_checkpoint)
  [ -n "$newest" ] && [ $((captured_at / 1000 - newest)) -gt "$STOPPED_SECONDS" ] || return 0
  say "no checkpoint was written for $((captured_at / 1000 - newest)) s: taken to be as of then"
  captured_at=${newest}000 life=stopped
  why='the broker wrote its newest checkpoint: it does not run, or this is a copy'
}
newest_checkpoint() { # when it was written, epoch seconds
  [ -n "$FD" ] || return
  for dir in $log_dirs; do
    for name in replication-offset-checkpoint recovery-point-offset-checkpoint log-start-offset-checkpoint; do
      ! is_plain "$dir/$name" || stat -c %Y "$dir/$name" 2>/dev/null
    done
  done | sort -n | awk 'END { print }'
}
capture_toml() {
  printf '# written by collect.sh on broker %s\n' "$broker"
  printf 'captured_at = %s  # %s\n' "$captured_at" "$why"
  version=$(kafka_version)
  [ -z "$version" ] || printf 'kafka_version = "%s"  # %s\n' "$version" "$(inert "${jar##*/}")"
  safe_properties_of "$TIMEOUTS" | awk '
    $2 ~ /^[0-9]+$/ { if (!count++) print "[timeouts]"; gsub(/[.]/, "_", $1); print $1 " = " $2 + 0 }'
}
write_archive() { # the tar on stdout
  manifest='' chunk='' total=0 files=0 lefts=0 folder='' copied_at='' number=''
  moment
  text_entry capture.toml "$(capture_toml)$NL"
  note collect.sh "$FORMAT"
  note broker "$broker"
  note captured_at "$captured_at" "$why" "$life"
  for line in $(safe_properties_of "$TIMEOUTS $SETTINGS"); do note setting "${line% *}" "${line#* }"; done
  note '# file' name bytes copied_at modified
  copy_planned
  tell_what_is_nowhere
  [ -n "$wanted_files" ] || tell_what_was_not_asked
  [ -z "${BOOTSTRAP-}" ] || views
  left=$(segments_left)
  [ -z "$left" ] || chunk=$chunk$left$NL
  note end "$files" "$total"
  text_entry "broker-$broker/manifest.txt" "$manifest$chunk"
  printf '%b%b' "$Z512" "$Z512"
  say "$files files, $total bytes; left out: $lefts (see manifest.txt)"
}
make_plan() {
  if [ -n "$files_from" ]; then
    plan_of files
    return
  fi
  for class in top state_small state small metadata segments; do plan_of "$class"; done
}
open_output() { # never inside a log dir, never over another file
  [ -n "$output" ] || output=capture-broker-$broker-$(date -u +%Y%m%dT%H%M%SZ).tar.gz
  case $output in */*) folder=${output%/*}/ ;; *) folder=. ;; esac
  folder=$(CDPATH='' cd -- "$folder" 2>/dev/null && pwd -P) || die "no folder for $output"
  for dir in $log_dirs; do
    case $folder/ in "$dir"/*) die "$output would be inside the log dir $dir: give another place with -o" ;; esac
  done
  output=$folder/${output##*/}
  [ ! -e "$output" ] || die "$output exists"
  part=$output.part
  { : >"$part"; } 2>/dev/null || die "cannot write $output: give another place with -o, or -o - for stdout"
  trap 'rm -f -- "$part"; exit 130' HUP INT TERM
}
compressed() {
  case $output in *.tar) cat && return ;; esac
  if command -v gzip >/dev/null; then gzip -c; else say 'no gzip here: the archive is not compressed' && cat; fi
}
options() {
  while [ $# -gt 0 ]; do
    case $1 in
    --*=*)
      option=${1%%=*} value=${1#*=}
      shift
      set -- "$option" "$value" "$@"
      ;;
    esac
    case $1 in
    -h | --help) usage && exit ;;
    --all) all=yes && shift && continue ;;
    --log-dir | --partition | --topics | --files | --config | --kafka-home | --max-mb | -o) ;;
    *) die "unknown option $(inert "$1"); --help lists them" ;;
    esac
    [ $# -gt 1 ] || die "$1 wants a value"
    case $1 in
    --log-dir) add_log_dir "$2" ;;
    --partition) is_partition "$2" || die "--partition wants TOPIC-N, not $(inert "$2")" && asked_partitions=$asked_partitions$2$NL ;;
    --topics) topics=$topics$2$NL ;;
    --files) files_from=$2 ;;
    --config) config=$2 ;;
    --kafka-home) kafka_home=${2%/} ;;
    --max-mb) max_mb=$2 ;;
    -o) output=$2 ;;
    esac
    shift 2
  done
  case $max_mb in '' | *[!0-9]* | ??????????*) die "--max-mb wants a number, not $(inert "$max_mb")" ;; esac
  limit=$((max_mb * 1000000))
}
main() {
  set -u -f
  umask 077
  LC_ALL=C IFS=$NL
  export LC_ALL
  unset CDPATH TIME_STYLE QUOTING_STYLE POSIXLY_CORRECT
  nothing 1 && Z1=$zeros
  nothing 100 && Z100=$zeros
  nothing 248 && Z248=$zeros
  nothing 512 && Z512=$zeros
  FD=/proc/self/fd/3
  stat -L -c '%s %Y' "$FD" 3</dev/null >/dev/null 2>&1 || FD=
  all='' config='' kafka_home='' jar='' overrides='' output='' max_mb=1024 log_dirs='' given_dirs='' files_from=''
  wanted_files='' asked_partitions='' topics='' other_brokers=0
  options "$@"
  find_log_dirs
  [ -n "$kafka_home" ] || case $jar in */libs/*) kafka_home=${jar%/libs/*} ;; esac
  find_broker_id
  case $files_from in
  '') ;;
  -) read_wanted_files 5<&0 ;;
  *) [ -r "$files_from" ] || die "cannot read $files_from" && read_wanted_files 5<"$files_from" ;;
  esac
  say "broker $broker, log dirs:"
  for dir in $log_dirs; do say "  $(inert "$dir")"; done
  plan=$(make_plan | within_limit)
  printf '%s\n' "$plan" | summary
  [ -n "$plan" ] || die 'nothing to take: no file of Kafka is there'
  if [ "$output" = - ]; then
    write_archive | compressed
    return
  fi
  open_output
  if write_archive | compressed >"$part" && mv -- "$part" "$output"; then
    say "wrote $output"
  else
    rm -f -- "$part"
    die "could not write $output"
  fi
}

main "$@"

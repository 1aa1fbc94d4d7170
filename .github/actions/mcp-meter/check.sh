#!/bin/sh
# Runs mcp-meter check once, with the inputs of the action: METER SERVER URL CALLS LOCK BASE OPTIONS REPORT.
# Writes the output `comment`. Ends with the exit code of the check, or with 2 when it cannot begin; its reports and the
# comment say so then. Downloads nothing.
set -eu

comment=$(mktemp "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/mcp-meter-comment.XXXXXX")
trap 'rm -f "$comment"' EXIT

newline='
'

# A line without the margin that a block of YAML may leave, and without the CR of a file from Windows.
trimmed() {
  text=$1
  while :; do
    case $text in
    [[:space:]]*) text=${text#?} ;;
    *[[:space:]]) text=${text%?} ;;
    *) break ;;
    esac
  done
  printf '%s' "$text"
}

format_of() {
  case $1 in
  *.xml) echo junit ;;
  *.sarif) echo sarif ;;
  *.json) echo json ;;
  *.md) echo markdown ;;
  esac
}

# The text quotes the server, so that the end of the output must be a word that it cannot guess.
write_output() {
  if [ -s "$comment" ] && [ -n "${GITHUB_OUTPUT:-}" ]; then
    word=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
    end=mcp-meter-${word:?no random bytes}
    {
      echo "comment<<$end"
      cat "$comment"
      echo "$end"
    } >>"$GITHUB_OUTPUT"
  fi
}

# A check that could not begin, in that format: texts of ours alone, since those of inputs would need escaping.
failure_as() {
  case $1 in
  junit)
    cat <<EOF
<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
<testsuite name="check" package="server" id="0" tests="1" failures="0" errors="1" skipped="0" time="0" timestamp="$(date -u +%Y-%m-%dT%H:%M:%S)" hostname="localhost">
<properties/>
<testcase name="the server can be checked" classname="server.check" time="0"><error type="exit_code_2" message="$reason">$reason</error></testcase>
<system-out/>
<system-err/>
</testsuite>
</testsuites>
EOF
    ;;
  sarif)
    cat <<EOF
{"\$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":{"driver":{"name":"mcp-meter","rules":[{"id":"check/failed","shortDescription":{"text":"The server could not be checked"}}]}},"invocations":[{"executionSuccessful":false,"exitCode":2,"toolExecutionNotifications":[{"level":"error","message":{"text":"$reason"}}]}],"results":[{"ruleId":"check/failed","ruleIndex":0,"level":"error","message":{"text":"$reason"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"mcp-meter.lock"},"region":{"startLine":1}}}],"partialFingerprints":{"mcp-meter/v1":"check/failed"}}]}]}
EOF
    ;;
  json)
    echo "{\"schema_version\":\"1.0\",\"failed\":true,\"error\":\"$reason\",\"exit_code\":2,\"lock_file\":\"mcp-meter.lock\",\"calls_file\":null}"
    ;;
  markdown)
    # The marker of the comment of an earlier run, which only a name of these characters has as it is.
    case ${LOCK:-mcp-meter.lock} in
    *[!A-Za-z0-9._-]* | *--*) ;;
    *) printf '<!-- mcp-meter check: %s -->\n\n' "${LOCK:-mcp-meter.lock}" ;;
    esac
    printf '### Failed: the server could not be checked\n\n%s\n' "$reason"
    ;;
  esac
}

# Writes the reports that the check has not written. A file that exists is left alone: it may be an input under the name of a report.
write_failures() {
  reason=$1
  [ -s "$comment" ] || {
    failure_as markdown >"$comment"
    if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then cat "$comment" >>"$GITHUB_STEP_SUMMARY"; fi
  }
  while read -r report; do
    [ -z "$report" ] || [ -s "$report" ] || failure_as "$(format_of "$report")" >"$report" ||
      echo "mcp-meter: Cannot write the report \"$report\"" >&2
  done <<EOF
$reports
EOF
}

# Each line of REPORT is a file; its extension says its format.
reports=""
unknown=""
old_ifs=$IFS
IFS=$newline
set -f
for line in ${REPORT:-}; do
  report=$(trimmed "$line")
  [ -n "$report" ] || continue
  if [ -z "$(format_of "$report")" ]; then unknown=$report; else reports="$reports$report$newline"; fi
done
formats=""
for report in $reports; do
  formats="$formats--format$newline$(format_of "$report")=$report$newline"
done
# shellcheck disable=SC2086 # one word a line
set -- $formats
IFS=$old_ifs

refuse() {
  echo "mcp-meter: $1" >&2
  write_failures "$2"
  write_output
  exit 2
}

if [ -n "$unknown" ]; then
  refuse "Cannot write the report \"$unknown\": its name must end with .xml, .sarif, .json or .md" \
    "A file of the input report has another ending than .xml, .sarif, .json and .md."
fi

if [ -n "${SERVER:-}" ] && [ -n "${URL:-}" ]; then
  refuse "Cannot check two servers: pass the input server or the input url" "The action has both a server and a url."
fi
if [ -z "${SERVER:-}${URL:-}" ]; then
  refuse "Cannot check without a server: pass the input server or the input url" "The action has neither a server nor a url."
fi

# The executable that is given, the one that was built or cached here, or the one on the PATH.
built="$GITHUB_ACTION_PATH/../../../dist/mcp-meter"
remedy="build or cache dist/mcp-meter, or name one with the input executable"
if [ -n "${METER:-}" ]; then
  meter=$METER
elif [ -x "$built" ]; then
  meter=$built
else
  meter=mcp-meter
fi
if ! command -v "$meter" >/dev/null 2>&1; then
  refuse "Cannot find mcp-meter${METER:+ at \"$METER\"}: $remedy" "Cannot find mcp-meter: $remedy"
fi

# The command of a server is whatever a shell reads: several words, variables, "cd server && node main.js".
code=0
# shellcheck disable=SC2086 # options are words
"$meter" check ${CALLS:+--calls "$CALLS"} ${LOCK:+--lock "$LOCK"} ${BASE:+"--base=$BASE"} ${OPTIONS:-} \
  --format "markdown=$comment" "$@" ${URL:+--url "$URL"} ${SERVER:+-- sh -c "$SERVER"} || code=$?

# Not an executable of this machine: 126 or 127, which no check ends with.
if [ "$code" -gt 3 ]; then code=2; fi
if [ ! -s "$comment" ]; then
  # Options such as --help print something else, and end with 0.
  if [ "$code" -eq 0 ]; then code=2; fi
  write_failures "mcp-meter could not begin the check; the log of this step has the reason."
fi
write_output
exit "$code"

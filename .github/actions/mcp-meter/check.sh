#!/bin/sh
# Runs mcp-meter check once, with the inputs of the action: METER SERVER CALLS LOCK OPTIONS REPORT.
# Ends with the exit code of the check.
set -eu
meter=${METER:-"$GITHUB_ACTION_PATH/../../../dist/mcp-meter"}

# Each line of REPORT is a file; its extension says its format.
formats=""
old_ifs=$IFS
IFS='
'
set -f
for report in ${REPORT:-}; do
  case $report in
  *.xml) format=junit ;;
  *.sarif) format=sarif ;;
  *.json) format=json ;;
  *.md) format=markdown ;;
  *)
    echo "mcp-meter: Cannot write the report \"$report\": its name must end with .xml, .sarif, .json or .md" >&2
    exit 2
    ;;
  esac
  formats="$formats--format
$format=$report
"
done
# shellcheck disable=SC2086 # one word a line
set -- $formats
IFS=$old_ifs

# The command of a server is whatever a shell reads: several words, variables, "cd server && node main.js".
# shellcheck disable=SC2086 # options are words
exec "$meter" check ${CALLS:+--calls "$CALLS"} ${LOCK:+--file "$LOCK"} ${OPTIONS:-} "$@" \
  -- sh -c "$SERVER"

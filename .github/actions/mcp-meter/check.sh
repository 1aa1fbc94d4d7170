#!/bin/sh
# Runs mcp-meter check once, with the inputs of the action: METER SERVER CALLS LOCK BASE OPTIONS REPORT.
# Writes the output `comment`. Ends with the exit code of the check. Downloads nothing.
set -eu

# The executable that is given, the one that was built or cached here, or the one on the PATH.
built="$GITHUB_ACTION_PATH/../../../dist/mcp-meter"
if [ -n "${METER:-}" ]; then
  meter=$METER
elif [ -x "$built" ]; then
  meter=$built
elif command -v mcp-meter >/dev/null 2>&1; then
  meter=mcp-meter
else
  echo "mcp-meter: Cannot find mcp-meter: build or cache dist/mcp-meter, or name one with the input executable" >&2
  exit 2
fi

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

comment=$(mktemp "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/mcp-meter-comment.XXXXXX")
trap 'rm -f "$comment"' EXIT

# The command of a server is whatever a shell reads: several words, variables, "cd server && node main.js".
code=0
# shellcheck disable=SC2086 # options are words
"$meter" check ${CALLS:+--calls "$CALLS"} ${LOCK:+--file "$LOCK"} ${BASE:+"--base=$BASE"} ${OPTIONS:-} \
  --format "markdown=$comment" "$@" -- sh -c "$SERVER" || code=$?

# The text quotes the server, so that the end of the output must be a word that it cannot guess.
if [ -s "$comment" ] && [ -n "${GITHUB_OUTPUT:-}" ]; then
  word=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  end=mcp-meter-${word:?no random bytes}
  {
    echo "comment<<$end"
    cat "$comment"
    echo "$end"
  } >>"$GITHUB_OUTPUT"
fi
exit "$code"

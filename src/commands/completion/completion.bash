# Uses the tables of commands, options and values that shell-scripts.ts writes after this text.

# Sets _mcp_meter_line to the words up to the cursor; words that bash splits at = or : are joined again.
# Sets _mcp_meter_separator to the index of the first -- before the cursor, or to nothing.
_mcp_meter_split() {
  local rest=${COMP_LINE:0:COMP_POINT} word i
  _mcp_meter_line=() _mcp_meter_separator=
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if ((i == 0)) || [[ $rest == [[:space:]]* ]]; then
      _mcp_meter_line+=("$word")
      [[ $word == -- && -z $_mcp_meter_separator ]] && ((i < COMP_CWORD)) && _mcp_meter_separator=$i
    else
      _mcp_meter_line[${#_mcp_meter_line[@]}-1]+=$word
    fi
    rest=${rest#"${rest%%[![:space:]]*}"}
    rest=${rest#"$word"}
  done
}

# Offers each of $3… that begins with $1. $2 is the text before $1 in the same word, such as --name=.
_mcp_meter_offer() {
  local value=${1//\\/} before=$2 word last=${COMP_WORDS[COMP_CWORD]} cut
  shift 2
  [[ $last == [=:] ]] && last=
  # Bash splits a word at = or :, and replaces only the last piece. So each offer leaves out the text before that piece.
  cut=${_mcp_meter_line[${#_mcp_meter_line[@]}-1]}
  cut=${cut%"$last"}
  for word in "$@"; do
    [[ $word == "$value"* ]] || continue
    printf -v word %q "$word"
    word=$before$word
    COMPREPLY+=("${word#"$cut"}")
  done
}

# Offers files or folders, as bash itself completes them.
_mcp_meter_paths() { compopt -o "$1" 2>/dev/null; }

# Completes a server's command as its own completion does, if bash-completion is loaded.
_mcp_meter_server() {
  local first=$((_mcp_meter_separator + 1)) delegate
  for delegate in _comp_command_offset _command_offset; do
    declare -F "$delegate" >/dev/null && { "$delegate" "$first"; return; }
  done
  _mcp_meter_paths default
  ((COMP_CWORD > first)) && return
  local name
  while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -c -- "$1")
}

_mcp_meter() {
  local _mcp_meter_line _mcp_meter_separator _mcp_meter_options=()
  local command=run current previous option
  COMPREPLY=()
  # Offer files only where they make sense.
  compopt +o default +o bashdefault 2>/dev/null
  _mcp_meter_split
  current=${_mcp_meter_line[${#_mcp_meter_line[@]}-1]}
  if ((${#_mcp_meter_line[@]} == 2)) && [[ $current != -* ]]; then
    _mcp_meter_offer "$current" "" "${_mcp_meter_commands[@]}"
    return
  fi
  [[ " ${_mcp_meter_commands[*]} " == *" ${_mcp_meter_line[1]} "* ]] && command=${_mcp_meter_line[1]}
  if [[ -n $_mcp_meter_separator ]]; then
    _mcp_meter_forwarded_to "$command" || { _mcp_meter_server "$current"; return; }
    while [[ ${_mcp_meter_line[0]} != -- ]]; do _mcp_meter_line=("${_mcp_meter_line[@]:1}"); done
    _mcp_meter_line=(mcp-meter "$command" "${_mcp_meter_line[@]:1}")
  fi
  if [[ $current == --*=* ]]; then
    _mcp_meter_value "$command" "${current%%=*}" "${current#*=}" "${current%%=*}="
    return
  fi
  previous=${_mcp_meter_line[${#_mcp_meter_line[@]}-2]}
  [[ $previous == -* ]] && _mcp_meter_value "$command" "$previous" "$current" "" && return
  if [[ $current != -* ]]; then
    _mcp_meter_operand "$command" "$current"
    return
  fi
  _mcp_meter_list "$command"
  for option in "${_mcp_meter_options[@]}"; do
    [[ $option != *\* && " ${_mcp_meter_line[*]} " == *" $option "* ]] && continue
    _mcp_meter_offer "$current" "" "${option%\*}"
  done
}

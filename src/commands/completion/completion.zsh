# Uses the tables of commands, options and values that shell-scripts.ts writes in front of this text.

# Offers the given words, and files or folders.
_mcp_meter_path_or() {
  local complete=$1
  shift
  compadd -- "$@"
  $complete
}

_mcp_meter() {
  local command=run
  local -a mcp_meter_specs
  local -i separator=${words[(i)--]}
  if (( separator < CURRENT )) && [[ -n ${_mcp_meter_forwarded_to[$words[2]]} ]]; then
    # Complete the options after -- as options of the command that receives them.
    (( CURRENT += 2 - separator ))
    words=("$words[1]" ${_mcp_meter_forwarded_to[$words[2]]} "${(@)words[separator + 1, -1]}")
  elif (( separator < CURRENT )); then
    # Complete the server's command with its own completion.
    shift $separator words
    (( CURRENT -= separator ))
    _normal
    return
  fi
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _mcp_meter_commands
    return
  fi
  if [[ $words[2] != -* ]]; then
    command=$words[2]
    shift words
    (( CURRENT -= 1 ))
  fi
  _mcp_meter_specs $command && _arguments -S $mcp_meter_specs
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _mcp_meter "$@"
else
  compdef _mcp_meter mcp-meter
fi

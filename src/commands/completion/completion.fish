# Uses the tables of commands, options and values that shell-scripts.ts writes after this text.

# True after the first --, where the server's command is.
function __mcp_meter_after
    contains -- -- (commandline -opc)
end

# True if only the program's name has been typed.
function __mcp_meter_first
    test (count (commandline -opc)) -eq 1
end

# True if the command line is for one of these commands.
function __mcp_meter_is
    set -l line (commandline -opc)
    contains -- -- $line
    and return 1
    set -l command run
    if set -q line[2]; and contains -- $line[2] $__mcp_meter_commands
        set command $line[2]
    end
    contains -- $command $argv
end

# True if the previous word is one of these options.
function __mcp_meter_follows
    contains -- (commandline -opc)[-1] $argv
end

# Completes the words after --. If the command before -- forwards them to another mcp-meter command, they are completed
# as options of that command. Otherwise, they are completed as a server's command.
function __mcp_meter_server
    set -l line (commandline -opc)
    set -l before (__mcp_meter_forwarded_to $line[2])
    and set before (string escape -- $line[1]) $before
    set -l words (commandline -ct)
    set -l last (contains -i -- -- $line)
    while test (count $line) -gt $last
        set -p words (string escape -- $line[-1])
        set -e line[-1]
    end
    complete -C (string join ' ' -- $before $words)
end

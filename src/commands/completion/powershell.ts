import {
  type CompletedCommand,
  type CompletedOption,
  defaultCommand,
} from "./completed-commands.ts";
import { quotedForPowerShell } from "./quote.ts";

/** The script for PowerShell 5.1 and later. Where it offers nothing, PowerShell offers files. */
export function powershellScript(commands: readonly CompletedCommand[]): string {
  return [
    "Register-ArgumentCompleter -Native -CommandName 'mcp-meter' -ScriptBlock {",
    "    param($wordToComplete, $commandAst, $cursorPosition)",
    "    $commands = [ordered]@{",
    ...commands.flatMap(commandRows),
    "    }",
    "    # The command whose options follow the -- of another one.",
    "    $behind = @{",
    ...commands.flatMap(({ name, optionsBehind }) =>
      optionsBehind === undefined
        ? []
        : [`        ${quotedForPowerShell(name)} = ${quotedForPowerShell(optionsBehind)}`],
    ),
    "    }",
    main,
    "}",
    "",
  ].join("\n");
}

function commandRows({ name, summary, options, words }: CompletedCommand): readonly string[] {
  return [
    `        ${quotedForPowerShell(name)} = @{`,
    `            Summary = ${quotedForPowerShell(summary)}`,
    `            Words = ${list(words)}`,
    "            Options = @(",
    ...options.map((option) => `                ${optionRow(option)}`),
    "            )",
    "        }",
  ];
}

function optionRow({ name, short, description, value }: CompletedOption): string {
  const names = [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
  const takes =
    value === undefined
      ? ""
      : `; Values = ${list(value.words)}; Kind = ${quotedForPowerShell(value.names ?? "")}`;
  return `@{ Names = ${list(names)}; Text = ${quotedForPowerShell(description)}${takes} }`;
}

function list(words: readonly string[]): string {
  return `@(${words.map(quotedForPowerShell).join(", ")})`;
}

const main = `    $line = @($commandAst.CommandElements |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object { $_.Extent.Text })
    $cut = [Array]::IndexOf($line, '--')
    if ($cut -gt 1 -and $behind.ContainsKey($line[1])) {
        $line = @($line[0], $behind[$line[1]]) + @($line | Select-Object -Skip ($cut + 1))
    }
    # Behind the first -- is the command of a server.
    if ($line -ccontains '--') {
        if ($line[-1] -ceq '--') {
            Get-Command -Name "$wordToComplete*" -CommandType Application -ErrorAction SilentlyContinue |
                ForEach-Object { [System.Management.Automation.CompletionResult]::new($_.Name) }
        }
        return
    }
    # A server chooses its own name, so a name is only ever quoted.
    $offer = {
        param($text, $type, $about, $before)
        if (-not $text.StartsWith($typed, [System.StringComparison]::Ordinal)) { return }
        $word = $text
        if ($text -notmatch '^[A-Za-z0-9._/=-]+$') { $word = "'" + [System.Management.Automation.Language.CodeGeneration]::EscapeSingleQuotedStringContent($text) + "'" }
        if (-not $about) { $about = $text }
        [System.Management.Automation.CompletionResult]::new("$before$word", $text, $type, $about)
    }
    $typed = $wordToComplete
    if ($line.Count -le 1 -and -not $typed.StartsWith('-')) {
        foreach ($name in $commands.Keys) { & $offer $name 'Command' $commands[$name].Summary '' }
        return
    }
    $name = '${defaultCommand}'
    if ($line.Count -gt 1 -and $commands.Contains($line[1])) { $name = $line[1] }
    $command = $commands[$name]
    $before = ''
    $option = $line[-1]
    if ($typed -match '^(--[a-z-]+)=(.*)$') {
        $option = $Matches[1]
        $before = "$option="
        $typed = $Matches[2]
    }
    $row = $command.Options | Where-Object { $_.Names -ccontains $option -and $_.ContainsKey('Values') } | Select-Object -First 1
    if ($row) {
        foreach ($value in $row.Values) { & $offer $value 'ParameterValue' '' $before }
        if ($row.Kind) {
            & $line[0] completion "@$($row.Kind)" 2>$null | ForEach-Object { & $offer $_ 'ParameterValue' '' $before }
        }
        return
    }
    if ($typed.StartsWith('-')) {
        foreach ($one in $command.Options) {
            foreach ($word in $one.Names) { & $offer $word 'ParameterName' $one.Text '' }
        }
        return
    }
    foreach ($word in $command.Words) { & $offer $word 'ParameterValue' '' '' }`;

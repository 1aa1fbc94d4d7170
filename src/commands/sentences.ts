import { pluralize, formatCount } from "#kit/text/numbers.ts";
import { describeReason, formatSuggestion } from "#kit/sentences.ts";

export const serveInstead = `to meter a server behind a URL, write "mcp-meter serve --url https://example.com/mcp"`;

const lockCreationHint = `create it with "mcp-meter lock -- <command>" or "mcp-meter lock --url <url>"`;

function enumerate(names: readonly string[]): string {
  const shown = names.slice(0, 8);
  const omitted = names.length - shown.length;
  return `${shown.join(", ")}${omitted === 0 ? "" : ` and ${omitted} more`}`;
}

export const exampleCommand = "npx -y some-server";

export const commandSentences = {
  stepSummaryUnwritable: (reason: string) =>
    `Cannot append to the step summary: ${describeReason(reason)}`,
  disableLocked: (file: string) =>
    `Ignoring MCP_METER_DISABLE: the system config "${file}" does not allow it`,
  exactNeedsModel: () => `--exact requires --model NAME, as in --model claude-opus-5`,
  exactWithoutCounter: (model: string, makers: string) =>
    `Cannot count exactly for "${model}": only ${makers} have a public token counter, for models such as claude-opus-5 and gemini-3-pro`,
  exactWaiting: (maker: string, seconds: number) =>
    `Waiting ${seconds} s, because ${maker} limits the rate of requests or is overloaded`,
  urlWithoutServe: () => `unknown option "--url"; ${serveInstead}`,
  lockMissing: (file: string) => `Cannot find the lock "${file}"; ${lockCreationHint}`,
  lockHoldsHeader: (file: string) =>
    `Cannot write the lock "${file}": the server's definitions contain the value of a header or of the URL's query, which must not be written to a file`,
  lockedByPolicy: (names: readonly string[] | string, file: string) =>
    `Ignoring your ${enumerate([names].flat())}: the system config "${file}" locks ${[names].flat().length === 1 ? "it" : "them"}`,
  importUnfinished: () =>
    "Imported records are incomplete, because an import is running or was interrupted; run mcp-meter import",
  recordsLeftOut: (records: number) =>
    `Left out ${pluralize(records, "record")}: the maximum number of calls, sessions, days or tools is reached; choose a shorter period`,
  settingsHomeMissing: () => `Cannot find the settings of MCP clients: set HOME`,
  projectMissing: (folder: string) =>
    `Cannot read the settings of the project "${folder}": no such folder`,
  optionUnknown: (option: string, command: string, nearest: string | undefined) =>
    nearest === undefined
      ? `unknown option "${option}"; see "mcp-meter ${command} --help"`
      : `unknown option "${option}"; did you mean ${nearest.length === 1 ? "-" : "--"}${nearest}?`,
  variableUnknown: (name: string, nearest: string | undefined) =>
    nearest === undefined
      ? `Ignoring unknown variable ${name}; see "mcp-meter --help" for options`
      : `Ignoring unknown variable ${name}; did you mean ${nearest}?`,
  variableIgnored: (name: string) => `Ignoring ${name}: it does not apply to this command line`,
  variablesContradict: (first: string, second: string) =>
    `Cannot use both ${first} and ${second}: they set the same option to different values; unset one`,
  optionValue: (option: string, value: string, wanted: string) =>
    `--${option} must be ${wanted}, not "${value}"`,
  optionMissing: (option: string) => `--${option} requires a value`,
  optionTwice: (option: string) => `--${option} is given twice; it takes one value`,
  argumentUnexpected: (word: string) => `unexpected argument "${word}"`,
  overTotal: (subject: string, tokens: number, tokensMax: number) =>
    `Over --max-total ${formatCount(tokensMax)}: ${subject} has ${pluralize(tokens, "token")}`,
  clientsWithoutServers: (clientNames: string, known: string) =>
    `Found no MCP servers in the settings of ${clientNames}; ${known === "" ? "no other client has any" : `these clients have MCP servers: ${known}`}`,
  optionRequires: (option: string, needed: string) => `--${option} requires --${needed}`,
  optionsContradict: (first: string, second: string) => `Cannot combine ${first} with ${second}`,
  sessionsHomeMissing: () => `Cannot find the records of sessions: set HOME or XDG_STATE_HOME`,
  configIgnored: (file: string, fault: string, others: number) =>
    `Ignoring a mistake in the config "${file}": ${describeReason(fault)}` +
    (others === 0 ? "" : `, and ${pluralize(others, "more mistake")}`) +
    `; see "mcp-meter config"`,
  optionHomeMissing: (option: string, path: string) =>
    `Cannot expand "${path}" in --${option}: set HOME, or write the full path`,
  modelUnknown: (model: string, windowTokens: number, estimator: string, nearest?: string) =>
    `Unknown model "${model}"${formatSuggestion(nearest)}; counting with ${estimator} and a window of ${formatCount(windowTokens)} tokens`,
  serverUnknown: (server: string, nearest: string | undefined) =>
    `No client starts a server "${server}" behind mcp-meter, and no config has a section for it${formatSuggestion(nearest)}; showing the options that a server with this name would get`,
  modelNewer: (model: string, windowTokens: number, estimator: string, nearest?: string) =>
    `Model "${model}" is newer than all models that mcp-meter knows${formatSuggestion(nearest)}; counting with ${estimator} and a window of ${formatCount(windowTokens)} tokens`,
  clientUnknown: (client: string, nearest?: string) =>
    `Unknown client "${client}"${formatSuggestion(nearest)}; counting only the content of results, which most clients show to the model`,
  reportTwice: (format: string, file: string | undefined) =>
    file === undefined
      ? `Cannot print two reports; write one to a file, as in --format ${format}=FILE`
      : `Cannot write two reports to "${file}"`,
  reportsShareFile: (file: string, sameFile: string) =>
    `Cannot write two reports to one file: "${file}" is the same file as "${sameFile}"`,
  reportOverInput: (file: string, input: string) =>
    `Cannot write a report to "${file}": it is the ${input}, which the report would overwrite; name another file`,
} as const;

export const lockSentences = {
  lockConflicted: (file: string) =>
    `Cannot read the lock "${file}": it has git conflict markers; resolve them, or write it again with "mcp-meter lock --force"`,
  lockDeleted: (file: string, base: string) =>
    `Cannot find the lock "${file}", which "${base}" has; restore it, or ${lockCreationHint}`,
  lockWritten: (file: string, tools: number, report: string) =>
    `Wrote the lock "${file}" with ${pluralize(tools, "tool")}; the report is in "${report}"`,
  answersDropped: (answers: number, file: string) =>
    `Dropped ${pluralize(answers, "recorded answer")} from the lock "${file}"; to record them again, run "mcp-meter check --calls FILE --update"`,
  toolsListedTwice: (tools: number, first: string) =>
    (tools === 1
      ? `The server lists the tool "${first}" more than once`
      : `The server lists ${formatCount(tools)} tools more than once; the first is "${first}"`) +
    '; clients may use any of the definitions, so "mcp-meter check" and "mcp-meter lock --check" will fail',
  schemasRejected: (tools: number, first: string) =>
    `The input ${tools === 1 ? `schema of the tool "${first}" is` : `schemas of ${formatCount(tools)} tools are`} not of type "object"` +
    (tools === 1 ? "" : `; the first belongs to "${first}"`) +
    '; clients reject the whole list, so "mcp-meter check" and "mcp-meter lock --check" will fail',
  listsRejected: (faults: number, first: string) =>
    `${first.charAt(0).toUpperCase()}${first.slice(1)}` +
    (faults === 1 ? "" : `; ${formatCount(faults)} faults in all`) +
    '; "mcp-meter check" will fail',
} as const;

export const checkSentences = {
  lockMissingInCheck: (file: string) =>
    `Cannot find the lock "${file}"; ${lockCreationHint}; or pass --no-lock to check limits and calls only`,
  answersRecorded: (answers: number, file: string) =>
    `Recorded ${pluralize(answers, "answer")} in the lock "${file}"`,
  answersUnused: (answers: number, file: string) =>
    `Dropped ${pluralize(answers, "recorded answer")} from the lock "${file}": no call in the calls file uses ${answers === 1 ? "it" : "them"}`,
  lockSecret: (file: string) =>
    `Cannot write the lock "${file}": the server's definitions contain the value of a variable that the calls file uses; if this value is not a secret, write the lock with "mcp-meter lock -- <command>" first`,
  budgetNeedsCalls: () => `--budget requires --calls FILE: without it, a check makes no calls`,
  growthNeedsCalls: () =>
    `--max-call-increase requires --calls FILE: it limits how much the answers to calls may grow`,
  growthWithoutAnswers: (file: string) =>
    `Cannot check --max-call-increase: the lock "${file}" has no recorded answers; record them with --update`,
  checkOfNothing: () =>
    `Nothing to check: with --no-lock, also pass --calls FILE, --max-total N or --max-tool N`,
  callsSkipped: (file: string) => `Every call in "${file}" is skipped: there is nothing to check`,
  callsTooMany: (file: string, calls: number, callsMax: number) =>
    `Cannot make the calls in "${file}": it asks for ${pluralize(calls, "call")}; the maximum is ${formatCount(callsMax)}`,
  budgetUnused: (spec: string, file: string) =>
    `Budget "${spec}" limits none of the calls in "${file}"`,
  checkBudgetPeriod: (spec: string, per: string) =>
    `Cannot check budget "${spec}": a check supports the periods call and session, not ${per}`,
  toolUnlisted: (tool: string, nearest: string | undefined) =>
    `unknown tool "${tool}"${formatSuggestion(nearest)}: the server does not list it, so the call was not made`,
  toolDenied: (error: string) =>
    `unknown tool, although the server lists it; the server answers "${error}"`,
  serverFailedEarlier: (call: string) => `The server failed at the call "${call}"`,
  serverFailedAtCall: (call: string, failure: string) =>
    `Stopped at the call "${call}": ${failure}`,
} as const;

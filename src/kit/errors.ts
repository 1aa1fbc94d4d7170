import { counted, grouped, inputNamed, inWords, meant } from "./error-words.ts";
import { alertSentences } from "./sentences/alert-sentences.ts";
import { httpSentences } from "./sentences/http-sentences.ts";
import { importSentences } from "./sentences/import-sentences.ts";
import { exactSentences } from "./sentences/exact-sentences.ts";
import { lockSentences } from "./sentences/lock-sentences.ts";
import { dashSentences } from "./sentences/dash-sentences.ts";
import { mcpSentences } from "./sentences/mcp-sentences.ts";
import { policySentences } from "./sentences/policy-sentences.ts";
import { recordSentences } from "./sentences/record-sentences.ts";
import { redisSentences } from "./sentences/redis-sentences.ts";
import { telemetrySentences } from "./sentences/telemetry-sentences.ts";
import { wrapSentences } from "./sentences/wrap-sentences.ts";
import { setupSentences } from "./sentences/setup-sentences.ts";

type MistakePlace = { readonly file: string; readonly line: number };

/** Printed as one sentence, without a stack. */
export class UserError extends Error {
  /** Undefined leaves the choice to the command (125 for `run`, 2 for the others). */
  readonly exitCode: number | undefined;
  readonly place: MistakePlace | undefined;

  constructor(sentence: string, exitCode?: number, place?: MistakePlace) {
    super(sentence);
    this.name = "UserError";
    this.exitCode = exitCode;
    this.place = place;
  }
}

export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  serverUnreachable: 3,
  runFailed: 125,
  notExecutable: 126,
  notFound: 127,
} as const;

const exampleCommand = "npx -y some-server";

/** The failure, with the value, and the remedy. A `reason` is a clause or a system error code. */
export const sentences = {
  ...importSentences,
  ...alertSentences,
  ...policySentences,
  ...recordSentences,
  ...dashSentences,
  ...mcpSentences,
  ...wrapSentences,
  ...setupSentences,
  ...httpSentences,
  ...telemetrySentences,

  commandMissing: () =>
    `missing command; put the server's command after --, as in "mcp-meter -- ${exampleCommand}"`,
  commandUnknown: (word: string, nearest: string | undefined) =>
    nearest === undefined
      ? `unknown command "${word}"; to meter a server, put its command after --, as in "mcp-meter -- ${word} …"`
      : `unknown command "${word}"; did you mean "${nearest}"?`,
  serverMissing: (command: string) =>
    `missing server; put its command after --, as in "mcp-meter ${command} -- ${exampleCommand}"`,
  serverOrUrlMissing: (command: string) =>
    `missing server; put its command after --, as in "mcp-meter ${command} -- ${exampleCommand}", or name its URL with --url`,
  optionUnknown: (option: string, command: string, nearest: string | undefined) =>
    nearest === undefined
      ? `unknown option "${option}"; see "mcp-meter ${command} --help"`
      : `unknown option "${option}"; did you mean ${nearest.length === 1 ? "-" : "--"}${nearest}?`,
  variableUnknown: (name: string, nearest: string | undefined) =>
    nearest === undefined
      ? `Ignoring unknown variable ${name}; see "mcp-meter --help" for options`
      : `Ignoring unknown variable ${name}; did you mean ${nearest}?`,
  variablesContradict: (one: string, other: string) =>
    `Cannot use both ${one} and ${other}: they set the same option to different values; unset one`,
  optionValue: (option: string, value: string, wanted: string) =>
    `--${option} must be ${wanted}, not "${value}"`,
  optionMissing: (option: string) => `--${option} requires a value`,
  optionTwice: (option: string) => `--${option} is given twice; it takes one value`,
  shellMissing: (shells: string) => `missing shell; use one of ${shells}`,
  shellUnknown: (word: string, nearest: string | undefined, shells: string) =>
    nearest === undefined
      ? `unknown shell "${word}"; use one of ${shells}`
      : `unknown shell "${word}"; did you mean "${nearest}"?`,
  argumentUnexpected: (word: string) => `unexpected argument "${word}"`,
  lockNotNamed: () => `--enforce-lock requires --lock FILE`,
  updateNeedsCalls: () => `--update requires --calls FILE`,
  budgetNeedsCalls: () => `--budget requires --calls FILE: a check has no calls without it`,
  growthNeedsCalls: () =>
    `--max-growth requires --calls FILE: it limits the growth of the answers of calls`,
  growthWithoutAnswers: (file: string) =>
    `Cannot check --max-growth: the lock "${file}" has no recorded answers; record them with --update`,
  checkOfNothing: () =>
    `Nothing to check: with --no-lock pass --calls FILE, --max-total N or --max-tool N`,
  optionsContradict: (one: string, other: string) => `Cannot combine ${one} with ${other}`,

  commandNotFound: (command: string) =>
    `Cannot start "${command}": command not found; use the name of a program on the PATH, or a path`,
  commandNotExecutable: (command: string, reason: string) =>
    `Cannot start "${command}": it ${reason}`,
  commandFailed: (command: string, reason: string) => `Cannot start "${command}": ${reason}`,
  serverRefused: (server: string, method: string, message: string, code: number) =>
    `The server "${server}" refused ${method}: ${message} (${code})`,
  serverFailed: (server: string, reason: string) => `The server "${server}" failed: ${reason}`,
  serverUnreachable: (command: string, reason: string) =>
    `Cannot connect to "${command}": ${reason}; it must be an MCP server on stdin and stdout`,

  stdinUnreadable: (reason: string) => `Cannot read stdin: ${inWords(reason)}`,
  stdoutUnwritable: (reason: string) => `Cannot write to stdout: ${inWords(reason)}`,
  fileUnreadable: (file: string, reason: string) => `Cannot read "${file}": ${inWords(reason)}`,
  globEmpty: (pattern: string) => `Cannot read "${pattern}": no file matches`,
  configMalformed: (file: string, reason: string) =>
    `Cannot read the config "${file}": ${inWords(reason)}`,
  totalsUnreadable: (file: string, fault: string) =>
    `Cannot read the totals "${file}": ${inWords(fault)}; move the file away to begin new totals`,
  totalsUnwritable: (file: string, reason: string) =>
    `Cannot write "${file}": ${inWords(reason)}; nothing was removed`,
  totalsFull: (file: string) =>
    `Cannot add to the totals "${file}": they have too many rows; move the file away to begin new totals`,
  pruneBusy: (file: string) =>
    `Cannot remove files: another process removes some, or locks cannot be used for "${file}"`,
  pruneWithoutRule: () =>
    `missing rule; name --older-than AGE or --keep-bytes SIZE, as in "mcp-meter prune --older-than 90d"`,
  sessionsHomeMissing: () => `Cannot find the records of sessions: set HOME or XDG_STATE_HOME`,
  noSessionsYet: (folder: string) => `Waiting for the first session in ${folder}`,
  configIgnored: (file: string, fault: string, others: number) =>
    `Ignoring a mistake in the config "${file}": ${inWords(fault)}` +
    (others === 0 ? "" : `, and ${counted(others, "more mistake")}`) +
    `; see "mcp-meter config"`,
  configOptionIgnored: (option: string, failure: string) =>
    `Ignoring ${option} of the config: ${failure}`,
  pricesMalformed: (file: string, reason: string) =>
    `Cannot read the prices in "${file}": ${inWords(reason)}`,
  callsMistaken: (file: string, line: number, column: number, fault: string) =>
    `${file}:${line}:${column}: ${fault}`,
  callsUnwritable: (file: string, reason: string) =>
    `Cannot record calls in "${file}": ${inWords(reason)}`,
  callsUnrecorded: (file: string, reason: string) =>
    `Cannot record further calls in "${file}": ${inWords(reason)}; traffic continues`,
  recordingCalls: (file: string) =>
    `Recording calls with their arguments in "${file}"; they may hold secrets`,
  callsRecorded: (written: number, file: string, left: number) =>
    `Recorded ${counted(written, "call")} in "${file}"` +
    (left === 0
      ? ""
      : `, and left out ${grouped(left)} that ${left === 1 ? "does" : "do"} not fit`),
  callsInexact: (calls: number) =>
    `Left out ${counted(calls, "call")} with a number that a calls file cannot hold exactly`,
  recordingModeChanged: (file: string) =>
    `Changed the mode of "${file}" to 0600: recorded calls may hold secrets`,
  recordWithoutFile: () =>
    `missing file; name it with --output, as in "mcp-meter record --output calls.yaml -- ${exampleCommand}"`,
  callsSkipped: (file: string) => `Every call in "${file}" is skipped: there is nothing to check`,
  callsTooMany: (file: string, calls: number, callsMax: number) =>
    `Cannot play the calls file "${file}": it asks for ${counted(calls, "call")}, at most ${grouped(callsMax)} are played`,
  notUtf8: (file: string) =>
    `${inputNamed(file)} is not valid UTF-8; invalid bytes are counted as U+FFFD`,
  countedAsDefinitions: (file: string, estimator: string, hasFormula: boolean) =>
    `${inputNamed(file)} is a list of tools and is counted as definitions, as in a profile, by ${hasFormula ? "the formula of " : ""}${estimator}`,
  countedAsText: (file: string) =>
    `${inputNamed(file)} is a list of tools and is counted as text; add --model to count its definitions, as in a profile`,
  overLimit: (tokens: number, limit: number) =>
    `The input has ${counted(tokens, "token")}; --limit allows ${grouped(limit)}`,

  optionHomeMissing: (option: string, path: string) =>
    `Cannot expand "${path}" of --${option}: set HOME, or write the whole path`,
  homeMissing: () => `Cannot keep records: set HOME or XDG_STATE_HOME, or pass --log FILE`,
  countersUnreadable: (reason: string) => `Cannot read the budget counters: ${inWords(reason)}`,
  countersHomeMissing: () => `Cannot find the budget counters: set HOME or XDG_STATE_HOME`,
  logNotRegular: (file: string, kind: string) =>
    `Cannot write records to "${file}": it is a ${kind}, not a regular file`,
  logUnwritable: (file: string, reason: string) =>
    `Cannot write records to "${file}": ${inWords(reason)}`,
  summaryUnwritable: (file: string, reason: string) =>
    `Cannot write the summary to "${file}": ${inWords(reason)}`,
  spillFolderUnwritable: (folder: string, reason: string) =>
    `Cannot save answers in "${folder}": ${inWords(reason)}; name another folder with --spill-dir`,
  spillFailed: (reason: string) =>
    `Cannot save an answer (${inWords(reason)}); answers over their budget are withheld instead`,
  stepSummaryUnwritable: (reason: string) =>
    `Cannot append to the step summary: ${inWords(reason)}`,

  internalFailure: (what: string) =>
    `Failed by a fault of mcp-meter itself (${what}); report it with the output of "mcp-meter --version"`,
  recordsWritten: (file: string) => `Records are in ${file}`,
  recordsDropped: (count: number) =>
    `Dropped ${counted(count, "record")}: the disk was too slow, or a write failed`,
  observerFailed: (where: string, what: string) =>
    `Metering failed (${what}: ${where}); traffic continues`,
  foreignOutput: () =>
    `The server writes lines to stdout that are not JSON-RPC; clients may reject them`,
  foreignLines: (lines: number, first: string | undefined) =>
    `The server wrote ${counted(lines, "line")} to stdout that ${lines === 1 ? "is" : "are"} not JSON-RPC` +
    (first === undefined ? "" : `, ${lines === 1 ? "" : "the first is "}"${first}"`) +
    `; clients may reject ${lines === 1 ? "it" : "them"}, logs belong on stderr`,
  notTools: (entries: number) =>
    `The list of tools has ${entries === 1 ? "1 entry that is not a tool" : `${grouped(entries)} entries that are not tools`}; clients may reject the whole list`,
  toolsListedTwice: (tools: number, first: string) =>
    (tools === 1
      ? `The server lists the tool "${first}" more than once`
      : `The server lists ${grouped(tools)} tools more than once, the first is "${first}"`) +
    "; a client may call either one, and a check fails",
  schemasRejected: (tools: number, first: string) =>
    `The input ${tools === 1 ? `schema of the tool "${first}" is` : `schemas of ${grouped(tools)} tools are`} not of type "object"` +
    (tools === 1 ? "" : `, the first is that of "${first}"`) +
    "; clients reject the whole list, and a check fails",
  listsRejected: (faults: number, first: string) =>
    `${first.charAt(0).toUpperCase()}${first.slice(1)}` +
    (faults === 1 ? "" : `; ${grouped(faults)} faults in all`) +
    "; a check fails",
  modelUnknown: (model: string, windowTokens: number, estimator: string, nearest?: string) =>
    `Unknown model "${model}"${meant(nearest)}; counting with ${estimator} and a window of ${grouped(windowTokens)} tokens`,
  clientUnknown: (client: string, nearest?: string) =>
    `Unknown client "${client}"${meant(nearest)}; counting the content of results, as most clients show it`,

  budgetMalformed: (spec: string, reason: string) => `Cannot read budget "${spec}": ${reason}`,
  budgetsContradict: (one: string, other: string) =>
    `Cannot combine budgets "${one}" and "${other}": they limit the same counter differently; remove one`,
  budgetUnmatched: (spec: string, tools: number, nearest: string | undefined) =>
    `Budget "${spec}" ${tools === 1 ? "does not match the server's only tool" : `matches none of the server's ${counted(tools, "tool")}`}` +
    (nearest === undefined ? "" : `; did you mean "${nearest}"?`),
  budgetUnused: (spec: string, file: string) =>
    `Budget "${spec}" limits none of the calls in "${file}"`,
  budgetExceeded: (spec: string, name: string, use: string) =>
    `Budget "${spec}" is exceeded by ${name}: ${use}; the call passed`,
  pushExceeded: (spec: string, method: string, use: string, isWithheld: boolean) =>
    `Budget "${spec}" is exceeded by a message that the server pushed (${method}): ${use}; it ${isWithheld ? "was withheld" : "passed"}`,
  budgetNearlySpent: (spec: string, percent: number, user: string) =>
    `Budget "${spec}" is ${percent}% spent${user === "" ? "" : ` by ${user}`}`,
  budgetLinesEnd: () =>
    `Further budget warnings of this session are only in the summary and the records`,
  checkBudgetPeriod: (spec: string, per: string) =>
    `Cannot check budget "${spec}": a check supports the periods call and session, not ${per}`,
  ...redisSentences,
  counterUnknown: (tool: string) =>
    `Cannot reset "${tool}": it matches no budget counter; list them with "mcp-meter budgets"`,
  countersReset: (count: number) => `Reset ${counted(count, "budget counter")}`,

  ...lockSentences,
  ...exactSentences,
  profileMalformed: (file: string, fault: string) =>
    `Cannot read the profile "${file}": ${fault}; write one with "mcp-meter profile --format json -- <command>"`,
  profileEstimator: (file: string, before: string, asked: string) =>
    `Cannot compare with the profile "${file}": it was counted with ${before}, this run with ${asked}; pass --tokenizer ${before}`,
  toolUnlisted: (tool: string, nearest: string | undefined) =>
    `unknown tool "${tool}"${meant(nearest)}: the server does not list it, and the call was not made`,
  toolDenied: (error: string) =>
    `unknown tool, although the server lists it; the server answers "${error}"`,
  callsAfterFailure: (call: string) => `The server failed at the call "${call}"`,
  serverFailedAtCall: (call: string, failure: string) =>
    `Stopped at the call "${call}": ${failure}`,
  reportTwice: (format: string, file: string | undefined) =>
    file === undefined
      ? `Cannot print two reports; write one to a file, as in --format ${format}=FILE`
      : `Cannot write two reports to "${file}"`,
  reportsShareFile: (file: string, other: string) =>
    `Cannot write two reports to one file: "${file}" is the same file as "${other}"`,
  reportOverInput: (file: string, input: string) =>
    `Cannot write a report to "${file}": it is the ${input}, which the report would overwrite; name another file`,
  reportUnwritable: (file: string, reason: string) => `Cannot write "${file}": ${inWords(reason)}`,
} as const;

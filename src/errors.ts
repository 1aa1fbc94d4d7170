/** A person's mistake: told in one sentence, without a stack. */
export class UserError extends Error {
  /** Exit code to end with; undefined leaves it to the command (125 for `run`, 2 for others). */
  readonly exitCode: number | undefined;

  constructor(sentence: string, exitCode?: number) {
    super(sentence);
    this.name = "UserError";
    this.exitCode = exitCode;
  }
}

/** Exit codes; `run` uses the child's own besides these. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  serverUnreachable: 3,
  runFailed: 125,
  notExecutable: 126,
  notFound: 127,
} as const;

/** Every sentence a person can be told: what failed, what is, what should be. */
export const sentences = {
  commandMissing: () =>
    `Cannot run: there is no command, it must follow -- as in "mcp-meter -- npx -y some-server"`,
  separatorMissing: (word: string) =>
    `Cannot run "${word}": it is no mcp-meter command, and a server's command must follow -- as in "mcp-meter -- ${word}"`,
  commandNotFound: (command: string) =>
    `Cannot start "${command}": there is no such program, it must be on the PATH or a path to a file`,
  commandNotExecutable: (command: string, reason: string) =>
    `Cannot start "${command}": it ${reason}, it must be an executable file`,
  commandFailed: (command: string, reason: string) => `Cannot start "${command}": ${reason}`,
  optionUnknown: (option: string, command: string) =>
    `Cannot read option "${option}": ${command} has no such option, see "mcp-meter ${command} --help"`,
  optionValue: (option: string, value: string, wanted: string) =>
    `Cannot read --${option}: it is "${value}", it must be ${wanted}`,
  optionMissing: (option: string) => `Cannot read --${option}: it has no value, it must have one`,
  operandsUnknown: (words: readonly string[], command: string) =>
    `Cannot run ${command}: "${words.join(" ")}" is too much, it takes no such argument`,
  configUnreadable: (file: string, reason: string) =>
    `Cannot read the config "${file}": ${reason}, it must be a readable JSON file`,
  configMalformed: (file: string, reason: string) => `Cannot read the config "${file}": ${reason}`,
  logIsNoFile: (file: string, kind: string) =>
    `Cannot write records to "${file}": it is a ${kind}, it must be a regular file`,
  logUnwritable: (file: string, reason: string) => `Cannot write records to "${file}": ${reason}`,
  homeMissing: () =>
    `Cannot keep records: neither XDG_STATE_HOME nor HOME is set, one must be or --log FILE must be given`,
  summaryUnwritable: (file: string, reason: string) =>
    `Cannot write the summary to "${file}": ${reason}`,
  recordsDropped: (count: number) =>
    `${count} records were dropped, the disk was too slow or refused them`,
  observerFailed: (where: string, what: string) =>
    `Metering stopped counting in ${where} (${what}), traffic goes on`,
  foreignOutput: () =>
    `The server writes lines to stdout that are no JSON-RPC, clients may refuse them`,
  reportFileMissing: () =>
    `Cannot report: there is no record file, name one or more as in "mcp-meter report FILE"`,
  fileUnreadable: (file: string, reason: string) => `Cannot read "${file}": ${reason}`,
  globEmpty: (pattern: string) => `Cannot read "${pattern}": no file matches it`,
  linesSkipped: (count: number) =>
    `${count} line${count === 1 ? " was" : "s were"} skipped, torn or no record of mcp-meter`,
  noRecords: (files: number) =>
    `Cannot report: there is no record in ${files} file${files === 1 ? "" : "s"}`,
  serverUnreachable: (command: string, reason: string) =>
    `Cannot reach the server "${command}": ${reason}, it must answer as an MCP server on stdin and stdout`,
  serverMissing: (command: string) =>
    `Cannot run ${command}: there is no server, its command must follow -- as in "mcp-meter ${command} -- npx -y some-server"`,
  budgetMalformed: (spec: string, reason: string) => `Cannot read budget "${spec}": ${reason}`,
  budgetsContradict: (one: string, other: string) =>
    `Cannot read budget "${other}": "${one}" says something else about the same counter, one of them must go`,
  counterStoreFailed: (reason: string) =>
    `Cannot open the counters of this machine (${reason}), minute, hour and day budgets count for this session alone`,
  notUtf8: (file: string) =>
    `"${file === "-" ? "stdin" : file}" is no UTF-8 throughout, what is none is counted as the U+FFFD that replaces it`,
  overLimit: (tokens: number, limit: number) =>
    `Over the limit: the input has ${tokens} tokens, --limit allows ${limit}`,
  lockMissing: (file: string) =>
    `Cannot check the lock "${file}": there is no such file, write it with "mcp-meter lock -- <command>"`,
  lockMalformed: (file: string, fault: string) =>
    `Cannot read the lock "${file}": ${fault}, it must be as "mcp-meter lock" wrote it; repair it or remove it`,
  lockUnwritable: (file: string, reason: string) => `Cannot write the lock "${file}": ${reason}`,
  lockEstimator: (file: string, locked: string, asked: string) =>
    `Cannot compare with the lock "${file}": it was counted with ${locked} and this run with ${asked}, both must be the same, as with --tokenizer ${locked}`,
  listEmpty: (tools: number) =>
    `Cannot compare: the server lists no tools and its lock has ${tools}, an empty list is no sign that they were removed`,
  callsMalformed: (file: string, fault: string) =>
    `Cannot read the calls file "${file}": ${fault}, it must be a list of calls as in [{"tool": "search", "arguments": {"q": "tokens"}, "budget": "2k"}]`,
  updateNeedsCalls: () =>
    `Cannot update the lock's answers: there are no calls, they must be given with --calls FILE`,
  checkBudgetPeriod: (spec: string, per: string) =>
    `Cannot check budget "${spec}": its period is "${per}", a check knows call and session only`,
  stepSummaryUnwritable: (reason: string) => `Cannot append to the step summary: ${reason}`,
  lockNotNamed: () =>
    `Cannot read --enforce-lock: there is no lock, it must be named with --lock FILE`,
  definitionDrifted: (tool: string, detail: string) => `Tool "${tool}" is not as agreed: ${detail}`,
  modelUnknown: (model: string) =>
    `Model "${model}" is not known, tokens are counted with o200k and the window is taken for 200,000`,
  counterUnknown: (tool: string) =>
    `Cannot reset "${tool}": no counter of this machine is of such a tool, "mcp-meter budgets" lists them`,
  countersReset: (count: number) => `${count} counter${count === 1 ? " was" : "s were"} emptied`,
  budgetForNobody: (detail: string) => `Nothing is held: ${detail}`,
} as const;

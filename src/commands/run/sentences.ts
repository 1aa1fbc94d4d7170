import { exampleCommand, serveInstead } from "../sentences.ts";
import { pluralize } from "#kit/text/numbers.ts";

function describeUnpriced(model: string | undefined): string {
  const reason =
    model === undefined
      ? "the price of the model is not known; name the model"
      : `the model "${model}" has no list price; name the model as its maker does`;
  return `${reason}, as in --model claude-opus-5-5, or pass a file of prices with --prices FILE`;
}

export const runSentences = {
  urlAsCommand: () => `unknown command; ${serveInstead}`,
  definitionDrifted: (tool: string, detail: string) =>
    `Tool "${tool}" differs from the lock: ${detail}`,
  otlpMalformed: () => `--otlp must be an http or https URL, such as http://localhost:4318`,
  telemetryFailed: (what: string) => `Cannot send telemetry: ${what}; traffic and records continue`,
  commandMissing: () =>
    `missing command; put the server's command after --, as in "mcp-meter -- ${exampleCommand}"`,
  commandUnknown: (word: string, nearest: string) =>
    `unknown command "${word}"; did you mean "${nearest}"?`,
  serverWithoutDashes: (word: string) =>
    `unknown command "${word}"; to meter a server, put its command after --, as in "mcp-meter -- ${word} …"`,
  helpUnknown: (word: string) => `unknown command "${word}"; list all with "mcp-meter help"`,
  budgetOutranked: (spec: string) =>
    `Ignoring your budget ${spec}: the system config locks a tighter limit, or the same limit with another action`,
  budgetUnpriced: (specs: string, model: string | undefined) =>
    `Cannot use the budget ${specs}: ${describeUnpriced(model)}`,
  budgetIgnored: (specs: string, model: string | undefined) =>
    `Ignoring the budget ${specs}: ${describeUnpriced(model)}`,
  configOptionIgnored: (option: string, failure: string) =>
    `Ignoring ${option} in the config: ${failure}`,
  recordsWritten: (file: string) => `Records are in ${file}`,
  recordsDropped: (count: number) =>
    `Dropped ${pluralize(count, "record")}: the disk was too slow, or a write failed`,
  foreignOutput: () =>
    `The server writes lines to stdout that are not JSON-RPC; clients may reject them`,
  budgetExceeded: (spec: string, name: string, use: string) =>
    `Budget "${spec}" is exceeded by ${name}: ${use}; the call passed`,
  pushExceeded: (spec: string, method: string, use: string, isWithheld: boolean) =>
    `Budget "${spec}" is exceeded by a message that the server pushed (${method}): ${use}; it ${isWithheld ? "was withheld" : "passed"}`,
  budgetNearlySpent: (spec: string, percent: number, tool: string) =>
    tool === ""
      ? `Budget "${spec}" is ${percent}% spent`
      : `Tool "${tool}" has spent ${percent}% of the budget "${spec}"`,
  callBudgetNearlyUsed: (spec: string, percent: number, tool: string) =>
    `A call${tool === "" ? "" : ` to ${tool}`} used ${percent}% of the budget "${spec}"`,
  budgetLinesEnd: () =>
    `Further budget warnings of this session are only in the summary and the records`,
} as const;

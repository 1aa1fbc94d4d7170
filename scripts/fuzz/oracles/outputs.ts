import type { Oracle } from "./violation.ts";

/** Sentences that a session may print: alerts about the traffic. */
const knownSentences: readonly RegExp[] = [
  /^mcp-meter: The server writes lines to stdout that are not JSON-RPC; clients may reject them$/,
  /^mcp-meter: Budget "[^"]+" matches none of the server's \d+ tools?(?:; did you mean "[^"]+"\?)?$/,
  /^mcp-meter: Budget "[^"]+" does not match the server's only tool(?:; did you mean "[^"]+"\?)?$/,
  /^mcp-meter: Budget "[^"]+" is \d+% spent(?: by .+)?$/,
  /^mcp-meter: Budget "[^"]+" is exceeded by .+: [\d,]+ of [\d,]+ \w+ per \w+; the call passed$/,
  /^mcp-meter: Further budget warnings of this session are only in the summary and the records$/,
  /^mcp-meter: Tool ".*" differs from the lock: .*$/,
];

/** Nothing on stderr but the sentences of a session without mistakes. */
export const stderr: Oracle = ({ stderr: text }) =>
  text
    .split("\n")
    .filter((line) => line !== "" && !knownSentences.some((known) => known.test(line)))
    .slice(0, 1)
    .map((line) => `unexpected on stderr: ${JSON.stringify(line)}`);

/** Files that a session may leave in its folder. */
const knownFiles: readonly RegExp[] = [
  /^state\/mcp-meter\/sessions\/[\d-]+\/[^/]+\.ndjson$/,
  /^state\/mcp-meter\/budget-counters\.sqlite(?:-journal)?$/,
  /^state\/mcp-meter\/definition-prices\.json$/,
  /^state\/mcp-meter\/installation-key$/,
  /^state\/mcp-meter\/machine-id$/,
  /^summary\.json$/,
];

/** No file but those that are documented. */
export const files: Oracle = ({ files: names, set, ending }) => {
  const allowed = [
    ...knownFiles,
    ...(set.log === "file" ? [/^calls\.ndjson$/] : []),
    ...(set.budgets.some(({ action }) => action === "spill")
      ? [/^state\/mcp-meter\/spills\/[^/]+\.(?:json|txt)$/]
      : []),
    // A file that was just made, and whose maker was killed.
    ...(ending.kind === "kill" ? [/^state\/mcp-meter\/\.[^/]+$/, /^summary\.json\.[^/]+$/] : []),
  ];
  return names
    .filter((name) => !allowed.some((known) => known.test(name)))
    .map((name) => `unexpected file ${name}`);
};

import {
  type ClientCall,
  pricedMethods,
  replayForClient,
  joinWholeLines,
} from "../client-model.ts";
import { makeDefinition } from "../contents.ts";
import type { ParsedBudget } from "../option-sets.ts";
import {
  at,
  isClear,
  type Json,
  splitLines,
  listAt,
  readOwnLine,
  parseLeniently,
  readMessages,
  textAt,
} from "../reading.ts";
import {
  hasEndedInOrder,
  type Exchanged,
  type Oracle,
  type Transcript,
  type Violation,
} from "../transcript.ts";
import { downward } from "./downward.ts";
import { records, sums } from "./records.ts";
import { upward } from "./upward.ts";

const holding = new Set(["error", "truncate", "spill"]);

/**
 * The tokens delivered under a counter never exceed its limit, by a count independent of mcp-meter. Sessions of
 * one play share their daily counters.
 */
function ceiling(transcripts: readonly Transcript[]): readonly string[] {
  const [first] = transcripts;
  if (!first) return [];
  const sessions = transcripts.map((transcript) => replayForClient(transcript).calls);
  const isOneDay = transcripts.every(({ endedDay }) => endedDay === first.startedDay);
  return first.set.budgets
    .filter(({ action }) => holding.has(action))
    .flatMap((budget) => {
      if (budget.per === "day") return isOneDay ? findExceeded(budget, sessions.flat()) : [];
      return sessions.flatMap((calls) => findExceeded(budget, calls));
    });
}

function findExceeded(budget: ParsedBudget, calls: readonly ClientCall[]): readonly string[] {
  const counters = new Map<string, number>();
  for (const [index, call] of calls.entries()) {
    const { tool, outputTokens } = call;
    if (outputTokens === undefined || !appliesTo(budget, tool)) continue;
    const key = `${budget.per === "call" ? `call ${index + 1} ` : ""}${budget.tool === null ? "all" : tool}`;
    const amount = budget.unit === "calls" ? Number(call.didRun) : call.inputTokens + outputTokens;
    counters.set(key, (counters.get(key) ?? 0) + amount);
  }
  return [...counters]
    .filter(([, amount]) => amount > budget.limit)
    .map(([key, amount]) => `${budget.spec} delivered ${amount} ${budget.unit} (${key})`);
}

function appliesTo(budget: ParsedBudget, tool: string | null): boolean {
  if (budget.tool === null) return true;
  if (tool === null) return false;
  return budget.tool.endsWith("*")
    ? tool.startsWith(budget.tool.slice(0, -1))
    : tool === budget.tool;
}

const ending: Oracle = (transcript) => {
  const { stalled, leftovers, exit, didServerEnd } = transcript;
  if (stalled !== undefined) return [`hung while it waited for ${stalled}`];
  const wanted = listExpectedExits(transcript);
  const actual = exit.signal ?? exit.code;
  return [
    ...leftovers.map((name) => `${name} is still running`),
    ...(wanted.includes(actual) ? [] : [`exit ${actual}, expected ${wanted.join(" or ")}`]),
    ...(didServerEnd || !hasEndedInOrder(transcript)
      ? []
      : ["the server did not see the end of its input"]),
  ];
};

function listExpectedExits(transcript: Transcript): readonly (number | string | null)[] {
  const { ending: end } = transcript;
  switch (end.kind) {
    case "kill":
      return ["SIGKILL"];
    case "term":
      return ["SIGTERM"];
    case "crash":
      return [end.signal];
    default:
      return end.code === 0 ? listEnforcedExits(transcript) : [end.code];
  }
}

function listEnforcedExits(transcript: Transcript): readonly number[] {
  const { set, clientGot, clientSent, serverSent, ending: end } = transcript;
  if (splitLines(clientGot).some((line) => readOwnLine(line) !== undefined)) return [1];
  // A delayed request may be refused after the pipe to the client was closed.
  if (set.isDelaying && end.kind !== "eof") return [0, 1];
  // Nothing is sent to the client for an unread line, an empty text, an error without an id, or a
  // call without one.
  const isSilent =
    splitLines(serverSent).some(
      (line) =>
        isUnreadable(line) || /"text":""|"id":null/.test(line.toString()) || isErrorWithoutId(line),
    ) ||
    splitLines(clientSent).some((line) => isClear(line, "client") !== true) ||
    hasUnansweredCall(clientSent);
  return set.isGating && isSilent ? [0, 1] : [0];
}

function isErrorWithoutId(line: Buffer): boolean {
  const message = parseLeniently(line.toString());
  return at(message, "error") !== undefined && at(message, "id") === undefined;
}

function isUnreadable(line: Buffer): boolean {
  return line.toString().trim() !== "" && isClear(line, "server") !== true;
}

function hasUnansweredCall(clientSent: Uint8Array): boolean {
  return splitLines(clientSent)
    .flatMap(readMessages)
    .some(({ kind, method }) => kind === "notification" && pricedMethods.has(method));
}

const locked: Oracle = (transcript) => {
  if (!transcript.set.isLocked) return [];
  const arrived = new Set(splitLines(transcript.serverGot).map((line) => line.toString()));
  return findCallsOfChanged(transcript.atClient)
    .filter(({ line }) => arrived.has(line))
    .map(({ tool }) => `a call of ${tool} arrived, which differs from the lock`);
};

type CallOfChangedTool = { readonly tool: string; readonly line: string };

function findCallsOfChanged(exchanged: readonly Exchanged[]): readonly CallOfChangedTool[] {
  const changed = new Set<string>();
  const lists = new Set<unknown>();
  const calls: CallOfChangedTool[] = [];
  for (const { by, bytes } of joinWholeLines(exchanged)) {
    for (const { id, method, params, result } of readMessages(bytes)) {
      const tool = textAt(params, "name") ?? "";
      if (by === "server" && method === "" && lists.has(id)) noteChanges(changed, result);
      if (by === "server") continue;
      if (method === "tools/list") lists.add(id);
      if (method === "tools/call" && changed.has(tool)) {
        calls.push({ tool, line: Buffer.from(bytes).toString() });
      }
    }
  }
  return calls;
}

function noteChanges(changed: Set<string>, result: Json): void {
  for (const tool of listAt(result, "tools")) {
    const name = textAt(tool, "name") ?? "";
    if (at(tool, "description") === makeDefinition(name).description) changed.delete(name);
    else changed.add(name);
  }
}

const knownSentences: readonly RegExp[] = [
  /^mcp-meter: The server writes lines to stdout that are not JSON-RPC; clients may reject them$/,
  /^mcp-meter: Budget "[^"]+" matches none of the server's \d+ tools?(?:; did you mean "[^"]+"\?)?$/,
  /^mcp-meter: Budget "[^"]+" does not match the server's only tool(?:; did you mean "[^"]+"\?)?$/,
  /^mcp-meter: Budget "[^"]+" is \d+% spent$/,
  /^mcp-meter: Tool ".+" has spent \d+% of the budget "[^"]+"$/,
  /^mcp-meter: A call(?: of .+)? used \d+% of the budget "[^"]+"$/,
  /^mcp-meter: Budget "[^"]+" is exceeded by .+: [\d,]+ of [\d,]+ \w+ per \w+; (?:the call|it) (?:passed|was withheld)$/,
  /^mcp-meter: Further budget warnings of this session are only in the summary and the records$/,
  /^mcp-meter: Tool ".*" differs from the lock: .*$/,
];

const stderr: Oracle = ({ stderr: text }) =>
  text
    .split("\n")
    .filter((line) => line !== "" && !knownSentences.some((known) => known.test(line)))
    .slice(0, 1)
    .map((line) => `unexpected on stderr: ${JSON.stringify(line)}`);

const knownFiles: readonly RegExp[] = [
  /^state\/mcp-meter\/sessions\/[\d-]+\/[^/]+\.ndjson$/,
  /^state\/mcp-meter\/budget-counters\.sqlite(?:-journal)?$/,
  /^state\/mcp-meter\/definition-prices\.json$/,
  /^state\/mcp-meter\/installation-key$/,
  /^state\/mcp-meter\/machine-id$/,
  /^summary\.json$/,
];

const files: Oracle = ({ files: names, set, ending: end }) => {
  const allowed = [
    ...knownFiles,
    ...(set.log === "file" ? [/^calls\.ndjson$/] : []),
    ...(set.budgets.some(({ action }) => action === "spill")
      ? [/^state\/mcp-meter\/spills\/[^/]+\.(?:json|txt)$/]
      : []),
    ...(end.kind === "kill" ? [/^state\/mcp-meter\/\.[^/]+$/, /^summary\.json\.[^/]+$/] : []),
  ];
  return names
    .filter((name) => !allowed.some((known) => known.test(name)))
    .map((name) => `unexpected file ${name}`);
};

const sessionOracles: Readonly<Record<string, Oracle>> = {
  upward,
  downward,
  records,
  sums,
  ending,
  stderr,
  files,
  locked,
};

export function findViolations(transcripts: readonly Transcript[]): readonly Violation[] {
  const sessionViolations = transcripts.flatMap((transcript) =>
    Object.entries(sessionOracles).flatMap(([oracle, judge]) =>
      judge(transcript).map((detail) => ({ oracle, detail })),
    ),
  );
  return [
    ...sessionViolations,
    ...ceiling(transcripts).map((detail) => ({ oracle: "ceiling", detail })),
  ];
}

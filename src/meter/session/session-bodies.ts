import { nameCharactersMax } from "#kit/limits.ts";
import { sessionKey } from "./participants.ts";
import type { Conversation } from "../calls/open-calls.ts";
import type { EndEvent, MeterOptions } from "./event.ts";
import { readerEstimation } from "#tokens/cost/reader-estimation.ts";
import type { Reader } from "#tokens/cost/exact-prices.ts";
import type { BudgetState, RecordBody } from "#records/record.ts";
import type { Instant } from "../calls/call.ts";
import type { Tracker } from "../calls/tracker.ts";

export function labelOf({ server }: Conversation, options: MeterOptions): string {
  const label = options.serverLabel ?? server?.name ?? options.serverLabelFallback;
  return label.slice(0, nameCharactersMax);
}

export function sessionBody(
  { client, server, protocolVersion, era }: Conversation,
  reader: Reader,
  options: MeterOptions,
): RecordBody {
  const { estimator, profile, model, windowTokens } = reader;
  const { confidence, error } = readerEstimation(reader);
  const machine = options.machine?.();
  return {
    type: "session",
    meter_version: options.version,
    command: options.command,
    ...(options.transport ? { transport: options.transport } : {}),
    ...(machine === undefined ? {} : { machine }),
    ...sessionKey(profile.sessionId, options.hash),
    client_name: client?.name ?? null,
    client_version: client?.version ?? null,
    server_version: server?.version ?? null,
    protocol_version: protocolVersion ?? null,
    era: era ?? null,
    profile: profile.id,
    model,
    window: windowTokens,
    is_estimated: confidence !== "high",
    estimator: estimator.id,
    estimation_method: estimator.method,
    estimation_encoding: estimator.encoding,
    estimation_error: error,
    confidence,
  };
}

export type SessionSums = {
  readonly began: Instant;
  readonly bytes: { readonly client: number; readonly server: number };
  readonly tracker: Tracker;
  readonly sums: { readonly calls: number; readonly tokens: number };
  readonly budgets: readonly BudgetState[];
};

export function endBody(
  event: EndEvent,
  { began, bytes, tracker, sums, budgets }: SessionSums,
): RecordBody {
  const { opaqueLines, notifications, unknownAnswers, lateAnswers } = tracker;
  return {
    type: "end",
    exit_code: event.exitCode,
    signal: event.signal,
    duration_ms: Math.round(event.at.monoMs - began.monoMs),
    client_bytes: bytes.client,
    server_bytes: bytes.server,
    calls: sums.calls,
    total_tokens: sums.tokens,
    notifications,
    opaque_client_lines: opaqueLines.client,
    opaque_server_lines: opaqueLines.server,
    unknown_answers: unknownAnswers,
    late_answers: lateAnswers,
    dropped_records: event.droppedRecords,
    observer_faults: event.observerFaults,
    budgets,
  };
}

/** Programs that run something else: the label is the name of that, not theirs. */
const runners = new Set([
  "node",
  "bun",
  "deno",
  "npx",
  "bunx",
  "uvx",
  "uv",
  "python",
  "python3",
  "sh",
  "env",
]);

/** Words allowed between a runner and its script: subcommands, and options that take no value. */
const runnerWords = new Set([
  "run",
  "x",
  "exec",
  "tool",
  "-y",
  "--yes",
  "-q",
  "--quiet",
  "-u",
  "-m",
  "--bun",
  "--silent",
]);

/**
 * The name of a server that neither the user nor the server itself has named: its program, or the script
 * or package that its program runs. `["npx", "-y", "@scope/server-git@1.2"]` → `server-git`.
 *
 * Only a path or a package is taken from the arguments. Anything else may be code, a setting or the value
 * of an option, and the value of an argument must not reach a record.
 */
export function serverLabel(command: readonly string[]): string {
  const [program = "", ...args] = command;
  const name = lastSegment(program).replace(/\.(exe|cmd)$/i, "");
  if (!runners.has(name)) return name;
  const script = args.find((arg) => !runnerWords.has(arg)) ?? "";
  if (!/^[\w@./\\][^\s=]*$/.test(script)) return name;
  return lastSegment(withoutVersion(script));
}

function withoutVersion(script: string): string {
  return script.replace(/(?<=.)@[^/]*$/, "");
}

function lastSegment(path: string): string {
  return /([^\\/]*)[\\/]*$/.exec(path)?.[1] ?? "";
}

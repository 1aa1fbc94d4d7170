import { nameCharactersMax } from "#kit/limits.ts";
import { sessionKey } from "./client-keys.ts";
import type { Conversation } from "../calls/conversation.ts";
import type { EndEvent, MeterOptions } from "./event.ts";
import { readerEstimation } from "#tokens/cost/reader-estimation.ts";
import type { Reader } from "#tokens/cost/reader.ts";
import type { BudgetState, RecordBody } from "#records/record.ts";
import type { Instant } from "../calls/instant.ts";
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

import { nameCharactersMax } from "#limits.ts";
import type { Conversation } from "#calls/conversation.ts";
import type { EndEvent, MeterOptions } from "./event.ts";
import type { Reader } from "#cost/reader.ts";
import type { BudgetState, RecordBody } from "#records/record.ts";
import type { Instant } from "#calls/instant.ts";
import type { Traffic } from "#calls/tracker.ts";

/** What the server is called in records: as the user says, else as it says, else by its command. */
export function labelOf({ server }: Conversation, options: MeterOptions): string {
  const label = options.serverLabel ?? server?.name ?? options.serverLabelFallback;
  return label.slice(0, nameCharactersMax);
}

/** The first record: who talks to whom, and how it is counted. */
export function sessionBody(
  { client, server, protocolVersion, era }: Conversation,
  { estimator, profile, model, windowTokens }: Reader,
  options: MeterOptions,
): RecordBody {
  return {
    type: "session",
    meter_version: options.version,
    command: options.command,
    client_name: client?.name ?? null,
    client_version: client?.version ?? null,
    server_version: server?.version ?? null,
    protocol_version: protocolVersion ?? null,
    era: era ?? null,
    profile: profile.id,
    model,
    window: windowTokens,
    is_estimated: estimator.confidence !== "high",
    estimator: estimator.id,
    estimation_method: estimator.method,
    estimation_encoding: estimator.encoding,
    estimation_error: estimator.error,
    confidence: estimator.confidence,
  };
}

/** The last record: how it ended, and the sums. */
export function endBody(
  event: EndEvent,
  began: Instant,
  { bytes, opaqueLines, notifications, unknownAnswers, lateAnswers }: Traffic,
  sums: { readonly calls: number; readonly tokens: number },
  budgets: readonly BudgetState[],
): RecordBody {
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

import {
  makeConversationRecords,
  type RecordTools,
} from "#history/imports/conversation-records.ts";
import { type ClientReport, reportClient } from "#history/imports/import-report.ts";
import { mergeLogs, type MergedLogs } from "#history/imports/merge-logs.ts";
import type { ImporterId } from "#history/importers/ids.ts";
import type { TimeRange } from "#history/reports/calendar.ts";
import { deriveUuid, sha256 } from "#kit/os/hash.ts";
import { type PackedLog, unpackLog } from "#state/storage/logs/log-cache.ts";
import { type PackedConversation, packRecords } from "#state/storage/logs/write-imports.ts";
import type { ClientEstimators } from "./log-tools.ts";

// Logs of one client that share events.
export type GroupOrder = {
  readonly client: ImporterId;
  readonly logs: readonly PackedLog[];
  readonly servers: readonly string[];
  readonly range: TimeRange;
  readonly listsCalls: boolean;
  // Undefined if no records are written.
  readonly records: { readonly countsTokens: boolean } | undefined;
};

export type MergedGroup = {
  readonly report: ClientReport;
  readonly firstCallMs: number | null;
  readonly conversations: readonly PackedConversation[];
};

export function mergeGroup(order: GroupOrder, estimators: ClientEstimators): MergedGroup {
  const { client, servers, range, listsCalls, records } = order;
  const logs = mergeLogs(order.logs.map(unpackLog), servers);
  const tools = records && makeRecordTools(client, records.countsTokens, estimators);
  return {
    report: reportClient(client, logs, { range, knownServers: servers, listsCalls }),
    firstCallMs: findFirstCall(logs, range),
    conversations: tools
      ? Array.from(makeConversationRecords(client, logs, tools), packRecords)
      : [],
  };
}

// Calls are in the order of their times.
function findFirstCall({ calls }: MergedLogs, { fromMs, toMs }: TimeRange): number | null {
  return calls.find(({ at }) => at !== null && fromMs <= at && at < toMs)?.at ?? null;
}

function makeRecordTools(
  client: ImporterId,
  countsTokens: boolean,
  estimators: ClientEstimators,
): RecordTools {
  const clientEstimators = estimators.open(client);
  return {
    uuid: deriveUuid,
    sha256,
    findEstimation: (model) => clientEstimators.find(model),
    countTokens: (text, model) => (countsTokens ? clientEstimators.count(text, model) : null),
  };
}

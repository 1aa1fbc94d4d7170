import { join } from "node:path";
import type { Importer, LogReader, ReaderUtils } from "#history/imports/importer.ts";
import { type ClientReport, reportClient } from "#history/imports/import-report.ts";
import {
  type LogEvent,
  type RequestEvent,
  type ToolResultEvent,
  type ToolUseEvent,
  noUsage,
} from "#history/imports/log-event.ts";
import { mergeLogs, type ReadLog } from "#history/imports/merge-logs.ts";
import { importers } from "#history/importers/index.ts";
import { sha256 } from "#kit/os/hash.ts";
import { findLogs, listLogFolders } from "#state/storage/logs/find-logs.ts";
import { type LogUtils, readLog } from "#state/storage/logs/read-log.ts";

export const logsFolder = join(import.meta.dir, "..", "fixtures", "logs");

export const always = { fromMs: -Infinity, toMs: Infinity };

export const plainUtils: LogUtils = {
  sha256,
  hashProject: sha256,
  nameProject: () => null,
  keepsEntries: true,
  measuresTexts: true,
  countTokens: (text) => Math.ceil(text.toString().length / 4),
};

export async function readHome(importer: Importer, home: string): Promise<readonly ReadLog[]> {
  const places = listLogFolders(importer, { folder: home, env: {}, platform: "linux" });
  const logs: ReadLog[] = [];
  for (const log of findLogs(places).files) {
    const outcome = await readLog(log, importer, plainUtils);
    if ("fault" in outcome) throw new Error(outcome.fault);
    logs.push(outcome);
  }
  return logs;
}

export async function reportOf(
  client: keyof typeof importers,
  homes: readonly string[],
  knownServers: readonly string[] = [],
): Promise<ClientReport> {
  const logs: ReadLog[] = [];
  for (const home of homes) logs.push(...(await readHome(importers[client], home)));
  return reportClient(client, mergeLogs(logs, knownServers), { range: always, knownServers });
}

export function eventsOf(
  open: (utils: ReaderUtils) => LogReader,
  lines: readonly { readonly [key: string]: unknown }[],
): { readonly events: readonly LogEvent[]; readonly unknown: number; readonly bad: number } {
  const events: LogEvent[] = [];
  let unknown = 0;
  let bad = 0;
  const reader = open({
    ...plainUtils,
    emit: (event) => void events.push(event),
    countBad: () => {
      bad += 1;
    },
    countUnknown: () => {
      unknown += 1;
    },
  });
  for (const line of lines) reader.take(line);
  return { events, unknown, bad };
}

export function requestLine(facts: Partial<RequestEvent> = {}): RequestEvent {
  return {
    kind: "request",
    at: 1000,
    conversation: "one",
    keys: { message: "msg", request: "req", line: "line" },
    isSideChain: false,
    model: "model",
    usage: { ...noUsage, output: 1 },
    merge: "largest",
    ...facts,
  };
}

export function useLine(facts: Partial<ToolUseEvent> = {}): ToolUseEvent {
  return {
    kind: "tool_use",
    at: 1000,
    conversation: "one",
    id: "call",
    name: { joined: "mcp__docs__search", form: "mcp__server__tool" },
    method: "tools/call",
    argumentBytes: 2,
    argumentTokens: 1,
    argumentsHash: "hash",
    model: "model",
    isSideChain: false,
    message: "msg",
    ...facts,
  };
}

export function resultLine(facts: Partial<ToolResultEvent> = {}): ToolResultEvent {
  return {
    kind: "tool_result",
    at: 2000,
    conversation: "one",
    id: "call",
    outcome: "ok",
    visible: "as_logged",
    bytes: 8,
    tokens: 2,
    images: 0,
    ...facts,
  };
}

import { errorOutcomes } from "#records/record.ts";
import type { Importer } from "#history/imports/importer.ts";
import type { ClientReport } from "#history/imports/import-report.ts";
import { addUp, formatCount, formatShare, pluralize, formatBytes } from "#kit/text/numbers.ts";
import {
  type Column,
  type Document,
  emphasizeRow,
  type Note,
  type Row,
  type Section,
} from "../../document.ts";
import { buildLimitedGrid, makePathName } from "../shared-texts.ts";
import { describeReason } from "#kit/sentences.ts";

const importRowsShownMax = 30;

type ClientFacts = Pick<Importer, "name" | "retention">;

type NamedReport = ClientReport & { readonly name: string };

type ImportOptions = {
  readonly nowMs: number;
  readonly fromMs?: number;
  readonly firstDay?: string | undefined;
};

export function buildImportDocument(
  clients: readonly ClientReport[],
  facts: readonly ClientFacts[],
  options: ImportOptions,
): Document {
  const notes = clients.flatMap((client, index) => listClientNotes(client, facts[index], options));
  const named = clients.map((client, index) => ({
    ...client,
    name: facts[index]?.name ?? client.client,
  }));
  return {
    title: clients.length === 0 ? "No logs" : `Logs of ${pluralize(clients.length, "client")}`,
    sections: [
      buildUsageGrid(named),
      ...buildToolGrid(named),
      ...buildProjectGrid(named),
      { kind: "notes", notes: [...notes, ...suggestReport(options)] },
    ],
  };
}

function suggestReport({ firstDay }: ImportOptions): readonly Note[] {
  if (firstDay === undefined) return [];
  return [
    {
      label: "sessions",
      text: 'conversations, with or without MCP calls; "mcp-meter report" counts one session for each server of a conversation',
    },
    {
      label: "next",
      text: "to see which calls fill the context, run:",
      commands: [`mcp-meter report --since ${firstDay}`],
    },
  ];
}

function buildUsageGrid(clients: readonly NamedReport[]): Section {
  return {
    kind: "grid",
    columns: [
      { head: "client" },
      { head: "days (UTC)", dropRank: 4 },
      { head: "sessions", isNumber: true },
      { head: "requests", isNumber: true, dropRank: 2 },
      { head: "input tokens", isNumber: true },
      { head: "from cache", isNumber: true, dropRank: 1 },
      { head: "output tokens", isNumber: true, dropRank: 3 },
      { head: "MCP calls", isNumber: true },
    ],
    rows: [
      ...clients.map((client) => formatUsageRow(client.name, describeDays(client), [client])),
      ...(clients.length > 1 ? [emphasizeRow(formatUsageRow("total", "", clients))] : []),
    ],
  };
}

function formatUsageRow(name: string, days: string, clients: readonly ClientReport[]): Row {
  const sum = (read: (client: ClientReport) => number): number => addUp(clients.map(read));
  const input = sum(({ usage }) => sumInput(usage));
  return [
    name,
    days,
    formatCount(sum(({ sessions }) => sessions)),
    formatCount(sum(({ usage }) => usage.requests)),
    formatCount(input),
    input === 0 ? "" : formatShare(sum(({ usage }) => usage.cache_read) / input),
    formatCount(sum(({ usage }) => usage.output)),
    formatCount(sum(({ mcp_calls: calls }) => calls)),
  ];
}

function sumInput(usage: ClientReport["usage"]): number {
  return usage.input_uncached + usage.cache_read + usage.cache_write_5m + usage.cache_write_1h;
}

function describeDays(client: ClientReport): string {
  const days = listDays(client);
  const first = days[0] ?? "";
  const last = days.at(-1) ?? "";
  return first === last ? first : `${first} to ${last}`;
}

function listDays({ usage_by_utc_day: usageByDay }: ClientReport): readonly string[] {
  return Object.keys(usageByDay)
    .filter((day) => Number.isFinite(Date.parse(day)))
    .toSorted();
}

function buildProjectGrid(clients: readonly NamedReport[]): readonly Section[] {
  const projects = clients
    .flatMap(({ name: client, usage_by_project: byProject = {} }) =>
      Object.entries(byProject).map(([project, usage]) => ({ project, client, usage })),
    )
    .toSorted((a, b) => sumInput(b.usage) - sumInput(a.usage));
  const rows = projects.map(({ project, client, usage }): Row => [
    { name: project },
    client,
    formatCount(usage.requests),
    formatCount(sumInput(usage)),
    formatCount(usage.output),
  ]);
  return buildLimitedGrid(projectColumns, rows, "project", importRowsShownMax);
}

const projectColumns: readonly Column[] = [
  { head: "project" },
  { head: "client", dropRank: 1 },
  ...["requests", "input tokens", "output tokens"].map((head) => ({ head, isNumber: true })),
];

function buildToolGrid(clients: readonly NamedReport[]): readonly Section[] {
  const rows = clients
    .flatMap(listTools)
    .toSorted((a, b) => b.answerTokens - a.answerTokens || b.calls - a.calls)
    .map(({ server, tool, client, calls, errors, answerText }): Row => [
      { name: server },
      { name: tool },
      client,
      formatCount(calls),
      errors === 0 ? "" : formatCount(errors),
      answerText,
    ]);
  return buildLimitedGrid(toolColumns, rows, "tool", importRowsShownMax);
}

const toolColumns: readonly Column[] = [
  { head: "server" },
  { head: "tool" },
  { head: "client", dropRank: 1 },
  { head: "calls", isNumber: true },
  { head: "errors", isNumber: true, dropRank: 2 },
  { head: "answer tokens", isNumber: true },
];

function listTools({ name: client, mcp_by_server: servers, mcp_tokens: tokens }: NamedReport) {
  return Object.entries(servers).flatMap(([server, tools]) =>
    Object.entries(tools).map(([tool, counts]) => {
      const answers = tokens[server]?.[tool]?.answers;
      return {
        server,
        tool,
        client,
        calls: counts["calls"] ?? 0,
        errors: addUp(errorOutcomes.map((outcome) => counts[outcome] ?? 0)),
        answerTokens: answers ?? 0,
        answerText: answers === undefined ? "" : `~${formatCount(answers)}`,
      };
    }),
  );
}

function listClientNotes(
  client: ClientReport,
  facts: ClientFacts | undefined,
  options: ImportOptions,
): readonly Note[] {
  const label = facts?.name ?? client.client;
  const texts = [
    ...describeLines(client),
    ...describeUnlogged(client),
    ...describeCalls(client),
    ...describeRetention(client, facts, options),
  ];
  return texts.map((text) => ({ label, text }));
}

function describeLines(client: ClientReport): readonly string[] {
  const { bad_lines: bad, torn_lines: torn, unknown_records: unknown } = client;
  const counts = [
    ...(bad > 0 ? [`${pluralize(bad, "line")} cannot be read`] : []),
    ...(torn > 0 ? [`${pluralize(torn, "file")} with a last line that is not complete yet`] : []),
    ...(unknown > 0 ? [`${pluralize(unknown, "record")} of an unknown type`] : []),
  ];
  return counts.length === 0 ? [] : [counts.join("; ")];
}

function describeUnlogged({
  usage_unlogged: { requests, output },
}: ClientReport): readonly string[] {
  if (requests === 0 && output === 0) return [];
  if (requests === 0) return ["some tokens are known only from the client's session totals"];
  return [`${pluralize(requests, "request")} known only from the client's session totals`];
}

function describeCalls(client: ClientReport): readonly string[] {
  const { denied, unknown_tool: unknown } = client.rejected_calls;
  const unknownServerCalls = client.nameless_calls;
  const reasons = `${formatCount(denied)} denied, ${formatCount(unknown)} to unknown tools`;
  const rejectedText = `${pluralize(denied + unknown, "call")} rejected by the client (${reasons}), not counted`;
  const unknownServersText = `left out ${pluralize(unknownServerCalls, "tool call")} without a known server; name the servers with --server-name`;
  return [
    ...(denied + unknown > 0 ? [rejectedText] : []),
    ...(unknownServerCalls > 0 ? [unknownServersText] : []),
  ];
}

const dayMs = 86_400_000;

const retentionToleranceDays = 2;

function describeRetention(
  client: ClientReport,
  facts: ClientFacts | undefined,
  { nowMs, fromMs = -Infinity }: ImportOptions,
): readonly string[] {
  const { retention } = facts ?? {};
  const [oldestDay] = listDays(client);
  if (!retention || oldestDay === undefined) return [];
  const days = (nowMs - Date.parse(oldestDay)) / dayMs;
  if (Math.abs(days - retention.days) > retentionToleranceDays) return [];
  // Days before `fromMs` may have logs that were not read.
  if ((nowMs - fromMs) / dayMs <= retention.days + retentionToleranceDays) return [];
  return [
    `older sessions were probably deleted: the client keeps them for ${retention.days} days unless its setting ${retention.setting} is higher`,
  ];
}

export type SurveyReport = {
  readonly clients: readonly {
    readonly client: string;
    readonly name: string;
    readonly is_found: boolean;
    readonly server_names: Importer["serverNames"];
    readonly folders: readonly Folder[];
    /** Assumptions about the log format that no real log has confirmed. */
    readonly unverified: readonly string[];
  }[];
};

type Folder = {
  readonly folder: string;
  readonly files: number;
  readonly bytes: number;
  readonly oldest: string | null;
  readonly newest: string | null;
  readonly unreadable: readonly { readonly path: string; readonly fault: string }[];
};

export function buildSurveyDocument({ clients }: SurveyReport, home?: string): Document {
  const folders = clients.flatMap((client) =>
    client.folders.map((folder) => ({ client: client.client, ...folder })),
  );
  return {
    title: clients.length === 0 ? "No logs" : "Would read these logs",
    sections: [
      {
        kind: "grid",
        columns: [
          { head: "client" },
          { head: "files", isNumber: true },
          { head: "size", isNumber: true },
          { head: "oldest file" },
          { head: "newest file" },
          { head: "folder" },
        ],
        rows: folders.map((folder) => formatFolderRow(folder, home)),
      },
      { kind: "notes", notes: folders.flatMap(({ unreadable }) => unreadable.map(makeFaultNote)) },
      { kind: "notes", notes: clients.flatMap(listUnverifiedNotes) },
    ],
  };
}

type SurveyedClient = SurveyReport["clients"][number];

export function buildClientList(clients: readonly SurveyedClient[], home?: string): Document {
  return {
    title: "Clients whose logs can be read",
    sections: [
      {
        kind: "grid",
        columns: [
          { head: "client" },
          { head: "name", dropRank: 1 },
          { head: "files", isNumber: true },
          { head: "names of servers", dropRank: 2 },
          { head: "folder" },
        ],
        rows: clients.flatMap((client) => listClientRows(client, home)),
      },
      {
        kind: "notes",
        notes: clients.filter((client) => client.is_found).flatMap(listUnverifiedNotes),
      },
    ],
  };
}

const nameSources: { readonly [source in SurveyedClient["server_names"]]: string } = {
  logged: "in the log",
  guessed: "guessed from the log, or --server-name",
  given: "--server-name",
};

function listClientRows(
  { client, name, server_names: names, folders }: SurveyedClient,
  home: string | undefined,
): Row[] {
  const withLogs = folders.filter(({ files }) => files > 0);
  return (withLogs.length > 0 ? withLogs : folders.slice(0, 1)).map(({ folder, files }) => [
    client,
    name,
    files === 0 ? "none" : formatCount(files),
    nameSources[names],
    makePathName(folder, home),
  ]);
}

function listUnverifiedNotes({ client, unverified }: SurveyedClient): readonly Note[] {
  return unverified.map((assumption) => ({
    label: "not verified",
    text: `${client}: ${assumption}`,
  }));
}

function formatFolderRow(
  { client, files, bytes, oldest, newest, folder }: Folder & { client: string },
  home: string | undefined,
): Row {
  return [
    client,
    formatCount(files),
    formatBytes(bytes),
    formatDay(oldest),
    formatDay(newest),
    makePathName(folder, home),
  ];
}

function formatDay(time: string | null): string {
  return time?.slice(0, 10) ?? "";
}

function makeFaultNote({ path, fault }: Folder["unreadable"][number]): Note {
  return { label: "unreadable", text: [makePathName(path), `: ${describeReason(fault)}`] };
}

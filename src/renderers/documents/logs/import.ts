import { importToolsShownMax } from "#limits/import.ts";
import type { Importer } from "#imports/importer.ts";
import type { ClientReport } from "#imports/import-report.ts";
import { formatCount, formatShare, plural } from "#text/numbers.ts";
import type { Document, Note, Row, Section } from "../../document.ts";
import { omittedLine } from "../parts.ts";

/** The part of an importer that a person reads about. */
type ClientFacts = Pick<Importer, "name" | "retention">;

/** The history of each client: native tokens, then calls by server and tool. `facts` are in the order of `clients`. */
export function importDocument(
  clients: readonly ClientReport[],
  facts: readonly ClientFacts[],
  nowMs: number,
): Document {
  return {
    title: clients.length === 0 ? "No logs" : `Logs of ${plural(clients.length, "client")}`,
    sections: [
      usageGrid(clients, facts),
      ...callGrid(clients),
      {
        kind: "notes",
        notes: clients.flatMap((client, index) => notesOf(client, facts[index], nowMs)),
      },
    ],
  };
}

function usageGrid(clients: readonly ClientReport[], facts: readonly ClientFacts[]): Section {
  return {
    kind: "grid",
    columns: [
      { head: "client" },
      { head: "sessions", isNumber: true },
      { head: "requests", isNumber: true },
      { head: "input tokens", isNumber: true },
      { head: "from cache", isNumber: true },
      { head: "output tokens", isNumber: true },
      { head: "MCP calls", isNumber: true },
    ],
    rows: clients.map((client, index) => usageRow(client, facts[index]?.name ?? client.client)),
  };
}

function usageRow({ sessions, usage, mcp_calls: calls }: ClientReport, name: string): Row {
  const written = usage.cache_write_5m + usage.cache_write_1h;
  const input = usage.input_uncached + usage.cache_read + written;
  return [
    name,
    formatCount(sessions),
    formatCount(usage.requests),
    formatCount(input),
    input === 0 ? "" : formatShare(usage.cache_read / input),
    formatCount(usage.output),
    formatCount(calls),
  ];
}

function callGrid(clients: readonly ClientReport[]): readonly Section[] {
  const rows = clients
    .flatMap(toolRows)
    .toSorted((one, other) => other.answers - one.answers || other.calls - one.calls);
  const shown = rows.slice(0, importToolsShownMax);
  return [
    {
      kind: "grid",
      columns: [
        { head: "server" },
        { head: "tool" },
        { head: "client", dropRank: 1 },
        { head: "calls", isNumber: true },
        { head: "errors", isNumber: true, dropRank: 2 },
        { head: "answer tokens", isNumber: true },
      ],
      rows: shown.map(({ server, tool, client, calls, errors, tokens }) => [
        { name: server },
        { name: tool },
        client,
        formatCount(calls),
        errors === 0 ? "" : formatCount(errors),
        tokens,
      ]),
    },
    ...omittedLine(rows.length, shown.length, "tool"),
  ];
}

type ToolRow = {
  readonly server: string;
  readonly tool: string;
  readonly client: string;
  readonly calls: number;
  readonly errors: number;
  readonly answers: number;
  readonly tokens: string;
};

function toolRows({ client, mcp_by_server: servers, mcp_tokens: tokens }: ClientReport): ToolRow[] {
  return Object.entries(servers).flatMap(([server, tools]) =>
    Object.entries(tools).map(([tool, counts]) => {
      const answers = tokens[server]?.[tool]?.answers;
      return {
        server,
        tool,
        client,
        calls: counts["calls"] ?? 0,
        errors: (counts["tool_error"] ?? 0) + (counts["rpc_error"] ?? 0),
        answers: answers ?? 0,
        tokens: answers === undefined ? "" : `~${formatCount(answers)}`,
      };
    }),
  );
}

function notesOf(
  client: ClientReport,
  facts: ClientFacts | undefined,
  nowMs: number,
): readonly Note[] {
  const label = facts?.name ?? client.client;
  const notes = [
    ...linesNote(client),
    ...compactionNote(client),
    ...callNotes(client),
    ...retentionNote(client, facts, nowMs),
  ];
  return notes.map((text) => ({ label, text }));
}

function linesNote(client: ClientReport): readonly string[] {
  const { bad_lines: bad, torn_lines: torn, unknown_records: unknown } = client;
  const parts = [
    ...(bad === 0 ? [] : [`${plural(bad, "line")} cannot be read`]),
    ...(torn === 0 ? [] : [`${plural(torn, "last line")} not complete yet`]),
    ...(unknown === 0 ? [] : [`${plural(unknown, "record")} of an unknown type`]),
  ];
  return parts.length === 0 ? [] : [parts.join(", ")];
}

function compactionNote({ usage_unlogged: { requests, output } }: ClientReport): readonly string[] {
  if (requests === 0 && output === 0) return [];
  return [
    `${plural(requests, "request")} only in the client's own sums of sessions, as those that compact a conversation`,
  ];
}

function callNotes(client: ClientReport): readonly string[] {
  const { denied, unknown_tool: missing } = client.rejected_calls;
  const nameless = client.nameless_calls;
  return [
    ...(denied + missing === 0
      ? []
      : [
          `${plural(denied + missing, "call")} rejected by the client (${formatCount(denied)} denied, ${formatCount(missing)} of unknown tools), not counted`,
        ]),
    ...(nameless === 0
      ? []
      : [
          `${plural(nameless, "tool call")} without a known server left out; name servers with --server`,
        ]),
  ];
}

const dayMs = 86_400_000;

/** A history that ends where the client deletes sessions had more. */
function retentionNote(
  client: ClientReport,
  facts: ClientFacts | undefined,
  nowMs: number,
): readonly string[] {
  const { retention } = facts ?? {};
  const oldest = Object.keys(client.usage_by_utc_day)
    .map((day) => Date.parse(day))
    .filter(Number.isFinite)
    .toSorted((one, other) => one - other)[0];
  if (!retention || oldest === undefined) return [];
  const days = (nowMs - oldest) / dayMs;
  if (days < retention.days - 2 || days > retention.days + 2) return [];
  return [
    `older sessions were deleted: it keeps them for ${retention.days} days unless its setting ${retention.setting} is higher`,
  ];
}

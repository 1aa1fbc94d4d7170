import {
  type RepeatedServer,
  type SetupClient,
  type SetupReport,
  type SetupServer,
  type SetupTotal,
  type UnreadableSettings,
  configuredServersMax,
} from "#lock/setup-report.ts";
import { formatCount, formatShare, pluralize } from "#kit/text/numbers.ts";
import {
  type Column,
  type Document,
  type Note,
  type Row,
  type Section,
  type Span,
  listSpans,
} from "../document.ts";
import { dropEmptyColumns } from "./profile.ts";
import {
  groupItems,
  makeNoteName,
  makePathName,
  noteIf,
  noteOmitted,
  joinFirst,
} from "./shared-texts.ts";
import { makeEstimatorNote } from "./estimator-notes.ts";
import { makeTokenFormat, type TokenFormat } from "../token-ranges.ts";
import { describeReason } from "#kit/sentences.ts";

export const setupRowsMax = 500;

export const setupNotesMax = 10;

export function buildSetupDocument(report: SetupReport): Document {
  const { clients, repeated } = report;
  const names = new Map(clients.map(({ client, name }) => [client, name]));
  const rows = clients.flatMap(formatClientRows);
  return {
    title: describeServers(report),
    sections: [
      dropEmptyColumns(columns, rows.slice(0, setupRowsMax)),
      ...noteOmitted(rows.length, setupRowsMax, "row"),
      ...noteOmittedServers(report.omitted),
      { kind: "notes", notes: listStartNotes(report) },
      {
        kind: "notes",
        notes: repeated.slice(0, setupNotesMax).map((copies) => makeRepeatedNote(copies, names)),
      },
      { kind: "notes", notes: report.unreadable.map(makeUnreadableNote) },
      { kind: "notes", notes: listClientNotes(clients) },
    ],
  };
}

export function describeServers({ clients, is_dry_run: isDryRun }: SetupReport): string {
  const servers = clients.flatMap((client) => client.servers);
  if (servers.length === 0) return "No server in the settings of any known MCP client";
  const extent = `${pluralize(servers.length, "server")} of ${pluralize(clients.length, "client")}`;
  return isDryRun ? `${extent}, not started` : `Cost of ${extent} before the first prompt`;
}

const columns: readonly Column[] = [
  { head: "client" },
  { head: "server" },
  { head: "tools", isNumber: true },
  { head: "listed", isNumber: true },
  { head: "share", isNumber: true },
  { head: "instructions", isNumber: true, dropRank: 0 },
  { head: "in context", isNumber: true },
  { head: "window", isNumber: true },
  { head: "note", isWrapped: true },
];

function noteOmittedServers(omitted: number): readonly Section[] {
  if (omitted === 0) return [];
  const text = `not started: ${pluralize(omitted, "server")} beyond the first ${configuredServersMax}`;
  return [{ kind: "line", text }];
}

function formatClientRows(client: SetupClient): readonly Row[] {
  const format = makeTokenFormat(client.estimator.is_estimated);
  const rows = client.servers.map((server) => formatServerRow(client.name, server, format));
  const { name, total } = client;
  if (total.servers === 0 || rows.length < 2) return rows;
  const totalRow = [name, "total", ...formatCostCells(total, format, ""), describeMissing(client)];
  return [...rows, totalRow];
}

function formatServerRow(client: string, server: SetupServer, format: TokenFormat): Row {
  const { cost } = server;
  const cells = cost
    ? formatCostCells(cost, format, formatShare(cost.percent_total / 100))
    : // All columns but client, server and note.
      Array<string>(columns.length - 3).fill("");
  return [client, { name: server.server }, ...cells, describeServer(server)];
}

function formatCostCells(
  cost: Omit<SetupTotal, "servers" | "list_tokens">,
  { count }: TokenFormat,
  share: string,
) {
  return [
    formatCount(cost.tools),
    count(cost.definitions_tokens),
    share,
    cost.instructions_tokens === 0 ? "" : count(cost.instructions_tokens),
    count(cost.resident_tokens),
    formatShare(cost.percent_window / 100),
  ];
}

function describeServer({ cost, failure, status }: SetupServer): string {
  if (status === "remote") return "remote: measure it with profile --url";
  // The reason is a clause, such as "it did not answer".
  if (failure) return failure.reason.replace(/^it /, "");
  const omitted = cost?.omitted_tools ?? 0;
  // A client that defers definitions may still load all tools of a server: the server's entry can set `alwaysLoad`.
  const isDeferred = cost?.is_deferred === true && cost.resident_tokens < cost.definitions_tokens;
  const notes = [
    ...(isDeferred ? ["loaded on demand"] : []),
    ...(omitted > 0 ? [`${pluralize(omitted, "tool")} excluded by the settings`] : []),
  ];
  return notes.join(", ");
}

function describeMissing({ servers, total }: SetupClient): string {
  const missing = servers.length - total.servers;
  return missing === 0 ? "" : `without ${pluralize(missing, "server")}`;
}

function listStartNotes({ is_dry_run: isDryRun, clients }: SetupReport): readonly Note[] {
  const servers = clients.flatMap((client) => client.servers);
  const hasStartable = servers.some(
    ({ status, failure }) => status === "not_started" && failure === null,
  );
  const hasFailed = servers.some(({ status }) => status === "failed");
  const dryRun = "nothing was started; pass --yes to start these servers";
  const failure: Note = {
    label: "failed",
    text: "server messages are not shown, because they may contain secrets; to see them, run:",
    commands: ["mcp-meter profile -- COMMAND"],
  };
  return [...noteIf(isDryRun && hasStartable, "dry run", dryRun), ...(hasFailed ? [failure] : [])];
}

function makeRepeatedNote(
  copies: readonly RepeatedServer[],
  names: ReadonlyMap<string, string>,
): Note {
  const texts = copies.map(({ client, server }): readonly Span[] => [
    `${names.get(client) ?? client} `,
    makeNoteName(server),
  ]);
  return { label: "same server", text: joinFirst(texts, setupNotesMax) };
}

function makeUnreadableNote({ file, fault, line }: UnreadableSettings): Note {
  const lineText = line === null ? "" : `, line ${line}`;
  return {
    label: "not read",
    text: [makePathName(file), `${lineText}: ${describeReason(fault)}`],
  };
}

function listClientNotes(clients: readonly SetupClient[]): readonly Note[] {
  const profiled = clients.filter(({ total }) => total.servers > 0);
  const byWindow = [...Map.groupBy(profiled, ({ window }) => window)];
  const byEstimator = groupItems(profiled, ({ estimator: { id, error } }) => `${id} ${error}`);
  return [
    ...byWindow.map(([window, group]) => ({
      label: "window",
      text: `${formatCount(window)} tokens${byWindow.length === 1 ? "" : ` for ${joinNames(group)}`}`,
    })),
    ...listTotalNotes(clients),
    ...byEstimator.map((group) => {
      const note = makeEstimatorNote(group[0].estimator);
      if (byEstimator.length === 1) return note;
      return { label: note.label, text: [...listSpans(note.text), ` (${joinNames(group)})`] };
    }),
  ];
}

export function listTotalNotes(clients: readonly SetupClient[]): readonly Note[] {
  const clientsWithList = clients.filter(({ total }) => total.list_tokens > 0 && total.servers > 1);
  return clientsWithList.slice(0, 1).map(({ total }) => ({
    label: "total",
    text: `a tool list costs ${formatCount(total.list_tokens)} tokens in addition to its tools; each server's row includes these ${formatCount(total.list_tokens)} tokens, and the total includes them only once (${joinNames(clientsWithList)})`,
  }));
}

function joinNames(clients: readonly SetupClient[]): string {
  return clients.map(({ name }) => name).join(", ");
}

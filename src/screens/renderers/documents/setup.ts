import { inWords } from "#kit/errors.ts";
import { configuredServersMax, problemColumnsMax } from "#kit/limits.ts";
import type {
  ServerPlace,
  SetupClient,
  SetupReport,
  SetupServer,
  SetupTotal,
  UnreadableSettings,
} from "#lock/setup/setup-report.ts";
import { formatCount, formatShare, plural } from "#kit/text/numbers.ts";
import {
  type Column,
  type Document,
  type Note,
  type Row,
  type Section,
  type Span,
  spansIn,
} from "../document.ts";
import { countedBy } from "./cost-notes.ts";
import { noteName, omittedLine, separated, tokenFormat, type TokenFormat } from "./parts.ts";

// Started servers, as many remote ones, and totals.
export const setupRowsMax = 500;

export const setupNotesMax = 10;

export function setupDocument(report: SetupReport): Document {
  const { clients, repeated } = report;
  const names = new Map(clients.map(({ client, name }) => [client, name]));
  return {
    title: titleOf(report),
    sections: [
      serverGrid(clients),
      ...omittedLine(clients.flatMap(clientRows).length, setupRowsMax, "row"),
      ...omittedLines(report.omitted),
      { kind: "notes", notes: confirmationNotes(report) },
      {
        kind: "notes",
        notes: repeated.slice(0, setupNotesMax).map((places) => repeatedNote(places, names)),
      },
      { kind: "notes", notes: report.unreadable.map(unreadableNote) },
      { kind: "notes", notes: clientNotes(clients) },
    ],
  };
}

function titleOf({ clients, is_dry_run: isDryRun }: SetupReport): string {
  const servers = clients.flatMap((client) => client.servers);
  if (servers.length === 0) return "No server in the settings of a known MCP client";
  const extent = `${plural(servers.length, "server")} of ${plural(clients.length, "client")}`;
  return isDryRun ? `${extent}, not started` : `${extent} before the first prompt`;
}

const columns: readonly Column[] = [
  { head: "client" },
  { head: "server" },
  { head: "tools", isNumber: true },
  { head: "listed", isNumber: true },
  { head: "instructions", isNumber: true, dropRank: 0 },
  { head: "in context", isNumber: true },
  { head: "window", isNumber: true },
  { head: "note", isWhole: true },
];

function serverGrid(clients: readonly SetupClient[]): Section {
  const rows = clients.flatMap(clientRows).slice(0, setupRowsMax);
  const isUsed = columns.map((_, at) => rows.some((row) => row[at] !== ""));
  return {
    kind: "grid",
    columns: columns.filter((_, at) => isUsed[at]),
    rows: rows.map((row) => row.filter((_, at) => isUsed[at])),
  };
}

function omittedLines(omitted: number): readonly Section[] {
  if (omitted === 0) return [];
  const text = `${plural(omitted, "server")} beyond the first ${configuredServersMax} not started`;
  return [{ kind: "line", text }];
}

function clientRows(client: SetupClient): readonly Row[] {
  const format = tokenFormat(client.estimator.is_estimated);
  const rows = client.servers.map((server) => serverRow(client.name, server, format));
  const { total } = client;
  if (total.servers === 0 || rows.length < 2) return rows;
  return [...rows, [client.name, "total", ...costCells(total, format), totalNote(client)]];
}

function serverRow(client: string, server: SetupServer, format: TokenFormat): Row {
  const { cost } = server;
  const cells = cost ? costCells(cost, format) : ["", "", "", "", ""];
  return [client, { name: server.server }, ...cells, noteOf(server)];
}

function costCells(cost: Omit<SetupTotal, "servers" | "list_tokens">, { count }: TokenFormat) {
  return [
    formatCount(cost.tools),
    count(cost.definitions_tokens),
    cost.instructions_tokens === 0 ? "" : count(cost.instructions_tokens),
    count(cost.resident_tokens),
    formatShare(cost.percent_window / 100),
  ];
}

function noteOf({ cost, failure, status }: SetupServer): string {
  if (status === "remote") return "remote: measure it with profile --url";
  if (failure) return failure.reason.replace(/^it /, "");
  const omitted = cost?.omitted_tools ?? 0;
  // All tools of an entry may be loaded from the start.
  const isDeferred = cost?.is_deferred === true && cost.resident_tokens < cost.definitions_tokens;
  const notes = [
    ...(isDeferred ? ["loaded on demand"] : []),
    ...(omitted > 0 ? [`${plural(omitted, "tool")} left out by the settings`] : []),
  ];
  return notes.join(", ");
}

function totalNote({ servers, total }: SetupClient): string {
  const missing = servers.length - total.servers;
  return missing === 0 ? "" : `without ${plural(missing, "server")}`;
}

function confirmationNotes({ is_dry_run: isDryRun, clients }: SetupReport): readonly Note[] {
  const servers = clients.flatMap((client) => client.servers);
  const waiting = servers.filter(
    ({ status, failure }) => status === "not_started" && failure === null,
  );
  const failed = servers.filter(({ status }) => status === "failed");
  return [
    ...(isDryRun && waiting.length > 0
      ? [{ label: "dry run", text: "nothing was started; pass --yes to start these servers" }]
      : []),
    ...(failed.length > 0
      ? [
          {
            label: "failed",
            text: "a server's own messages are not shown, they may hold secrets; mcp-meter profile -- COMMAND shows them",
          },
        ]
      : []),
  ];
}

function repeatedNote(places: readonly ServerPlace[], names: ReadonlyMap<string, string>): Note {
  const texts = places
    .slice(0, setupNotesMax)
    .map(({ client, server }): readonly Span[] => [
      `${names.get(client) ?? client} `,
      noteName(server),
    ]);
  const rest = places.length - texts.length;
  const more = rest > 0 ? [` and ${rest} more`] : [];
  return { label: "same server", text: [...separated(texts), ...more] };
}

function unreadableNote({ file, fault, line }: UnreadableSettings): Note {
  const place = line === null ? "" : `, line ${line}`;
  return {
    label: "not read",
    text: [{ name: file, columnsMax: problemColumnsMax }, `${place}: ${inWords(fault)}`],
  };
}

function clientNotes(clients: readonly SetupClient[]): readonly Note[] {
  const profiled = clients.filter(({ total }) => total.servers > 0);
  const byWindow = [...Map.groupBy(profiled, ({ window }) => window)];
  const byEstimator = [
    ...Map.groupBy(profiled, ({ estimator: { id, error } }) => `${id} ${error}`).values(),
  ];
  const isOne = byEstimator.length === 1;
  const lists = profiled.filter(({ total }) => total.list_tokens > 0 && total.servers > 1);
  return [
    ...byWindow.map(([window, same]) => ({
      label: "window",
      text: `${formatCount(window)} tokens${byWindow.length === 1 ? "" : ` for ${namesOf(same)}`}`,
    })),
    ...lists.slice(0, 1).map(({ total }) => ({
      label: "total",
      text: `having any tool takes ${formatCount(total.list_tokens)} tokens, which a total has once (${namesOf(lists)})`,
    })),
    ...byEstimator.flatMap((same) => {
      const [first] = same;
      if (!first) return [];
      const note = countedBy(first.estimator, first.estimator.is_estimated);
      return isOne
        ? [note]
        : [{ label: note.label, text: [...spansIn(note.text), ` (${namesOf(same)})`] }];
    }),
  ];
}

function namesOf(clients: readonly SetupClient[]): string {
  return clients.map(({ name }) => name).join(", ");
}

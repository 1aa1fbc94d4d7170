import { addUp, formatCount, formatDollarRange, pluralize } from "#kit/text/numbers.ts";
import { addCosts, type CostRange, noCost } from "#records/money/price-book.ts";
import type { Cell, Document, Note, Row, Section, Span } from "../../document.ts";
import {
  joinFirst,
  listedRowsMax,
  listNames,
  makePathName,
  noteIf,
  noteOmitted,
} from "../shared-texts.ts";
import { plainName } from "../../reports/suggested-changes.ts";
import { buildDiff, type FileChange } from "./wrap.ts";

export type TrimEntry = {
  readonly client: string;
  readonly server: string;
  readonly file: string;
  /** The project's folder, if only that project has the server. */
  readonly project: string | null;
  readonly state: "proposed" | "changed" | "refused" | "unused" | "few_sessions" | "kept";
  readonly reason: string | null;
  readonly sessions: number;
  /** The tools to hide or, with `undo`, to show again. */
  readonly tools: readonly string[];
  /** Tools that were never called, but that `--hide` cannot contain: unsuitable names, or no room left. */
  readonly left: readonly string[];
  /** Tools in the server's newest list. */
  readonly listed: number;
  readonly tokens_before: number;
  readonly tokens_after: number;
  /** Tokens that are saved in 30 days; `month_usd` is their price. */
  readonly month_tokens: number;
  readonly month_usd: CostRange | null;
  /** Hidden tools that a model asked for. */
  readonly wanted: readonly WantedTool[];
};

type WantedTool = {
  readonly tool: string;
  readonly calls: number;
  readonly is_hidden_by_trim: boolean;
};

export type TrimReport = {
  readonly schema_version: "1.0";
  readonly action: "propose" | "apply" | "undo";
  readonly is_dry_run: boolean;
  /** Null for `undo`, which reads no records. */
  readonly period: string | null;
  readonly servers: readonly TrimEntry[];
  readonly unwrapped: readonly string[];
  readonly total: TrimTotal;
};

type TrimTotal = Pick<
  TrimEntry,
  "tokens_before" | "tokens_after" | "month_tokens" | "month_usd"
> & { readonly tools: number };

/** Entries of the same client and server share their sessions, so their tokens and costs count once. */
export function sumTrim(servers: readonly TrimEntry[]): TrimTotal {
  const changed = servers.filter(isChanged);
  const distinct = changed.filter(
    ({ client, server }, index) =>
      changed.findIndex((entry) => entry.client === client && entry.server === server) === index,
  );
  const costs = distinct.flatMap(({ month_usd: cost }) => cost ?? []);
  return {
    tools: addUp(changed.map(({ tools }) => tools.length)),
    tokens_before: addUp(distinct.map((server) => server.tokens_before)),
    tokens_after: addUp(distinct.map((server) => server.tokens_after)),
    month_tokens: addUp(distinct.map((server) => server.month_tokens)),
    month_usd: costs.length === 0 ? null : costs.reduce(addCosts, noCost),
  };
}

function isChanged({ state }: TrimEntry): boolean {
  return state === "proposed" || state === "changed";
}

function isRefused({ state }: TrimEntry): boolean {
  return state === "refused";
}

type TrimContext = {
  readonly changes: readonly FileChange[];
  readonly notes: readonly Note[];
  readonly home: string | undefined;
  readonly estimateMark: string;
  readonly prices: string | undefined;
  readonly sessionsMin: number;
  readonly nextCommand: string | undefined;
};

export function buildTrimDocument(report: TrimReport, context: TrimContext): Document {
  const rows = report.servers.filter((server) => isChanged(server) || isRefused(server));
  const shown = rows.slice(0, listedRowsMax);
  return {
    title: describeResult(report),
    sections: [
      ...context.changes.map((change) => buildDiff(change, context.home)),
      report.action === "undo"
        ? buildUndoGrid(shown, context)
        : buildGrid(shown, report.total, context),
      ...noteOmitted(rows.length, shown.length, "server"),
      { kind: "notes", notes: [...listNotes(report, context), ...context.notes] },
    ],
  };
}

function describeResult({ action, is_dry_run: isDryRun, servers, total }: TrimReport): string {
  const changed = servers.filter(isChanged).length;
  const refused = servers.filter(isRefused).length;
  if (changed === 0 && refused > 0) return `Could not change ${pluralize(refused, "server")}`;
  if (changed === 0) return action === "undo" ? "Nothing to show again" : "Nothing to hide";
  const extent = `${pluralize(total.tools, "tool")} of ${pluralize(changed, "server")}`;
  if (action === "undo") return `${isDryRun ? "Would show" : "Showed"} ${extent} again`;
  return `${isDryRun ? "Would hide" : "Hid"} ${extent}`;
}

function buildGrid(
  servers: readonly TrimEntry[],
  total: TrimTotal,
  { estimateMark }: TrimContext,
): Section {
  const formatSizes = (sizes: Omit<TrimTotal, "tools">): Row => [
    `${estimateMark}${formatCount(sizes.tokens_before)}`,
    `${estimateMark}${formatCount(sizes.tokens_after)}`,
    `${estimateMark}${formatCount(sizes.month_tokens)}`,
    sizes.month_usd ? formatDollarRange(sizes.month_usd) : "–",
  ];
  const rows = servers.map((server): Row => [
    server.client,
    { name: server.server },
    formatToolsCell(server, ` of ${formatCount(server.listed)}`),
    ...(isRefused(server) ? ["", "", "", ""] : formatSizes(server)),
  ]);
  const totals: Row = ["total", "", formatCount(total.tools), ...formatSizes(total)];
  return {
    kind: "grid",
    columns: [
      { head: "client" },
      { head: "server" },
      { head: "tools", isWrapped: true },
      { head: "before", isNumber: true },
      { head: "after", isNumber: true },
      { head: "a month", isNumber: true },
      { head: "dollars", isNumber: true, dropRank: 0 },
    ],
    rows: servers.filter(isChanged).length > 1 ? [...rows, totals] : rows,
  };
}

function formatToolsCell(server: TrimEntry, ending = ""): Cell {
  return isRefused(server)
    ? { text: `refused: ${server.reason ?? ""}`, tone: "bad" }
    : `${formatCount(server.tools.length)}${ending}`;
}

function buildUndoGrid(servers: readonly TrimEntry[], { home }: TrimContext): Section {
  return {
    kind: "grid",
    columns: [
      { head: "client" },
      { head: "server" },
      { head: "shown again", isWrapped: true },
      { head: "file" },
    ],
    rows: servers.map((server) => [
      server.client,
      { name: server.server },
      formatToolsCell(server),
      makePathName(server.file, home),
    ]),
  };
}

function listNotes(report: TrimReport, context: TrimContext): readonly Note[] {
  const { servers, total, unwrapped, action } = report;
  const { prices, nextCommand } = context;
  const isPriced = prices !== undefined && total.month_usd !== null;
  return [
    ...noteIf(
      action !== "undo" && total.tools > 0,
      "tokens",
      `"before" and "after": tokens of the definitions in one session; "a month": tokens saved in 30 days, according to the records of ${report.period ?? ""}`,
    ),
    ...(context.changes.length > 0
      ? []
      : limitNotes(servers.filter(isChanged).map((server) => makeToolsNote(server, action)))),
    ...limitNotes(servers.flatMap(listLeftNotes)),
    ...limitNotes(
      servers
        .filter(({ state }) => state === "unused")
        .map((server) => makeUnusedNote(server, context)),
    ),
    ...listFewSessionsNotes(servers, context),
    ...limitNotes(
      servers.flatMap((server) => server.wanted.map((wanted) => makeWantedNote(server, wanted))),
    ),
    ...listUnwrappedNotes(unwrapped),
    ...noteIf(
      isPriced,
      "cost",
      `at list prices (${prices}); counts the definitions once per session, at a price between the input price and the cache-write price; does not count later requests, which read the definitions again, mostly from a cache`,
    ),
    ...(nextCommand === undefined
      ? []
      : [{ label: "next", text: "to hide the tools:", commands: [nextCommand] }]),
  ];
}

export const notesPerKindMax = 20;

function limitNotes(notes: readonly Note[]): readonly Note[] {
  const omitted = notes.length - notesPerKindMax;
  const [first] = notes;
  if (omitted <= 0 || !first) return notes;
  const text = `${formatCount(omitted)} more; use --format json to list all`;
  return [...notes.slice(0, notesPerKindMax), { label: first.label, text }];
}

function nameEntry({ client, server, project }: TrimEntry): readonly Span[] {
  const folder = project === null ? [] : [", project ", { name: project }];
  return [{ name: server }, ` (${client}`, ...folder, ")"];
}

function makeToolsNote(server: TrimEntry, action: TrimReport["action"]): Note {
  const label = action === "undo" ? "show" : "hide";
  const names = listNames(server.tools.map((name) => ({ name })));
  return { label, text: [...nameEntry(server), ": ", ...names] };
}

function listLeftNotes(server: TrimEntry): readonly Note[] {
  const { left, reason, state } = server;
  const hasReasonToKeep = state === "kept" && reason !== null;
  const names = listNames(left.map((name) => ({ name })));
  return [
    ...noteIf(hasReasonToKeep, "left", [...nameEntry(server), `: ${reason ?? ""}`]),
    ...noteIf(left.length > 0, "left", [
      ...nameEntry(server),
      ": these tools were never called, but --hide cannot list them (unsuitable names, or no room left): ",
      ...names,
    ]),
  ];
}

function makeUnusedNote(server: TrimEntry, { estimateMark }: TrimContext): Note {
  const { sessions, tokens_before: tokens } = server;
  return {
    label: "never used",
    text: [
      ...nameEntry(server),
      `: started in ${pluralize(sessions, "session")} and never called; its definitions cost ${estimateMark}${formatCount(tokens)} tokens in each session; remove the server from the settings, or turn it off in the client`,
    ],
  };
}

function listFewSessionsNotes(
  servers: readonly TrimEntry[],
  { sessionsMin }: TrimContext,
): readonly Note[] {
  const few = servers.filter(({ state }) => state === "few_sessions");
  const text = `fewer than ${pluralize(sessionsMin, "session")}: `;
  return noteIf(few.length > 0, "too few", [text, ...joinFirst(few.map(nameEntry))]);
}

function makeWantedNote(server: TrimEntry, wanted: WantedTool): Note {
  const { tool, calls, is_hidden_by_trim: isHiddenByTrim } = wanted;
  const times = calls === 1 ? "once" : `${formatCount(calls)} times`;
  const text = [...nameEntry(server), ": a model asked for ", { name: tool }, ` ${times}; `];
  if (!isHiddenByTrim) {
    return { label: "wanted", text: [...text, "an option, a config file or a policy hides it"] };
  }
  if (!plainName.test(server.server) || !plainName.test(tool)) {
    return { label: "wanted", text: [...text, "show it again with --undo"] };
  }
  const command = `mcp-meter trim ${server.server} --undo --tool ${tool}`;
  return { label: "wanted", text: [...text, "to show it again:"], commands: [command] };
}

function listUnwrappedNotes(names: readonly string[]): readonly Note[] {
  if (names.length === 0) return [];
  const text = [
    ...listNames(names.map((name) => ({ name }))),
    "; trim changes only wrapped servers. To wrap them:",
  ];
  return [{ label: "not wrapped", text, commands: ["mcp-meter wrap"] }];
}

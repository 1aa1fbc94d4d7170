import { diffTexts } from "#kit/text/difference.ts";
import { pluralize } from "#kit/text/numbers.ts";
import { problemColumnsMax } from "#kit/text/columns.ts";
import { quoteShellWord } from "#kit/text/unsafe-text.ts";
import type { Cell, Document, Note, Row, Section, Tone } from "../../document.ts";
import { abbreviateHome, buildLimitedGrid, makePathName } from "../shared-texts.ts";

export type ServerState = "changed" | "behind" | "direct" | "remote" | "off" | "own" | "refused";

type ListedServer = {
  readonly client: string;
  readonly server: string;
  readonly file: string;
  /** The project's folder, if only that project has the server. */
  readonly project: string | null;
  readonly state: ServerState;
  readonly is_remote: boolean;
  readonly adds_options: boolean;
  readonly reason: string | null;
  readonly since: string | null;
  /** The options of mcp-meter, if the server is behind it. */
  readonly options: readonly string[] | null;
};

export type WrapReport = {
  readonly schema_version: "1.0";
  readonly action: "wrap" | "unwrap" | "list";
  readonly is_dry_run: boolean;
  readonly servers: readonly ListedServer[];
  readonly changed: number;
  readonly refused: number;
};

// Not part of the JSON output, because the quoted settings may contain secrets.
export type FileChange = {
  readonly file: string;
  readonly lines: readonly { readonly before: string; readonly after: string }[];
};

export function buildWrapDocument(
  report: WrapReport,
  changes: readonly FileChange[],
  { notes, home }: { readonly notes: readonly Note[]; readonly home?: string | undefined },
): Document {
  const columns = [
    { head: "client" },
    { head: "server" },
    { head: "state", isWrapped: true },
    { head: "file" },
  ];
  const rows = report.servers.map((server) => formatServerRow(server, report, home));
  return {
    title: describeResult(report),
    sections: [
      ...changes.map((change) => buildDiff(change, home)),
      ...buildLimitedGrid(columns, rows, "server"),
      { kind: "notes", notes },
    ],
  };
}

function describeResult(report: WrapReport): string {
  const { action, is_dry_run: isDryRun, changed, refused, servers } = report;
  if (action === "list") {
    const behind = servers.filter(({ state }) => state === "behind").length;
    return `${pluralize(servers.length, "server")}, ${behind} behind mcp-meter`;
  }
  if (changed === 0) {
    return refused === 0 ? "Nothing to change" : `Could not change ${pluralize(refused, "server")}`;
  }
  const reconfigured = servers.filter((server) => server.adds_options).length;
  const wrapped = changed - reconfigured;
  if (wrapped === 0) {
    return `${isDryRun ? "Would change" : "Changed"} the options of ${pluralize(reconfigured, "server")}`;
  }
  const verbs = { wrap: ["Would wrap", "Wrapped"], unwrap: ["Would unwrap", "Unwrapped"] } as const;
  const [would, did] = verbs[action];
  const result = `${isDryRun ? would : did} ${pluralize(wrapped, "server")}`;
  if (reconfigured === 0) return result;
  return `${result} and ${isDryRun ? "change" : "changed"} the options of ${reconfigured} more`;
}

export function buildDiff({ file, lines }: FileChange, home: string | undefined): Section {
  // Shows whole lines, because a person must see what changes.
  const hunks = lines.map(
    ({ before, after }) => diffTexts(dropReturns(before), dropReturns(after), Infinity).lines,
  );
  return {
    kind: "diff",
    title: makePathName(file, home),
    lines: hunks.flatMap((hunk, index) =>
      index === 0 ? hunk : [{ sign: "…" as const, parts: [] }, ...hunk],
    ),
  };
}

// Edits keep the carriage returns at the ends of lines, so the diff leaves these out.
function dropReturns(text: string): string {
  return text.replaceAll(/\r$/gm, "");
}

function formatServerRow(
  server: ListedServer,
  report: Pick<WrapReport, "action" | "is_dry_run">,
  home: string | undefined,
): Row {
  return [
    server.client,
    { name: server.server },
    formatStateCell(server, report),
    { name: locateServer(server, home), columnsMax: problemColumnsMax },
  ];
}

function locateServer({ file, project }: ListedServer, home: string | undefined): string {
  const path = abbreviateHome(file, home);
  return project === null ? path : `${path}, project ${abbreviateHome(project, home)}`;
}

const tones: { readonly [state in ServerState]?: Tone } = {
  changed: "good",
  behind: "good",
  direct: "caution",
  refused: "bad",
};

function formatStateCell(
  { state, reason, since, adds_options: addsOptions, options }: ListedServer,
  { action, is_dry_run: isDryRun }: Pick<WrapReport, "action" | "is_dry_run">,
): Cell {
  const done = action === "unwrap" ? "unwrapped" : "wrapped";
  const [would, did] = addsOptions
    ? ["options would change", "options changed"]
    : [`would be ${done}`, done];
  const labels: { readonly [key in ServerState]: string } = {
    changed: isDryRun ? would : did,
    behind: describeBehind(since, options ?? []),
    direct: "not behind mcp-meter",
    remote: "remote, not metered",
    off: "turned off",
    own: "mcp-meter itself",
    refused: `refused: ${reason ?? ""}`,
  };
  return { text: labels[state], tone: tones[state] };
}

function describeBehind(since: string | null, options: readonly string[]): string {
  const day = since === null ? "" : ` since ${since.slice(0, 10)}`;
  const optionsText = options.length === 0 ? "" : `, with ${options.map(quoteShellWord).join(" ")}`;
  return `behind mcp-meter${day}${optionsText}`;
}

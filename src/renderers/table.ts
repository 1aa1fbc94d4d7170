import Table from "cli-table3";
import type { Summary } from "#records/summary.ts";
import { headings, tableRows } from "./columns.ts";
import { notesOf, type ShowName } from "./notes.ts";
import type { RenderOptions } from "./options.ts";
import { shownName } from "./text.ts";

const none = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "  ",
};

/** The summary for a terminal. Colour only when asked for. */
export function renderTable(summary: Summary, { color }: RenderOptions): string {
  const table = new Table({
    head: [...headings],
    chars: none,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
    colAligns: headings.map((_, at) => (at === 0 || at === headings.length - 1 ? "left" : "right")),
  });
  const { rows, total } = tableRows(summary);
  table.push(...rows.map((row) => row.map(paintRisk(color))), total.map(bold(color)));
  const title = titleOf(summary, (name) => name);
  const lines = table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd());
  const notes = notesOf(summary, (name) => name);
  const about = Math.max(...notes.map((note) => note.about.length), 0) + 2;
  const noted = notes.map((note) => `${note.about.padEnd(about)}${note.says}`);
  const body = summary.total.calls > 0 ? [...lines, ""] : [];
  return `${["", title, "", ...body, ...noted].join("\n")}\n`;
}

/** What this summary is of. */
export function titleOf(summary: Summary, name: ShowName): string {
  const names = (raw: readonly string[]): string =>
    raw
      .slice(0, 5)
      .map((one) => name(shownName(one)))
      .join(", ");
  const servers = names(summary.servers);
  const clients = names(summary.clients);
  const sessions = summary.sessions === 1 ? "" : `, ${summary.sessions} sessions`;
  return `mcp-meter: ${servers}${clients === "" ? "" : ` for ${clients}`}${sessions}`;
}

const riskColors: { readonly [risk: string]: string } = {
  medium: "\u001b[33m",
  high: "\u001b[31m",
  critical: "\u001b[1;31m",
};

function paintRisk(color: boolean): (cell: string) => string {
  return (cell) => {
    const paint = color ? riskColors[cell] : undefined;
    return paint === undefined ? cell : `${paint}${cell}\u001b[0m`;
  };
}

function bold(color: boolean): (cell: string) => string {
  return (cell) => (color && cell !== "" ? `\u001b[1m${cell}\u001b[0m` : cell);
}

// Writes the sections of the documents that come from code or from other documents, between their markers, and the
// manual page. Tests compare them with the code.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { type Command, type OptionSpec, describeOption } from "#commands/command.ts";
import { commands } from "#commands/index.ts";
import { estimatorIds } from "#tokens/estimators/ids.ts";
import { createEstimator } from "#tokens/estimators/index.ts";
import { driftRules } from "#lock/drift/severity-rules.ts";
import { confidenceDots } from "#screens/renderers/documents/cost-notes.ts";
import { renderTable } from "./bench/figures.ts";
import { currentManPage, manPath } from "./man-page.ts";

const root = join(import.meta.dir, "..");
const decisionsFolder = "docs/adr";

export const generated: {
  readonly [document: string]: { readonly [name: string]: () => string };
} = {
  "README.md": { overhead: overheadSentence },
  "docs/ci.md": { drifts: driftTable },
  "docs/cli.md": { commands: commandReference },
  "docs/counting.md": { estimators: estimatorTable },
  [`${decisionsFolder}/README.md`]: { decisions: decisionTable },
};

export function refreshed(document: string, text: string): string {
  const sections = Object.entries(generated[document] ?? {});
  return sections.reduce((filled, [name, make]) => {
    const [begin, end] = [`<!-- ${name} -->`, `<!-- end: ${name} -->`];
    const [from, to] = [filled.indexOf(begin), filled.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`${document}: ${begin} … ${end} is missing`);
    return `${filled.slice(0, from)}${begin}\n\n${make()}\n\n${filled.slice(to)}`;
  }, text);
}

function commandReference(): string {
  const specs = Object.values(commands);
  return specs.map((spec, at) => commandSection(spec, specs.slice(0, at))).join("\n\n");
}

const pages: { readonly [command: string]: string } = {
  serve: "serve.md",
  wrap: "wrap.md",
  unwrap: "wrap.md",
  report: "reports.md",
  statusline: "clients.md#the-status-line-of-claude-code",
  import: "import.md",
  validate: "validate.md",
  profile: "ci.md#the-profile",
  lock: "ci.md#the-lock",
  check: "ci.md",
  record: "ci.md#recording-a-session",
  dash: "dash.md",
  doctor: "config.md#when-something-is-wrong",
  prune: "records.md#removing-records",
  metrics: "telemetry.md#prometheus-without-otlp",
  mcp: "mcp.md",
  completion: "install.md#completion",
};

function commandSection(spec: Command, earlier: readonly Command[]): string {
  return [
    `## ${spec.name}`,
    `${spec.summary}${pageLink(pages[spec.name])}.`,
    `\`${spec.usage}\``,
    ...optionSections(spec, earlier),
    ...(pages[spec.name] === undefined ? [exampleBlock(spec)] : []),
  ]
    .filter((section) => section !== "")
    .join("\n\n");
}

function pageLink(page: string | undefined): string {
  return page === undefined ? "" : `: [${page.replace(/#.*/, "")}](${page})`;
}

function exampleBlock({ examples }: Command): string {
  const longest = Math.max(...examples.map(([line]) => line.length));
  const lines = examples.map(([line, does]) => `${line.padEnd(longest)}  # ${does}`);
  return ["```sh", ...lines, "```"].join("\n");
}

const sharedMin = 2;

function optionSections(spec: Command, earlier: readonly Command[]): string[] {
  const options = Object.entries(spec.options);
  const shared = new Map<string, string[]>();
  for (const [name, option] of options) {
    const first = earlier.find(({ options: before }) => isSame(before[name], option));
    if (first) shared.set(first.name, [...(shared.get(first.name) ?? []), name]);
  }
  const others = [...shared].filter(([, names]) => names.length >= sharedMin);
  const elsewhere = new Set(others.flatMap(([, names]) => names));
  const rows = options.filter(([name]) => !elsewhere.has(name)).map(optionRow);
  return [
    renderTable([["option", "meaning"], ...rows]),
    ...others.map(([first, names]) => {
      const list = names.map((name) => `\`--${name}\``).join(", ");
      return `As for [${first}](#${first}): ${list}.`;
    }),
  ];
}

function isSame(before: OptionSpec | undefined, option: OptionSpec): boolean {
  if (before === undefined) return false;
  return before.value === option.value && describeOption(before) === describeOption(option);
}

function optionRow([name, spec]: [string, OptionSpec]): string[] {
  const shown = spec.value === undefined ? `--${name}` : `--${name} ${spec.value}`;
  return [`\`${shown}\``, describeOption(spec)];
}

function estimatorTable(): string {
  const rows = estimatorIds.map((id) => {
    const { method, confidence, error } = createEstimator(id, { loadTokenizer: noTokenizer });
    return [`\`${id}\``, method, `${confidenceDots[confidence]} ${confidence}`, error];
  });
  return renderTable([["id", "method", "confidence", "stated error"], ...rows]);
}

function driftTable(): string {
  const rows = Object.entries(driftRules).map(([kind, { severity, meaning }]) => [
    severity,
    meaning,
    `\`${kind}\``,
  ]);
  return renderTable([["severity", "drift", "key"], ...rows]);
}

function noTokenizer(): never {
  throw new Error("this script counts nothing");
}

function overheadSentence(): string {
  const start = figure("start", "median added");
  const memory = figure("start", "session peak");
  const trip = figure("round-trip", "p50 added");
  return [
    `Running it adds ${start} to the start of a server and ${trip} to a round trip, and takes up to ${memory} of memory`,
    "in a short session ([measured](docs/benchmarks.md)).",
  ].join("\n");
}

function figure(load: string, column: string): string {
  const text = readFileSync(join(root, "docs/benchmarks.md"), "utf8");
  const [, section = ""] = text.split(`<!-- figures: ${load} -->`);
  const rows = section.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  const at = rows.find((cells) => cells.includes(column))?.indexOf(column) ?? -1;
  const value = rows.find(([, contestant]) => contestant === "mcp-meter")?.[at];
  if (value === undefined) throw new Error(`docs/benchmarks.md: ${load} has no "${column}"`);
  return value;
}

function decisionTable(): string {
  const files = readdirSync(join(root, decisionsFolder)).filter((file) => /^\d{4}-/.test(file));
  const rows = files.toSorted().map((file) => {
    const [title = ""] = readFileSync(join(root, decisionsFolder, file), "utf8").split("\n");
    const [, number = "", decision = ""] = /^# (\d{4}) · (.+)$/.exec(title) ?? [];
    return [`[${number}](${file})`, decision];
  });
  return renderTable([["number", "decision"], ...rows]);
}

if (import.meta.main) {
  writeFileSync(join(root, manPath), currentManPage());
  const names = Object.keys(generated);
  for (const document of names) {
    const file = join(root, document);
    writeFileSync(file, refreshed(document, readFileSync(file, "utf8")));
  }
  await execa({ cwd: root, stdio: "inherit" })`${process.execPath} fmt --no-script ${names}`;
}

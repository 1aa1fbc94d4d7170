// Writes the manual page, and the sections of documents that are made from code or from other documents.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { type Command, type OptionSpec, describeOption } from "#commands/command.ts";
import { commands } from "#commands/index.ts";
import { estimatorIds } from "#tokens/estimators/ids.ts";
import { createEstimator } from "#tokens/estimators/index.ts";
import { driftRules } from "#lock/drift/severity-rules.ts";
import { confidenceDots } from "#screens/renderers/documents/estimator-notes.ts";
import { renderTable } from "./bench/figures.ts";
import { renderManPage, manPath } from "./man-page.ts";

const root = join(import.meta.dir, "..");
const decisionsFolder = "docs/adr";

export const generated: {
  readonly [document: string]: { readonly [name: string]: () => string };
} = {
  "README.md": { overhead: renderOverhead },
  "docs/ci.md": { drifts: renderDriftTable },
  "docs/cli.md": { commands: renderCommandReference },
  "docs/counting.md": { estimators: renderEstimatorTable },
  [`${decisionsFolder}/README.md`]: { decisions: renderDecisionTable },
};

export function refreshSections(document: string, text: string): string {
  const sections = Object.entries(generated[document] ?? {});
  return sections.reduce((filled, [name, make]) => {
    const [begin, end] = [`<!-- ${name} -->`, `<!-- end: ${name} -->`];
    const [from, to] = [filled.indexOf(begin), filled.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`${document}: ${begin} … ${end} is missing`);
    return `${filled.slice(0, from)}${begin}\n\n${make()}\n\n${filled.slice(to)}`;
  }, text);
}

function renderCommandReference(): string {
  const specs = Object.values(commands);
  return specs.map((spec, at) => renderCommand(spec, specs.slice(0, at))).join("\n\n");
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

function renderCommand(spec: Command, earlier: readonly Command[]): string {
  return [
    `## ${spec.name}`,
    `${spec.summary}${renderPageLink(pages[spec.name])}.`,
    `\`${spec.usage}\``,
    ...renderOptions(spec, earlier),
    ...(pages[spec.name] === undefined ? [renderExamples(spec)] : []),
  ]
    .filter((section) => section !== "")
    .join("\n\n");
}

function renderPageLink(page: string | undefined): string {
  return page === undefined ? "" : `: [${page.replace(/#.*/, "")}](${page})`;
}

function renderExamples({ examples }: Command): string {
  const longest = Math.max(...examples.map(([line]) => line.length));
  const lines = examples.map(([line, does]) => `${line.padEnd(longest)}  # ${does}`);
  return ["```sh", ...lines, "```"].join("\n");
}

// Fewer options of an earlier command are listed again.
const sharedOptionsMin = 2;

function renderOptions(spec: Command, earlier: readonly Command[]): string[] {
  const options = Object.entries(spec.options);
  const shared = new Map<string, string[]>();
  for (const [name, option] of options) {
    const first = earlier.find(({ options: before }) => isSame(before[name], option));
    if (first) shared.set(first.name, [...(shared.get(first.name) ?? []), name]);
  }
  const references = [...shared].filter(([, names]) => names.length >= sharedOptionsMin);
  const referenced = new Set(references.flatMap(([, names]) => names));
  const rows = options.filter(([name]) => !referenced.has(name)).map(makeOptionRow);
  return [
    renderTable([["option", "meaning"], ...rows]),
    ...references.map(([first, names]) => {
      const list = names.map((name) => `\`--${name}\``).join(", ");
      return `As for [${first}](#${first}): ${list}.`;
    }),
  ];
}

function isSame(before: OptionSpec | undefined, option: OptionSpec): boolean {
  if (before === undefined) return false;
  return before.value === option.value && describeOption(before) === describeOption(option);
}

function makeOptionRow([name, spec]: [string, OptionSpec]): string[] {
  const shown = spec.value === undefined ? `--${name}` : `--${name} ${spec.value}`;
  return [`\`${shown}\``, describeOption(spec)];
}

function renderEstimatorTable(): string {
  const rows = estimatorIds.map((id) => {
    const { method, confidence, error } = createEstimator(id, { loadTokenizer: refuseTokenizer });
    return [`\`${id}\``, method, `${confidenceDots[confidence]} ${confidence}`, error];
  });
  return renderTable([["id", "method", "confidence", "stated error"], ...rows]);
}

function renderDriftTable(): string {
  const rows = Object.entries(driftRules).map(([kind, { severity, meaning }]) => [
    severity,
    meaning,
    `\`${kind}\``,
  ]);
  return renderTable([["severity", "drift", "key"], ...rows]);
}

function refuseTokenizer(): never {
  throw new Error("Cannot load a tokenizer: this script counts nothing");
}

function renderOverhead(): string {
  const start = readFigure("start", "median added");
  const memory = readFigure("start", "session peak");
  const trip = readFigure("round-trip", "p50 added");
  return [
    `Running it adds ${start} to the start of a server and ${trip} to a round trip, and takes up to ${memory} of memory`,
    "in a short session ([measured](docs/benchmarks.md)).",
  ].join("\n");
}

function readFigure(load: string, column: string): string {
  const text = readFileSync(join(root, "docs/benchmarks.md"), "utf8");
  const [, section = ""] = text.split(`<!-- figures: ${load} -->`);
  const rows = section.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  const at = rows.find((cells) => cells.includes(column))?.indexOf(column) ?? -1;
  const value = rows.find(([, contestant]) => contestant === "mcp-meter")?.[at];
  if (value === undefined) throw new Error(`docs/benchmarks.md: ${load} has no "${column}"`);
  return value;
}

function renderDecisionTable(): string {
  const files = readdirSync(join(root, decisionsFolder)).filter((file) => /^\d{4}-/.test(file));
  const rows = files.toSorted().map((file) => {
    const [title = ""] = readFileSync(join(root, decisionsFolder, file), "utf8").split("\n");
    const [, number = "", decision = ""] = /^# (\d{4}) · (.+)$/.exec(title) ?? [];
    return [`[${number}](${file})`, decision];
  });
  return renderTable([["number", "decision"], ...rows]);
}

if (import.meta.main) {
  writeFileSync(join(root, manPath), renderManPage());
  const names = Object.keys(generated);
  for (const document of names) {
    const file = join(root, document);
    writeFileSync(file, refreshSections(document, readFileSync(file, "utf8")));
  }
  await execa({ cwd: root, stdio: "inherit" })`${process.execPath} fmt --no-script ${names}`;
}

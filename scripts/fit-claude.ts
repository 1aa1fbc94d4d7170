/**
 * Fits how the `claude` estimator prices tool definitions and says how far off it is:
 *
 *     bun scripts/fit-claude.ts [DIRECTORY]
 *
 * DIRECTORY holds `<server>.json` files of the shape `{server, claudeOpus5Tokens?, tools}`; those with
 * a count are used. Method: ADR 0102. Every candidate is judged by leave-one-out: its coefficients are
 * fitted to nine servers, its error is measured on the tenth.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { get_encoding } from "tiktoken";
import { asMembers } from "#estimators/scaled.ts";
import { canonicalJson } from "#wire/canonical.ts";

type Tool = { readonly name: string; readonly description?: string; readonly inputSchema: unknown };
type Server = { readonly name: string; readonly tokens: number; readonly tools: readonly Tool[] };
type Candidate = {
  readonly name: string;
  readonly fixed: number;
  readonly features: (server: Server) => readonly number[];
};
type Fit = { readonly coefficients: readonly number[]; readonly errors: readonly number[] };

const oracle = get_encoding("o200k_base");
const o200k = (text: string): number => oracle.encode_ordinary(text).length;
const plain = (server: Server): number =>
  sum(server.tools, (tool) => sum(Object.values(texts(tool)), o200k));
const members = (server: Server): number =>
  sum(server.tools, (tool) => sum(Object.values(asMembers(texts(tool))), o200k));
const schemas = (server: Server): number =>
  sum(server.tools, (tool) => o200k(asMembers(texts(tool)).schema));
const tools = (server: Server): number => server.tools.length;
const described = (server: Server): number =>
  sum(server.tools, ({ description, inputSchema }) =>
    sum(descriptionsIn({ description, inputSchema }), o200k),
  );

const forms: readonly Omit<Candidate, "fixed">[] = [
  { name: "texts", features: (server) => [plain(server)] },
  { name: "texts + tools", features: (server) => [plain(server), tools(server)] },
  { name: "members", features: (server) => [members(server)] },
  { name: "members + tools", features: (server) => [members(server), tools(server)] },
  {
    name: "words + schemas",
    features: (server) => [members(server) - schemas(server), schemas(server)],
  },
  {
    name: "structure + descriptions",
    features: (server) => [members(server) - described(server), described(server)],
  },
];

/** What a list costs at all: nothing, as a published fit found it, as published for Opus 4.8. */
const fixedCosts = [0, 233, 290];

const candidates: readonly Candidate[] = [
  { name: "members + list", fixed: 0, features: (server) => [members(server), 1] },
  {
    name: "members + tools + list",
    fixed: 0,
    features: (server) => [members(server), tools(server), 1],
  },
  ...fixedCosts.flatMap((fixed) => forms.map((form) => Object.assign({ fixed }, form))),
];

function main(directory: string): void {
  const servers = readServers(directory);
  console.log(`${servers.length} servers with a count in ${directory}\n`);
  console.log("model                    fixed   mean    rms  worst  coefficients");
  for (const candidate of candidates) console.log(row(candidate, judge(candidate, servers)));
  const chosen = candidates.find(
    ({ name, fixed }) => name === "structure + descriptions" && fixed === 290,
  );
  if (chosen === undefined) return;
  const { coefficients, errors } = judge(chosen, servers);
  const factors = coefficients.map((value) => value.toFixed(2)).join(" and ");
  console.log(`\nchosen: ${chosen.name}, ${factors}, ${chosen.fixed} a list`);
  console.log("error of each server left out:");
  for (const [index, server] of servers.entries()) {
    console.log(`${server.name.padEnd(20)} ${percent(errors[index] ?? 0)}`);
  }
}

function descriptionsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(descriptionsIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === "description" && typeof member === "string" ? [member] : descriptionsIn(member),
  );
}

function readServers(directory: string): readonly Server[] {
  return readdirSync(directory)
    .toSorted()
    .map((file) => JSON.parse(readFileSync(join(directory, file), "utf8")))
    .filter((raw) => typeof raw.claudeOpus5Tokens === "number")
    .map((raw) => ({ name: raw.server, tokens: raw.claudeOpus5Tokens, tools: raw.tools }));
}

/** The texts of a definition as they are priced: the schema in canonical order. */
function texts(tool: Tool): { name: string; description: string; schema: string } {
  return {
    name: tool.name,
    description: tool.description ?? "",
    schema: canonicalJson(tool.inputSchema),
  };
}

function judge(candidate: Candidate, servers: readonly Server[]): Fit {
  const errors = servers.map((server) => {
    const others = servers.filter((other) => other !== server);
    return predict(candidate, fit(candidate, others), server) / server.tokens - 1;
  });
  return { coefficients: fit(candidate, servers), errors };
}

function predict(candidate: Candidate, coefficients: readonly number[], server: Server): number {
  const features = candidate.features(server);
  return candidate.fixed + sum(features, (feature, index) => feature * (coefficients[index] ?? 0));
}

/** Least squares of the relative error, so that a list of 33 000 tokens does not outvote nine others. */
function fit(candidate: Candidate, servers: readonly Server[]): readonly number[] {
  const rows = servers.map((server) => ({
    features: candidate.features(server).map((feature) => feature / server.tokens),
    wanted: 1 - candidate.fixed / server.tokens,
  }));
  const width = rows[0]?.features.length ?? 0;
  const normal = Array.from({ length: width }, (_, line) => [
    ...Array.from({ length: width }, (_unused, column) =>
      sum(rows, ({ features }) => (features[line] ?? 0) * (features[column] ?? 0)),
    ),
    sum(rows, ({ features, wanted }) => (features[line] ?? 0) * wanted),
  ]);
  return solve(normal);
}

/** Gauss and Jordan on a few well-posed equations; the last column is the right side. */
function solve(equations: readonly (readonly number[])[]): readonly number[] {
  let lines = equations;
  for (const pivot of equations.keys()) {
    const pivotLine = lines[pivot] ?? [];
    const scaled = pivotLine.map((value) => value / (pivotLine[pivot] ?? 1));
    lines = lines.map((line, index) =>
      index === pivot
        ? scaled
        : line.map((value, column) => value - (line[pivot] ?? 0) * (scaled[column] ?? 0)),
    );
  }
  return lines.map((line) => line.at(-1) ?? 0);
}

function row({ name, fixed }: Candidate, { coefficients, errors }: Fit): string {
  const mean = sum(errors, Math.abs) / errors.length;
  const rms = Math.sqrt(sum(errors, (error) => error * error) / errors.length);
  const worst = errors.toSorted((one, other) => Math.abs(other) - Math.abs(one))[0] ?? 0;
  const shown = coefficients.map((value) => value.toFixed(3)).join("  ");
  const figures = [mean, rms, worst].map((value) => percent(value)).join(" ");
  return `${name.padEnd(24)} ${String(fixed).padStart(5)} ${figures}  ${shown}`;
}

function percent(share: number): string {
  return (share * 100).toFixed(1).padStart(6);
}

function sum<Value>(values: readonly Value[], of: (value: Value, index: number) => number): number {
  return values.reduce((total, value, index) => total + of(value, index), 0);
}

main(process.argv[2] ?? join(import.meta.dir, "../../shared/data/servers"));

/**
 * Fits how the `claude` estimator prices tool definitions, and says how far off it is:
 *
 *     bun scripts/fit-claude.ts [DIRECTORY]
 *
 * DIRECTORY holds `<server>.json` files of the shape `{server, claudeOpus5Tokens?, tools}`; those with a count are used.
 * Method, and the other models that were compared: ADR 0102. Each error is that of a server that the fit has not seen.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { get_encoding } from "tiktoken";
import { asMembers } from "#estimators/scaled.ts";
import { canonicalJson } from "#wire/canonical.ts";

type Tool = { readonly name: string; readonly description?: string; readonly inputSchema: unknown };
type Server = {
  readonly name: string;
  readonly tokens: number;
  readonly structure: number;
  readonly descriptions: number;
};
type Factors = { readonly structure: number; readonly descriptions: number };

/** What a list costs at all, as published for Opus 4.8. */
const perList = 290;

const oracle = get_encoding("o200k_base");
const o200k = (text: string): number => oracle.encode_ordinary(text).length;

function main(directory: string): void {
  const servers = readServers(directory);
  const { structure, descriptions } = fit(servers);
  console.log(`${servers.length} servers with a count in ${directory}`);
  console.log(`structure × ${structure.toFixed(3)}, descriptions × ${descriptions.toFixed(3)}`);
  const errors = servers.map((server) => {
    const factors = fit(servers.filter((other) => other !== server));
    const predicted =
      perList + server.structure * factors.structure + server.descriptions * factors.descriptions;
    return predicted / server.tokens - 1;
  });
  const mean = sum(errors.map(Math.abs)) / errors.length;
  const worst = Math.max(...errors.map(Math.abs));
  console.log(`error of each server left out: mean${percent(mean)}, worst${percent(worst)}`);
  for (const [at, { name }] of servers.entries()) {
    console.log(`${name.padEnd(20)} ${percent(errors[at] ?? 0)}`);
  }
}

/** Least squares of the relative error, so that a list of 33 000 tokens does not outvote nine others. */
function fit(servers: readonly Server[]): Factors {
  const rows = servers.map(({ tokens, structure, descriptions }) => ({
    s: structure / tokens,
    d: descriptions / tokens,
    wanted: 1 - perList / tokens,
  }));
  const [ss, sd, dd] = [
    sum(rows.map(({ s }) => s * s)),
    sum(rows.map(({ s, d }) => s * d)),
    sum(rows.map(({ d }) => d * d)),
  ];
  const [sw, dw] = [
    sum(rows.map(({ s, wanted }) => s * wanted)),
    sum(rows.map(({ d, wanted }) => d * wanted)),
  ];
  const determinant = ss * dd - sd * sd;
  return {
    structure: (sw * dd - dw * sd) / determinant,
    descriptions: (dw * ss - sw * sd) / determinant,
  };
}

function readServers(directory: string): readonly Server[] {
  return readdirSync(directory)
    .toSorted()
    .map((file) => JSON.parse(readFileSync(join(directory, file), "utf8")))
    .filter((raw) => typeof raw.claudeOpus5Tokens === "number")
    .map(({ server, claudeOpus5Tokens, tools }) => measure(server, claudeOpus5Tokens, tools));
}

function measure(name: string, tokens: number, tools: readonly Tool[]): Server {
  const members = tools.flatMap(({ name: tool, description = "", inputSchema }) =>
    Object.values(asMembers({ name: tool, description, schema: canonicalJson(inputSchema) })),
  );
  const descriptions = tools.flatMap(({ description, inputSchema }) =>
    descriptionsIn({ description, inputSchema }),
  );
  const described = sum(descriptions.map(o200k));
  return { name, tokens, structure: sum(members.map(o200k)) - described, descriptions: described };
}

function descriptionsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(descriptionsIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === "description" && typeof member === "string" ? [member] : descriptionsIn(member),
  );
}

function percent(share: number): string {
  return (share * 100).toFixed(1).padStart(6);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

main(process.argv[2] ?? join(import.meta.dir, "../../shared/data/servers"));

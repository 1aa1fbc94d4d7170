import type { DefinitionTokens } from "./definitions-cost.ts";
import { nameCharactersMax } from "#kit/limits.ts";
import { canonicalizeJson, isObject, type JsonObject, readMember, readString } from "#wire/json.ts";
import type { Bill } from "./bill.ts";
import {
  type DefinitionFormula,
  type TextTokens,
  pickDefinitionFormula,
  type Estimator,
} from "./estimator.ts";

export type DefinitionDeps = {
  readonly hash: (text: string) => string;
  readonly definitionCache: DefinitionCache;
};

export type PendingTokens = {
  readonly name: string;
  readonly sha256: string;
  readonly readTokens: () => DefinitionTokens;
};

const modelMembers = new Set(["name", "description", "inputSchema"]);

export function startCountingDefinition(
  tool: JsonObject,
  bill: Bill,
  estimator: Estimator,
  deps: DefinitionDeps,
): PendingTokens {
  const sha256 = deps.hash(canonicalizeJson(tool));
  const name = readDefinitionName(tool);
  const known = deps.definitionCache.get(makeEstimatorKey(estimator), sha256);
  if (known) return { name, sha256, readTokens: () => known };
  const formula = pickDefinitionFormula(estimator);
  const description = readString(tool, "description") ?? "";
  const schema = readMember(tool, "inputSchema");
  const texts = formula.formatTexts({
    name: readString(tool, "name") ?? "",
    description,
    schema: schema === undefined ? "" : canonicalizeJson(schema),
  });
  const wireOnly = Object.entries(tool).filter(([key]) => !modelMembers.has(key));
  const wireOnlyJson = wireOnly.length === 0 ? "" : canonicalizeJson(Object.fromEntries(wireOnly));
  const counts = {
    name: addToBill(texts.name, [], bill, formula),
    description: addToBill(texts.description, [description], bill, formula),
    schema: addToBill(texts.schema, collectDescriptions(schema), bill, formula),
    wireOnly: addToBill(wireOnlyJson, [], bill, formula),
  };
  const readTokens = (): DefinitionTokens => ({
    name_tokens: counts.name(),
    description_tokens: counts.description(),
    schema_tokens: counts.schema(),
    wire_only_tokens: counts.wireOnly(),
  });
  return { name, sha256, readTokens };
}

export function readDefinitionName(tool: unknown): string {
  return (readString(tool, "name") ?? "").slice(0, nameCharactersMax);
}

// Call the returned function after the bill has been counted.
function addToBill(
  text: string,
  descriptions: readonly string[],
  bill: Bill,
  formula: DefinitionFormula,
): () => number {
  const counted: TextTokens = { all: 0, descriptions: 0 };
  bill.add(text, (tokens) => (counted.all = tokens));
  if (!formula.combineTokens) return () => counted.all;
  for (const description of descriptions)
    bill.add(description, (tokens) => (counted.descriptions += tokens));
  return () => formula.combineTokens?.(counted) ?? counted.all;
}

function collectDescriptions(schema: unknown): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(collectDescriptions);
  if (!isObject(schema)) return [];
  return Object.entries(schema).flatMap(([key, member]) =>
    key === "description" && typeof member === "string" ? [member] : collectDescriptions(member),
  );
}

// A scaled formula's `encoding` contains its factors, so a changed factor changes the key.
export function makeEstimatorKey(estimator: Estimator): string {
  return `${estimator.id} ${pickDefinitionFormula(estimator).encoding}`;
}

export function sumModelTokens(tokens: DefinitionTokens): number {
  return tokens.name_tokens + tokens.description_tokens + tokens.schema_tokens;
}

const cachedDefinitionsMax = 10_000;

export type DefinitionCache = {
  get(estimator: string, sha256: string): DefinitionTokens | undefined;
  set(estimator: string, sha256: string, tokens: DefinitionTokens): void;
};

export function createDefinitionCache(): DefinitionCache {
  const known = new Map<string, DefinitionTokens>();
  return {
    get: (estimator, sha256) => known.get(`${estimator} ${sha256}`),
    set(estimator, sha256, tokens) {
      if (known.size < cachedDefinitionsMax) known.set(`${estimator} ${sha256}`, tokens);
    },
  };
}

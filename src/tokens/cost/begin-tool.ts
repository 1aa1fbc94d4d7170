import { nameCharactersMax } from "#kit/limits.ts";
import { canonicalizeJson, isObject, type JsonObject, readMember, readString } from "#wire/json.ts";
import type { Bill } from "./bill.ts";
import {
  type DefinitionModel,
  type PartTokens,
  pickDefinitionModel,
  type Estimator,
} from "./estimator.ts";
import { SchemaWalk } from "#wire/schema-walk.ts";

export type DefinitionDeps = {
  readonly hash: (text: string) => string;
  readonly prices: DefinitionPrices;
};

export type PendingTool = {
  readonly name: string;
  readonly sha256: string;
  readonly price: () => DefinitionPrice;
};

const modelMembers = new Set(["name", "description", "inputSchema"]);

export function beginTool(
  tool: JsonObject,
  bill: Bill,
  estimator: Estimator,
  deps: DefinitionDeps,
): PendingTool {
  const sha256 = deps.hash(canonicalizeJson(tool));
  const name = readDefinitionName(tool);
  const known = deps.prices.get(makeEstimatorKey(estimator), sha256);
  if (known) return { name, sha256, price: () => known };
  const model = pickDefinitionModel(estimator);
  const description = readString(tool, "description") ?? "";
  const schema = readMember(tool, "inputSchema");
  const texts = model.form({
    name: readString(tool, "name") ?? "",
    description,
    schema: schema === undefined ? "" : canonicalizeJson(schema),
  });
  const wireMembers = Object.entries(tool).filter(([key]) => !modelMembers.has(key));
  const parts = {
    name_tokens: beginCount(texts.name, [], bill, model),
    description_tokens: beginCount(texts.description, [description], bill, model),
    schema_tokens: beginCount(texts.schema, collectDescriptions(schema), bill, model),
    wire_only_tokens: beginCount(formatWireOnly(wireMembers), [], bill, model),
  };
  return { name, sha256, price: () => priceParts(parts) };
}

export function readDefinitionName(tool: unknown): string {
  return (readString(tool, "name") ?? "").slice(0, nameCharactersMax);
}

type PendingCount = () => number;

function priceParts(parts: {
  readonly [key in keyof DefinitionPrice]: PendingCount;
}): DefinitionPrice {
  return {
    name_tokens: parts.name_tokens(),
    description_tokens: parts.description_tokens(),
    schema_tokens: parts.schema_tokens(),
    wire_only_tokens: parts.wire_only_tokens(),
  };
}

function beginCount(
  text: string,
  descriptions: readonly string[],
  bill: Bill,
  model: DefinitionModel,
): PendingCount {
  const counted: PartTokens = { text: 0, descriptions: 0 };
  bill.add(text, (tokens) => (counted.text = tokens));
  if (!model.price) return () => counted.text;
  for (const description of descriptions)
    bill.add(description, (tokens) => (counted.descriptions += tokens));
  return () => model.price?.(counted) ?? counted.text;
}

function formatWireOnly(members: readonly (readonly [string, unknown])[]): string {
  return members.length === 0 ? "" : canonicalizeJson(Object.fromEntries(members));
}

function collectDescriptions(schema: unknown): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(collectDescriptions);
  if (!isObject(schema)) return [];
  return Object.entries(schema).flatMap(([key, member]) =>
    key === "description" && typeof member === "string" ? [member] : collectDescriptions(member),
  );
}

// The encoding includes the factor, because prices with different factors are not comparable.
export function makeEstimatorKey(estimator: Estimator): string {
  return `${estimator.id} ${pickDefinitionModel(estimator).encoding}`;
}

export function sumModelTokens(price: DefinitionPrice): number {
  return price.name_tokens + price.description_tokens + price.schema_tokens;
}

const definitionPricesMax = 10_000;

export type DefinitionPrice = {
  readonly name_tokens: number;
  readonly description_tokens: number;
  readonly schema_tokens: number;
  readonly wire_only_tokens: number;
};

export type DefinitionPrices = {
  get(estimator: string, sha256: string): DefinitionPrice | undefined;
  set(estimator: string, sha256: string, price: DefinitionPrice): void;
};

export function createDefinitionPrices(): DefinitionPrices {
  const known = new Map<string, DefinitionPrice>();
  return {
    get: (estimator, sha256) => known.get(`${estimator} ${sha256}`),
    set(estimator, sha256, price) {
      if (known.size < definitionPricesMax) known.set(`${estimator} ${sha256}`, price);
    },
  };
}

export const narrowingNamesMax = 8;

// Deep enough for `options.page_size`.
const parameterLevelsMax = 3;

export const parameterPathCharactersMax = 100;

export const countNames =
  /^(limit|count|size|top|topk|k|n|first|last|take|rows|perpage|pagesize|batchsize|maxcount|maxitems|maxrecords|maxresults|maxrows|numresults|maxnumresults|numberofresults|resultslimit|maxmatches|maxmessages|limitrows|hitsperpage)$/;

export const sizeNames =
  /^(maxchars|maxcharacters|maxlength|maxbytes|maxanswerchars|maxsize|maxoutputchars)$/;

const rangeNames =
  /^(head|tail|offset|length|lines|maxlines|numlines|startline|endline|startindex|viewrange|range|fields|returnfields|depth|maxdepth|maxtokens|tokenlimit|samplesize)$/;

const plainPath = /^[\w.$-]+$/;

/** Finds paths such as `options.page_size`. Sorts each level, so key order does not matter. */
export function findNarrowingParameters({
  inputSchema: schema,
}: JsonObject): readonly string[] | undefined {
  if (!isObject(schema)) return undefined;
  const paths = new Set<string>();
  collectNarrowing(new SchemaWalk(schema), { schema, path: "", level: 0 }, paths);
  return [...paths].slice(0, narrowingNamesMax);
}

type SchemaLocation = { readonly schema: unknown; readonly path: string; readonly level: number };

function collectNarrowing(
  walk: SchemaWalk,
  { schema, path, level }: SchemaLocation,
  paths: Set<string>,
): void {
  const entered = walk.enter(schema, level);
  const properties = entered?.["properties"];
  if (!isObject(properties) || level >= parameterLevelsMax) return;
  for (const name of Object.keys(properties).toSorted()) {
    if (paths.size >= narrowingNamesMax) return;
    const parameter = `${path}${name}`;
    if (parameter.length > parameterPathCharactersMax || !plainPath.test(parameter)) continue;
    if (isNarrowingName(name)) paths.add(parameter);
    collectNarrowing(
      walk,
      { schema: properties[name], path: `${parameter}.`, level: level + 1 },
      paths,
    );
  }
}

function isNarrowingName(name: string): boolean {
  const plain = normalizeName(name);
  return countNames.test(plain) || sizeNames.test(plain) || rangeNames.test(plain);
}

export function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}

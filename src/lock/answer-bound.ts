import { isObject, memberAt, type JsonObject } from "#wire/json.ts";
import { baseTokensDefault, fixedCharacters, itemTokens, sizeMax } from "./item-size.ts";
import { branchesOf, SchemaWalk, typeOf } from "./schema-walk.ts";

/** What a definition says about the size of its tool's answers. */
export type AnswerBound =
  /** Bytes of the whole answer, and who says so. */
  | { readonly kind: "declared"; readonly bytes: number; readonly source: string }
  /** Items of a list at most, and the tokens of one. */
  | {
      readonly kind: "bounded";
      readonly items: number;
      readonly baseTokens: number;
      readonly source: string;
    }
  | { readonly kind: "unbounded"; readonly baseTokens: number };

/** A maximum beyond this bounds nothing: schema generators write 2^53 − 1 for any integer. */
const boundMax = 1_000_000;

/** Parameters that say how many items an answer may have, without case, `_` and `-`. */
const countNames =
  /^(limit|count|size|top|topk|k|n|first|last|take|rows|perpage|pagesize|batchsize|maxcount|maxitems|maxrecords|maxresults|maxrows|numresults|maxnumresults|numberofresults|resultslimit|maxmatches|maxmessages|limitrows|hitsperpage)$/;

/** Parameters that say how long an answer may be, in characters or bytes. */
const sizeNames =
  /^(maxchars|maxcharacters|maxlength|maxbytes|maxanswerchars|maxsize|maxoutputchars)$/;

/** What bounds the tool's answers, by priority: a declared size, a bounded list, nothing. */
export function answerBound(tool: JsonObject): AnswerBound {
  const output = tool["outputSchema"];
  const parameters = parametersOf(tool["inputSchema"]);
  const declared =
    declaredByMeta(tool) ?? declaredByParameter(parameters) ?? declaredBySchema(output);
  if (declared) return declared;
  const found = isObject(output) ? findList(output) : undefined;
  const baseTokens =
    found?.baseTokens ?? (isObject(output) ? itemTokens(output) : baseTokensDefault);
  const byParameter = smallest(
    parameters.flatMap(({ name, schema }) => bound(name, schema, countNames)),
  );
  const byList: Bound | undefined =
    found?.items === undefined ? undefined : { at: found.items, source: "outputSchema maxItems" };
  const least = smallest([byParameter, byList].filter((one) => one !== undefined));
  if (!least) return { kind: "unbounded", baseTokens };
  return { kind: "bounded", items: least.at, baseTokens, source: least.source };
}

/** Parameters that would bound the answer, had they a maximum. */
export function limitParameters(tool: JsonObject): string[] {
  return parametersOf(tool["inputSchema"])
    .filter(({ name }) => countNames.test(plain(name)))
    .map(({ name }) => name);
}

type Bound = { readonly at: number; readonly source: string };
type Parameter = { readonly name: string; readonly schema: JsonObject };

function declaredByMeta(tool: JsonObject): AnswerBound | undefined {
  const bytes = memberAt(tool, "_meta", "anthropic/maxResultSizeChars");
  if (typeof bytes !== "number" || !(bytes > 0) || bytes > sizeMax) return undefined;
  return { kind: "declared", bytes: Math.ceil(bytes), source: "anthropic/maxResultSizeChars" };
}

function declaredByParameter(parameters: readonly Parameter[]): AnswerBound | undefined {
  const least = smallest(parameters.flatMap(({ name, schema }) => bound(name, schema, sizeNames)));
  return least && { kind: "declared", bytes: least.at, source: least.source };
}

/** The output schema declares a size when it holds no list and the length of every value is known. */
function declaredBySchema(output: unknown): AnswerBound | undefined {
  if (!isObject(output)) return undefined;
  const bytes = closedBytes(output, new SchemaWalk(output), 0);
  if (bytes === undefined) return undefined;
  return { kind: "declared", bytes, source: "outputSchema maxLength" };
}

/** Bytes of values at most; undefined when one of them is open. */
function closedBytes(rawSchema: unknown, walk: SchemaWalk, level: number): number | undefined {
  const schema = walk.enter(rawSchema, level);
  if (!schema) return undefined;
  const fixed = fixedCharacters(schema);
  if (fixed !== undefined) return fixed;
  const type = typeOf(schema);
  if (type === "object") {
    const properties = isObject(schema["properties"]) ? Object.values(schema["properties"]) : [];
    const isOpen = isObject(schema["additionalProperties"]) || properties.length === 0;
    return isOpen ? undefined : sum(properties.map((one) => closedBytes(one, walk, level + 1)));
  }
  return type === undefined ? undefined : closedScalars[type];
}

const closedScalars: { readonly [type: string]: number } = {
  boolean: 5,
  integer: 20,
  number: 24,
  null: 4,
};

function sum(parts: readonly (number | undefined)[]): number | undefined {
  return parts.reduce<number | undefined>(
    (total, part) => (total === undefined || part === undefined ? undefined : total + part),
    0,
  );
}

type List = { readonly baseTokens: number; readonly items: number | undefined };

/**
 * The list of an answer: the one outside of all others whose items are dearest. Its bound is undefined
 * when it has none.
 */
function findList(root: JsonObject): List | undefined {
  const walk = new SchemaWalk(root);
  const lists: List[] = [];
  const look = (rawSchema: unknown, level: number): void => {
    const schema = walk.enter(rawSchema, level);
    if (!schema) return;
    if (typeOf(schema) === "array") {
      const { items, maxItems } = schema;
      const isBound = typeof maxItems === "number" && maxItems >= 0 && maxItems <= boundMax;
      const most = isBound ? Math.floor(maxItems) : undefined;
      lists.push({ baseTokens: itemTokens(items ?? {}, root), items: most });
      return;
    }
    const properties = isObject(schema["properties"]) ? Object.values(schema["properties"]) : [];
    const branches = (["anyOf", "oneOf", "allOf"] as const).flatMap((key) =>
      branchesOf(schema, key),
    );
    for (const one of [...properties, ...branches]) look(one, level + 1);
  };
  look(root, 0);
  const open = lists.filter((list) => list.items === undefined);
  const weight = ({ baseTokens, items = 1 }: List): number => baseTokens * items;
  return (open.length > 0 ? open : lists).toSorted((one, two) => weight(two) - weight(one))[0];
}

/** Named parameters of an input schema, also those one object deeper, where some servers keep paging. */
function parametersOf(input: unknown): Parameter[] {
  const walk = new SchemaWalk(input);
  const read = (rawSchema: unknown, level: number): Parameter[] => {
    const properties = walk.enter(rawSchema, level)?.["properties"];
    if (!isObject(properties) || level > 1) return [];
    return Object.entries(properties).flatMap(([name, rawOne]) => {
      const schema = walk.enter(rawOne, level + 1);
      return schema ? [{ name, schema }, ...read(schema, level + 1)] : [];
    });
  };
  return read(input, 0);
}

function bound(name: string, schema: JsonObject, names: RegExp): Bound[] {
  if (!names.test(plain(name))) return [];
  const options = [schema, ...branchesOf(schema, "anyOf"), ...branchesOf(schema, "oneOf")];
  return options.flatMap((option) => {
    const { maximum, exclusiveMaximum } = isObject(option) ? option : {};
    const most =
      typeof maximum === "number"
        ? maximum
        : typeof exclusiveMaximum === "number"
          ? exclusiveMaximum - 1
          : undefined;
    const isBound = most !== undefined && most > 0 && most <= boundMax;
    return isBound ? [{ at: Math.floor(most), source: name }] : [];
  });
}

function smallest(bounds: readonly Bound[]): Bound | undefined {
  return bounds.toSorted((one, other) => one.at - other.at)[0];
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}

/** True when an answer holds a list without `maxItems`, at any level. */
export function hasOpenList(output: unknown): boolean {
  const walk = new SchemaWalk(output);
  const look = (rawSchema: unknown, level: number): boolean => {
    const schema = walk.enter(rawSchema, level);
    if (!schema) return false;
    if (typeOf(schema) === "array" && typeof schema["maxItems"] !== "number") return true;
    const properties = isObject(schema["properties"]) ? Object.values(schema["properties"]) : [];
    const branches = (["anyOf", "oneOf", "allOf"] as const).flatMap((key) =>
      branchesOf(schema, key),
    );
    const inside = [...properties, schema["items"], ...branches].filter(isObject);
    return inside.some((one) => look(one, level + 1));
  };
  return look(output, 0);
}

import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { compareSchemas } from "#lock/drift/definition-changes.ts";
import { driftRules } from "#lock/drift/severity-rules.ts";
import { isObject, readMember, type JsonObject } from "#wire/json.ts";

const ajv = new Ajv2020({ strict: false, logger: false });
formats(ajv);

type Draw = {
  readonly below: (count: number) => number;
  readonly pick: <Item>(list: readonly Item[]) => Item;
};

function drawsFrom(seed: number): Draw {
  let state = seed;
  const below = (count: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    const once = Math.imul(state ^ (state >>> 15), 1 | state);
    const twice = (once + Math.imul(once ^ (once >>> 7), 61 | once)) ^ once;
    return Math.floor((((twice ^ (twice >>> 14)) >>> 0) / 2 ** 32) * count);
  };
  const pick = <Item>(list: readonly Item[]): Item => {
    const found = list[below(list.length)];
    if (found === undefined) throw new Error("an empty list");
    return found;
  };
  return { below, pick };
}

const names = ["id", "query", "limit", "kind", "tags", "filter"];
const colours = ["red", "green", "blue", "black"];
const safe = Number.MAX_SAFE_INTEGER;

function makeSchema(draw: Draw, level: number): JsonObject {
  const inner = (): JsonObject => makeSchema(draw, level + 1);
  const leaves: readonly (() => JsonObject)[] = [
    () => ({ type: "string" }),
    () => ({ type: "string", minLength: draw.below(3), maxLength: 3 + draw.below(5) }),
    () => ({ type: "string", format: draw.pick(["date", "email", "uuid", "uri"]) }),
    () => ({ type: "string", pattern: draw.pick(["^a", "^[a-z]+$", "\\d{2}"]) }),
    () => ({ type: "string", enum: colours.slice(draw.below(2), 2 + draw.below(3)) }),
    () => ({ const: draw.pick(colours), type: "string" }),
    () => ({ type: "boolean", default: false }),
    () => ({ type: "integer", minimum: -safe, maximum: safe }),
    () => ({ type: "integer", exclusiveMinimum: 0, maximum: draw.pick([10, 100, safe]) }),
    () => ({ type: "number", minimum: draw.below(3), maximum: 5 + draw.below(5) }),
    () => ({ type: "number", multipleOf: draw.pick([1, 2, 0.5]) }),
    () => ({ type: ["null", "string"] }),
    () => ({ anyOf: [{ type: "string" }, { type: "null" }], default: null, title: "Query" }),
    () => ({ anyOf: colours.slice(0, 3).map((one) => ({ const: one })) }),
    () => ({ $ref: `#/$defs/${draw.pick(["A", "B"])}` }),
    () => ({}),
  ];
  const nests: readonly (() => JsonObject)[] = [
    () => ({ type: "array", items: inner(), ...(draw.below(2) ? { maxItems: 3 } : {}) }),
    () => ({ type: ["null", "array"], items: inner() }),
    () => ({ anyOf: [inner(), { type: "null" }] }),
    () => ({ anyOf: [inner(), inner()] }),
    () => ({ oneOf: ["x", "y"].map((one) => makeBranch(one, inner())) }),
    () => ({ allOf: [makeObject(draw, level + 1)] }),
    () => ({ type: "object", additionalProperties: inner(), propertyNames: { type: "string" } }),
    () => makeObject(draw, level + 1),
    () => makeObject(draw, level + 1),
  ];
  return draw.pick(level < 2 && draw.below(5) < 2 ? nests : leaves)();
}

function makeBranch(kind: string, value: JsonObject): JsonObject {
  const properties = { type: { type: "string", const: kind }, value };
  return { type: "object", properties, required: ["type"], additionalProperties: false };
}

function makeObject(draw: Draw, level: number): JsonObject {
  const own = names.filter(() => draw.below(2) === 0).slice(0, 4);
  return {
    type: "object",
    properties: Object.fromEntries(own.map((name) => [name, makeSchema(draw, level)])),
    required: own.filter(() => draw.below(3) === 0),
    ...(draw.below(2) === 0 ? { additionalProperties: false } : {}),
  };
}

function edited(schema: JsonObject, draw: Draw): JsonObject {
  const makeNested = insideEdits(schema, draw);
  if (makeNested.length > 0 && draw.below(4) > 0) return draw.pick(makeNested)();
  const { anyOf, oneOf, enum: values } = schema;
  const changes: readonly (() => JsonObject)[] = [
    () => makeSchema(draw, 1),
    () => ({ anyOf: [schema, { type: "null" }] }),
    () => ({ anyOf: [schema, makeSchema(draw, 2)] }),
    () => ({ allOf: [schema] }),
    () => ({ ...schema, description: "What it is" }),
    () => ({ ...schema, minimum: -safe, maximum: draw.pick([safe, 7]), minLength: draw.below(2) }),
    () => ({ ...schema, maxLength: 2 + draw.below(6), maxItems: 1 + draw.below(4) }),
    ...listEdits("enum", values, draw),
    ...listEdits("anyOf", anyOf, draw),
    ...listEdits("oneOf", oneOf, draw),
    ...objectEdits(schema, draw),
  ];
  return draw.pick(changes)();
}

function insideEdits(schema: JsonObject, draw: Draw): (() => JsonObject)[] {
  const { properties, items } = schema;
  const members = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, one]) =>
    isObject(one) && isObject(properties)
      ? [() => ({ ...schema, properties: { ...properties, [name]: edited(one, draw) } })]
      : [],
  );
  const branches = ["anyOf", "oneOf"].flatMap((keyword) => {
    const list = schema[keyword];
    if (!Array.isArray(list)) return [];
    const at = draw.below(list.length);
    return [() => ({ ...schema, [keyword]: list.with(at, edited(list[at], draw)) })];
  });
  const elements = isObject(items) ? [() => ({ ...schema, items: edited(items, draw) })] : [];
  return [...members, ...branches, ...elements];
}

function listEdits(keyword: string, list: unknown, draw: Draw): (() => JsonObject)[] {
  if (!Array.isArray(list)) return [];
  const more = keyword === "enum" ? "grey" : makeBranch("z", {});
  const changed = draw.pick([[...list, more], list.slice(1), list.toReversed()]);
  return [() => ({ [changed.length === 0 ? "title" : keyword]: changed })];
}

function objectEdits(schema: JsonObject, draw: Draw): (() => JsonObject)[] {
  const { properties, required } = schema;
  if (!isObject(properties)) return [];
  const own = Object.keys(properties);
  const demands = Array.isArray(required) ? required : [];
  return [
    () => ({ ...schema, properties: { ...properties, page: makeSchema(draw, 2) } }),
    () => ({ ...schema, properties: { ...properties, page: {} }, required: [...demands, "page"] }),
    () => ({ ...schema, properties: Object.fromEntries(Object.entries(properties).slice(1)) }),
    () => ({ ...schema, required: draw.pick([own, demands.slice(1), demands.toReversed()]) }),
    () => ({ ...schema, additionalProperties: draw.pick([true, false, { type: "string" }]) }),
  ];
}

const texts = "a abc red a12 grey 2026-01-31 a@b.example https://a.example".split(" ");
const uuid = "123e4567-e89b-42d3-a456-426614174000";
const wild: readonly unknown[] = [...texts, "", uuid, 0, 1.5, 7, 12, null, true, [], {}];

function makeValues(schema: unknown, root: JsonObject, draw: Draw, level: number = 0): unknown[] {
  if (!isObject(schema) || level > 3) return [...wild];
  const { $ref, items, enum: listed, const: only } = schema;
  const makeNested = (one: unknown): unknown[] => makeValues(one, root, draw, level + 1);
  if (typeof $ref === "string") return makeNested(readMember(root, "$defs", $ref.slice(8)));
  const branches = ["anyOf", "oneOf", "allOf"].flatMap((keyword) =>
    Array.isArray(schema[keyword]) ? schema[keyword].flatMap(makeNested) : [],
  );
  const elements = items === undefined ? [] : makeNested(items);
  const lists = elements.flatMap((one) => [[one], [one, draw.pick(elements)]]);
  const four = elements.length > 0 ? [Array.from({ length: 4 }, () => elements[0])] : [];
  const constants = [
    ...(Array.isArray(listed) ? listed : []),
    ...(only === undefined ? [] : [only]),
  ];
  const objects = makeObjects(schema, makeNested, draw);
  return [...branches, ...constants, ...lists, ...four, ...objects, ...listEdges(schema), ...wild];
}

function makeObjects(
  { properties, additionalProperties: rest }: JsonObject,
  makeNested: (schema: unknown) => unknown[],
  draw: Draw,
): unknown[] {
  if (properties === undefined && rest === undefined) return [];
  const members = Object.entries(isObject(properties) ? properties : {}).map(
    ([name, one]) => [name, makeNested(one)] as const,
  );
  return Array.from({ length: 30 }).flatMap(() => {
    const chosen = members.filter(() => draw.below(4) > 0);
    const value = Object.fromEntries(chosen.map(([name, list]) => [name, draw.pick(list)]));
    return [value, { ...value, other: draw.pick(makeNested(rest)) }];
  });
}

function listEdges(schema: JsonObject): unknown[] {
  const keywords = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "multipleOf",
    "maxLength",
    "minLength",
  ];
  return keywords.flatMap((keyword) => {
    const size = schema[keyword];
    if (typeof size !== "number" || Math.abs(size) > 200) return [];
    return [size, size + 1, size - 1, "a".repeat(Math.abs(size)), "b".repeat(size + 1)];
  });
}

type Verdicts = {
  breaking: number;
  compatible: number;
  readonly missed: string[];
  readonly undecided: string[];
  readonly falseAlarms: string[];
  readonly unproven: string[];
};

export function judgePairs(from: number, to: number): Verdicts {
  const verdicts: Verdicts = {
    breaking: 0,
    compatible: 0,
    missed: [],
    undecided: [],
    falseAlarms: [],
    unproven: [],
  };
  for (let seed = from; seed < to; seed += 1) judgePair(drawsFrom(seed), verdicts);
  return verdicts;
}

function judgePair(draw: Draw, verdicts: Verdicts): void {
  const $defs = { A: makeSchema(draw, 2), B: makeObject(draw, 2) };
  for (const name of ["A", "B"] as const)
    if ("$ref" in $defs[name]) $defs[name] = { type: "string" };
  const before: JsonObject = { ...makeObject(draw, 0), $defs };
  const after = draw.below(5) === 0 ? editedDefinition(before, $defs, draw) : edited(before, draw);
  const whole: JsonObject = { ...after, $defs: after["$defs"] ?? $defs, type: "object" };
  const [was, is] = [ajv.compile(before), ajv.compile(whole)];
  const changes = compareSchemas("input", { before, after: whole });
  const breaking = changes.filter(({ kind }) => driftRules[kind].severity === "BREAKING");
  const examples = breaking.flatMap(({ example }) =>
    example === undefined ? [] : [JSON.parse(example)],
  );
  const isLost = (value: unknown): boolean => was(value) && !is(value);
  const lost = [...examples, ...makeValues(before, before, draw)].find(isLost);
  const text = JSON.stringify({ before, after: whole, lost, changes });
  ajv.removeSchema();
  if (
    breaking.some(
      ({ kind, example }) =>
        kind !== "input_removed" && (example === undefined || !isLost(JSON.parse(example))),
    )
  )
    verdicts.unproven.push(text);
  if (lost === undefined) {
    verdicts.compatible += 1;
    if (breaking.length > 0) verdicts.falseAlarms.push(text);
    return;
  }
  verdicts.breaking += 1;
  const isShown = changes.some(({ kind }) => driftRules[kind].severity === "RISKY");
  if (breaking.length === 0) (isShown ? verdicts.undecided : verdicts.missed).push(text);
}

function editedDefinition(
  before: JsonObject,
  $defs: { A: JsonObject; B: JsonObject },
  draw: Draw,
): JsonObject {
  const name = draw.pick(["A", "B"] as const);
  return { ...before, $defs: { ...$defs, [name]: edited($defs[name], draw) } };
}

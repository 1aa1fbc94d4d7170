import { schemaLevelsMax, subschemasMax } from "#kit/limits.ts";
import { canonicalJson } from "#wire/json-equal.ts";
import { isObject, type JsonObject } from "#wire/json.ts";
import { referenceTarget } from "#wire/schema-walk.ts";

// Branches of a schema, those of its `allOf` multiplied; beyond it a comparison is undecided.
const shapesMax = 400;

/** Values of one type. Every spelling of the same rules gives the same shapes. */
export type Shape = {
  readonly type: ValueType;
  /** By canonical JSON; absent when they are not enumerated. */
  readonly values?: ReadonlyMap<string, unknown>;
  /** By canonical JSON; a value must keep all of them. */
  readonly limits: ReadonlyMap<string, Limit>;
  /** Properties by name, elements of a tuple by index. */
  readonly members: ReadonlyMap<string, Subschema>;
  readonly required: ReadonlySet<string>;
  readonly rest: Subschema;
};

export type Limit = { readonly keyword: string; readonly value: unknown };

/** A value must fit all of them; an empty list accepts everything. */
export type Subschema = readonly unknown[];

type ValueType = (typeof valueTypes)[number];

const valueTypes = ["object", "array", "string", "number", "boolean", "null"] as const;

const anywhere = "not if $dynamicRef $recursiveRef";

const limitsByType: { readonly [type in ValueType]: string } = {
  null: "",
  boolean: "",
  number: "multipleOf minimum exclusiveMinimum maximum exclusiveMaximum format",
  string: "minLength maxLength pattern format contentEncoding contentMediaType",
  array: "minItems maxItems uniqueItems contains unevaluatedItems",
  object: `minProperties maxProperties patternProperties propertyNames dependencies dependentRequired
    dependentSchemas unevaluatedProperties`,
};

/** Keywords without a meaning of their own. */
const companions: { readonly [keyword: string]: readonly string[] } = {
  if: ["then", "else"],
  contains: ["minContains", "maxContains"],
  patternProperties: ["additionalProperties"],
};

const integer: Limit = { keyword: "multipleOf", value: 1 };
const integerKey = canonicalJson(integer);

class UndecidedSchema extends Error {}

export class Shapes {
  readonly root: unknown;
  /** Canonical JSON. */
  readonly text: string;
  readonly #known = new Map<string, readonly Shape[] | undefined>();
  #left = subschemasMax;

  constructor(root: unknown) {
    this.root = root;
    this.text = canonicalJson(root);
  }

  /** Undefined when the schema is invalid or too large. */
  expand(subschema: Subschema): readonly Shape[] | undefined {
    const key = canonicalJson(subschema);
    if (!this.#known.has(key)) this.#known.set(key, this.#tryExpand(subschema));
    return this.#known.get(key);
  }

  #tryExpand(subschema: Subschema): Shape[] | undefined {
    try {
      return merged(subschema.map((schema) => this.#expand(schema, [])).reduce(meetUnions, any));
    } catch (error) {
      if (error instanceof UndecidedSchema) return undefined;
      throw error;
    }
  }

  #expand(schema: unknown, references: readonly string[]): readonly Shape[] {
    this.#left -= 1;
    const isTooLarge = this.#left < 0 || references.length > schemaLevelsMax;
    if (schema === true) return any;
    if (schema === false) return [];
    if (isTooLarge || !isObject(schema)) throw new UndecidedSchema();
    const inside = [...references, ""];
    const unions = (["anyOf", "oneOf"] as const).flatMap((keyword) => {
      if (schema[keyword] === undefined) return [];
      const branches = listOf(schema[keyword]);
      const shapes = branches.map((branch) => this.#expand(branch, inside));
      if (keyword === "anyOf" || this.#areDisjoint(shapes)) return [shapes.flat()];
      const limit = { keyword, value: this.#closed(branches) };
      const entry = [canonicalJson(limit), limit] as const;
      return [shapes.flat().map((one) => ({ ...one, limits: new Map([...one.limits, entry]) }))];
    });
    const all = listOf(schema["allOf"] ?? []).map((part) => this.#expand(part, inside));
    const shapes = typesAllowed(schema).flatMap((type) => this.#shapeOf(type, schema));
    return [...this.#referred(schema, references), ...unions, ...all].reduce(meetUnions, shapes);
  }

  #referred({ $ref }: JsonObject, references: readonly string[]): (readonly Shape[])[] {
    if ($ref === undefined) return [];
    const target = typeof $ref === "string" ? referenceTarget($ref, this.root) : undefined;
    // A reference that leads to itself before any member accepts or rejects nothing.
    if (typeof $ref !== "string" || target === undefined || references.includes($ref))
      throw new UndecidedSchema();
    return [this.#expand(target, [...references, $ref])];
  }

  #areDisjoint(branches: readonly (readonly Shape[])[]): boolean {
    return branches.every((shapes, at) => {
      const others = branches.slice(at + 1).flat();
      return shapes.every((shape) => others.every((other) => this.#isApart(shape, other, 0)));
    });
  }

  /** No value fits both: by type, by values, or by a required member. */
  #isApart(shape: Shape, other: Shape, level: number): boolean {
    if (shape.type !== other.type) return true;
    if (shape.values && other.values) return commonValues(shape.values, other.values).size === 0;
    if (level > 2) return false;
    return [...shape.required.union(other.required)].some((name) => {
      const [mine, theirs] = [shape.members.get(name), other.members.get(name)];
      const [inner, outer] = [mine && this.expand(mine), theirs && this.expand(theirs)];
      return inner?.every((a) => outer?.every((b) => this.#isApart(a, b, level + 1)));
    });
  }

  #shapeOf(type: ValueType, schema: JsonObject): Shape[] {
    const values = valuesOf(type, schema);
    if (values?.size === 0) return [];
    const limits = limitsOf(type, schema).map(({ keyword, value }): readonly [string, Limit] => {
      const limit = { keyword, value: this.#closed(value) };
      return [canonicalJson(limit), limit];
    });
    const members = membersOf(type, schema);
    return [{ type, limits: new Map(limits), ...members, ...(values && { values }) }];
  }

  // The same reference leads elsewhere in another document.
  #closed(part: unknown): unknown {
    const isOpen = /"\$(?:ref|dynamicRef|recursiveRef)"/.test(canonicalJson(part));
    return isOpen ? { part, root: this.text } : part;
  }
}

const allValues: { readonly [type in ValueType]?: readonly unknown[] } = {
  null: [null],
  boolean: [false, true],
};

const noMembers = {
  members: new Map<string, Subschema>(),
  required: new Set<string>(),
  rest: [],
} as const;

const any: readonly Shape[] = valueTypes.map((type) => {
  const values = valuesOf(type, {});
  return { type, limits: new Map(), ...noMembers, ...(values && { values }) };
});

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new UndecidedSchema();
  return value;
}

function hasType({ type }: JsonObject, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name));
}

function typesAllowed(schema: JsonObject): readonly ValueType[] {
  const { type, nullable } = schema;
  if (type === undefined) return valueTypes;
  const known: ReadonlySet<unknown> = new Set([...valueTypes, "integer"]);
  if (![type].flat().every((name) => known.has(name))) throw new UndecidedSchema();
  return valueTypes.filter((name) => {
    if (name === "number" && hasType(schema, "integer")) return true;
    return hasType(schema, name) || (name === "null" && nullable === true);
  });
}

function limitsOf(type: ValueType, schema: JsonObject): Limit[] {
  const isWhole = type === "number" && hasType(schema, "integer") && !hasType(schema, type);
  const keywords = `${limitsByType[type]} ${anywhere}`.trim().split(/\s+/);
  const limits = keywords.flatMap((keyword): Limit[] => {
    const value = schema[keyword];
    if (value === undefined || isTrivial(keyword, value, isWhole)) return [];
    const limit = { keyword, value: wholeRule(keyword, schema) };
    return [isWhole ? closedBound(limit) : limit];
  });
  return isWhole ? [integer, ...limits] : limits;
}

function wholeRule(keyword: string, schema: JsonObject): unknown {
  // Which members it judges depends on every keyword next to it.
  if (keyword.startsWith("unevaluated")) return schema;
  const others = companions[keyword];
  return others ? [keyword, ...others].map((name) => schema[name] ?? null) : schema[keyword];
}

function valuesOf(type: ValueType, schema: JsonObject): Shape["values"] {
  const all = allValues[type];
  const lists = [
    ...(all ? [all] : []),
    ...(schema["enum"] === undefined ? [] : [listOf(schema["enum"])]),
    ...(Object.hasOwn(schema, "const") ? [[schema["const"]]] : []),
  ];
  const maps = lists.map((list): ReadonlyMap<string, unknown> => {
    const alike = list.filter((value) => typeOfValue(value) === type);
    return new Map(alike.map((value) => [canonicalJson(value), value]));
  });
  return maps.length === 0 ? undefined : maps.reduce(commonValues);
}

function typeOfValue(value: unknown): ValueType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return valueTypes.find((type) => type === typeof value) ?? "null";
}

function membersOf(
  type: ValueType,
  schema: JsonObject,
): Pick<Shape, "members" | "required" | "rest"> {
  const { items, prefixItems, properties = {}, required = [] } = schema;
  if (type === "array") {
    // Up to draft 7 `items` could be a list.
    const [list, rest] = Array.isArray(items)
      ? [items, schema["additionalItems"]]
      : [listOf(prefixItems ?? []), items];
    const members = new Map(list.map((one, at) => [String(at), asSubschema(one)]));
    return { members, required: new Set(), rest: asSubschema(rest) };
  }
  if (type !== "object") return noMembers;
  if (!isObject(properties)) throw new UndecidedSchema();
  const { patternProperties, additionalProperties } = schema;
  // An object that names no member and says that it takes any has lost none.
  const isFree = schema["properties"] === undefined && additionalProperties !== undefined;
  const rest = asSubschema(additionalProperties);
  return {
    members: new Map(Object.entries(properties).map(([name, one]) => [name, asSubschema(one)])),
    required: new Set(listOf(required).filter((name) => typeof name === "string")),
    rest: patternProperties !== undefined ? [] : isFree && rest.length === 0 ? [true] : rest,
  };
}

function asSubschema(schema: unknown): Subschema {
  const isEmpty = schema === undefined || schema === true || canonicalJson(schema) === "{}";
  return isEmpty ? [] : [schema];
}

/** Generators write the largest safe integers for an integer without limits. */
function isTrivial(keyword: string, value: unknown, isWhole: boolean): boolean {
  if (value === false && keyword === "uniqueItems") return true;
  if (typeof value !== "number" || !/^min|^max|^exclusive/.test(keyword)) return false;
  const isSize = /Length|Items|Properties/.test(keyword);
  if (!isSize && !isWhole) return false;
  const least = isSize ? 0 : -Number.MAX_SAFE_INTEGER;
  return isLower(keyword) ? value <= least : value >= Number.MAX_SAFE_INTEGER;
}

/** Between integers an exclusive bound is the next inclusive one. */
function closedBound(limit: Limit): Limit {
  const { keyword, value } = limit;
  if (typeof value !== "number" || !keyword.startsWith("exclusive")) return limit;
  return keyword === "exclusiveMinimum"
    ? { keyword: "minimum", value: Math.floor(value) + 1 }
    : { keyword: "maximum", value: Math.ceil(value) - 1 };
}

function meetUnions(shapes: readonly Shape[], others: readonly Shape[]): readonly Shape[] {
  if (others === any) return shapes;
  const met = shapes.flatMap((shape) =>
    others.filter(({ type }) => type === shape.type).map((other) => meet(shape, other)),
  );
  if (met.length > shapesMax) throw new UndecidedSchema();
  return met.filter(({ values }) => values?.size !== 0);
}

function meet(shape: Shape, other: Shape): Shape {
  const names = new Set([...shape.members.keys(), ...other.members.keys()]);
  const values =
    shape.values && other.values
      ? commonValues(shape.values, other.values)
      : (shape.values ?? other.values);
  return {
    type: shape.type,
    limits: new Map([...shape.limits, ...other.limits]),
    members: new Map(
      [...names].map((name) => [name, [...memberIn(shape, name), ...memberIn(other, name)]]),
    ),
    required: shape.required.union(other.required),
    rest: [...shape.rest, ...other.rest],
    ...(values && { values }),
  };
}

function merged(shapes: readonly Shape[]): Shape[] {
  const isList = ({ type, values, limits }: Shape): boolean =>
    values !== undefined && limits.size === 0 && type !== "object" && type !== "array";
  const lists = Map.groupBy(shapes.filter(isList), ({ type }) => type);
  const joined = [...lists].map(([type, alike]) => {
    const values = new Map(alike.flatMap((shape) => [...(shape.values ?? [])]));
    return { type, values, limits: new Map(), ...noMembers };
  });
  return [...joined, ...shapes.filter((shape) => !isList(shape))];
}

function commonValues<Value>(
  values: ReadonlyMap<string, Value>,
  others: ReadonlyMap<string, Value>,
): ReadonlyMap<string, Value> {
  return new Map([...values].filter(([key]) => others.has(key)));
}

export function memberIn({ members, rest }: Shape, name: string): Subschema {
  return members.get(name) ?? rest;
}

/** A larger bound accepts fewer values. */
export function isLower(keyword: string): boolean {
  return /^(?:min|exclusiveMin)/.test(keyword);
}

export function isInteger({ limits }: Shape): boolean {
  return limits.has(integerKey);
}

/** `string`, `["string","null"]`, `any` or `none`. */
export function typeText(shapes: readonly Shape[] = any): unknown {
  const types = valueTypes.flatMap((type) => {
    const alike = shapes.filter((shape) => shape.type === type);
    if (alike.length === 0) return [];
    return type === "number" && alike.every(isInteger) ? ["integer"] : [type];
  });
  if (types.length === valueTypes.length && !types.includes("integer")) return "any";
  return types.length > 1 ? types : (types[0] ?? "none");
}

/** False also where it is not decided. */
export function isWithin(value: unknown, { keyword, value: bound }: Limit): boolean {
  if (typeof bound !== "number") return false;
  const size = sizeOf(value);
  if (keyword === "multipleOf") return Number.isInteger(size / bound);
  const room = isLower(keyword) ? size - bound : bound - size;
  return keyword.startsWith("exclusive") ? room > 0 : room >= 0;
}

function sizeOf(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" ? Array.from(value).length : Object.keys(value ?? {}).length;
}

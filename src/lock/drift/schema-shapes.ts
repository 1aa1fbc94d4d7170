import { canonicalizeJson, isObject, type JsonObject } from "#wire/json.ts";
import { resolveReference, schemaLevelsMax, subschemasMax } from "#wire/schema-walk.ts";

const shapesMax = 400;

/** A set of values of one type. Equivalent spellings of the same rules give equal shapes. */
export type Shape = {
  readonly type: ValueType;
  /** Keyed by canonical JSON; absent if not enumerated. */
  readonly values?: ReadonlyMap<string, unknown>;
  /** Keyed by canonical JSON; a value must satisfy all. */
  readonly limits: ReadonlyMap<string, Limit>;
  /** Properties by name, tuple elements by index. */
  readonly members: ReadonlyMap<string, Conjunction>;
  readonly required: ReadonlySet<string>;
  readonly otherMembers: Conjunction;
};

export type Limit = { readonly keyword: string; readonly value: unknown };

/** A value must fit every schema; an empty list accepts anything. */
export type Conjunction = readonly unknown[];

type ValueType = (typeof valueTypes)[number];

const valueTypes = ["object", "array", "string", "number", "boolean", "null"] as const;

const commonKeywords = "not if $dynamicRef $recursiveRef";

const limitsByType: { readonly [type in ValueType]: string } = {
  null: "",
  boolean: "",
  number: "multipleOf minimum exclusiveMinimum maximum exclusiveMaximum format",
  string: "minLength maxLength pattern format contentEncoding contentMediaType",
  array: "minItems maxItems uniqueItems contains unevaluatedItems",
  object: `minProperties maxProperties patternProperties propertyNames dependencies dependentRequired
    dependentSchemas unevaluatedProperties`,
};

// Each keyword is compared together with its companions.
const companions: { readonly [keyword: string]: readonly string[] } = {
  if: ["then", "else"],
  contains: ["minContains", "maxContains"],
  patternProperties: ["additionalProperties"],
};

const integer: Limit = { keyword: "multipleOf", value: 1 };
const integerKey = canonicalizeJson(integer);

class UndecidedSchema extends Error {}

export class Shapes {
  readonly root: unknown;
  readonly text: string;
  readonly #cache = new Map<string, readonly Shape[] | undefined>();
  #remaining = subschemasMax;

  constructor(root: unknown) {
    this.root = root;
    this.text = canonicalizeJson(root);
  }

  expand(schemas: Conjunction): readonly Shape[] | undefined {
    const key = canonicalizeJson(schemas);
    if (!this.#cache.has(key)) this.#cache.set(key, this.#tryExpand(schemas));
    return this.#cache.get(key);
  }

  #tryExpand(schemas: Conjunction): Shape[] | undefined {
    try {
      return mergeEnumerated(
        schemas.map((schema) => this.#expand(schema, [])).reduce(intersectUnions, anyShapes),
      );
    } catch (error) {
      if (error instanceof UndecidedSchema) return undefined;
      throw error;
    }
  }

  #expand(schema: unknown, references: readonly string[]): readonly Shape[] {
    this.#remaining -= 1;
    const isTooLarge = this.#remaining < 0 || references.length > schemaLevelsMax;
    if (schema === true) return anyShapes;
    if (schema === false) return [];
    if (isTooLarge || !isObject(schema)) throw new UndecidedSchema();
    // `references.length` is the depth, so a level without a reference adds an empty string.
    const nestedReferences = [...references, ""];
    const unions = (["anyOf", "oneOf"] as const).flatMap((keyword) => {
      if (schema[keyword] === undefined) return [];
      const branches = requireList(schema[keyword]);
      const shapes = branches.map((branch) => this.#expand(branch, nestedReferences));
      if (keyword === "anyOf" || this.#areDisjoint(shapes)) return [shapes.flat()];
      const limit = { keyword, value: this.#bindReferences(branches) };
      const entry = [canonicalizeJson(limit), limit] as const;
      return [
        shapes.flat().map((shape) => ({ ...shape, limits: new Map([...shape.limits, entry]) })),
      ];
    });
    const allOfShapes = requireList(schema["allOf"] ?? []).map((subschema) =>
      this.#expand(subschema, nestedReferences),
    );
    const shapes = readTypes(schema).flatMap((type) => this.#makeShapes(type, schema));
    return [...this.#expandReference(schema, references), ...unions, ...allOfShapes].reduce(
      intersectUnions,
      shapes,
    );
  }

  #expandReference({ $ref }: JsonObject, references: readonly string[]): (readonly Shape[])[] {
    if ($ref === undefined) return [];
    const target = typeof $ref === "string" ? resolveReference($ref, this.root) : undefined;
    // The schema is undecided if a reference leads back to itself without passing through a property or an element.
    if (typeof $ref !== "string" || target === undefined || references.includes($ref))
      throw new UndecidedSchema();
    return [this.#expand(target, [...references, $ref])];
  }

  #areDisjoint(branches: readonly (readonly Shape[])[]): boolean {
    return branches.every((shapes, at) => {
      const others = branches.slice(at + 1).flat();
      return shapes.every((shape) =>
        others.every((otherShape) => this.#isDisjoint(shape, otherShape, 0)),
      );
    });
  }

  // True if the types, the values or a required member show that no value fits both shapes.
  #isDisjoint(shape: Shape, otherShape: Shape, level: number): boolean {
    if (shape.type !== otherShape.type) return true;
    if (shape.values && otherShape.values)
      return intersectValues(shape.values, otherShape.values).size === 0;
    if (level > 2) return false;
    return [...shape.required.union(otherShape.required)].some((name) => {
      const [member, otherMember] = [shape.members.get(name), otherShape.members.get(name)];
      const [shapes, otherShapes] = [
        member && this.expand(member),
        otherMember && this.expand(otherMember),
      ];
      return shapes?.every((a) => otherShapes?.every((b) => this.#isDisjoint(a, b, level + 1)));
    });
  }

  #makeShapes(type: ValueType, schema: JsonObject): Shape[] {
    const values = readValues(type, schema);
    if (values?.size === 0) return [];
    const limits = readLimits(type, schema).map(({ keyword, value }): readonly [string, Limit] => {
      const limit = { keyword, value: this.#bindReferences(value) };
      return [canonicalizeJson(limit), limit];
    });
    const members = readMembers(type, schema);
    return [{ type, limits: new Map(limits), ...members, ...(values && { values }) }];
  }

  // A reference depends on the root, so a schema with a reference is compared together with the root.
  #bindReferences(subschema: unknown): unknown {
    const hasReference = /"\$(?:ref|dynamicRef|recursiveRef)"/.test(canonicalizeJson(subschema));
    return hasReference ? { part: subschema, root: this.text } : subschema;
  }
}

const allValues: { readonly [type in ValueType]?: readonly unknown[] } = {
  null: [null],
  boolean: [false, true],
};

const noMembers = {
  members: new Map<string, Conjunction>(),
  required: new Set<string>(),
  otherMembers: [],
} as const;

const anyShapes: readonly Shape[] = valueTypes.map((type) => {
  const values = readValues(type, {});
  return { type, limits: new Map(), ...noMembers, ...(values && { values }) };
});

function requireList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new UndecidedSchema();
  return value;
}

function hasType({ type }: JsonObject, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name));
}

function readTypes(schema: JsonObject): readonly ValueType[] {
  const { type, nullable } = schema;
  if (type === undefined) return valueTypes;
  const knownTypes: ReadonlySet<unknown> = new Set([...valueTypes, "integer"]);
  if (![type].flat().every((name) => knownTypes.has(name))) throw new UndecidedSchema();
  return valueTypes.filter((name) => {
    if (name === "number" && hasType(schema, "integer")) return true;
    return hasType(schema, name) || (name === "null" && nullable === true);
  });
}

function readLimits(type: ValueType, schema: JsonObject): Limit[] {
  const isIntegerOnly = type === "number" && hasType(schema, "integer") && !hasType(schema, type);
  const keywords = `${limitsByType[type]} ${commonKeywords}`.trim().split(/\s+/);
  const limits = keywords.flatMap((keyword): Limit[] => {
    const value = schema[keyword];
    if (value === undefined || isTrivial(keyword, value, isIntegerOnly)) return [];
    const limit = { keyword, value: joinCompanions(keyword, schema) };
    return [isIntegerOnly ? toInclusive(limit) : limit];
  });
  return isIntegerOnly ? [integer, ...limits] : limits;
}

function joinCompanions(keyword: string, schema: JsonObject): unknown {
  // An `unevaluated` keyword applies where no sibling keyword does, so its meaning depends on the whole schema.
  if (keyword.startsWith("unevaluated")) return schema;
  const companionNames = companions[keyword];
  return companionNames
    ? [keyword, ...companionNames].map((name) => schema[name] ?? null)
    : schema[keyword];
}

function readValues(type: ValueType, schema: JsonObject): Shape["values"] {
  const fixedValues = allValues[type];
  const lists = [
    ...(fixedValues ? [fixedValues] : []),
    ...(schema["enum"] === undefined ? [] : [requireList(schema["enum"])]),
    ...(Object.hasOwn(schema, "const") ? [[schema["const"]]] : []),
  ];
  const maps = lists.map((list): ReadonlyMap<string, unknown> => {
    const typed = list.filter((value) => findType(value) === type);
    return new Map(typed.map((value) => [canonicalizeJson(value), value]));
  });
  return maps.length === 0 ? undefined : maps.reduce(intersectValues);
}

function findType(value: unknown): ValueType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return valueTypes.find((type) => type === typeof value) ?? "null";
}

function readMembers(
  type: ValueType,
  schema: JsonObject,
): Pick<Shape, "members" | "required" | "otherMembers"> {
  const { items, prefixItems, properties = {}, required = [] } = schema;
  if (type === "array") {
    // Before 2020-12, `items` could be a list.
    const [list, otherMembers] = Array.isArray(items)
      ? [items, schema["additionalItems"]]
      : [requireList(prefixItems ?? []), items];
    const members = new Map(list.map((item, at) => [String(at), toConjunction(item)]));
    return { members, required: new Set(), otherMembers: toConjunction(otherMembers) };
  }
  if (type !== "object") return noMembers;
  if (!isObject(properties)) throw new UndecidedSchema();
  const { patternProperties, additionalProperties } = schema;
  // Without `properties`, `additionalProperties: true` declares a map. Its `otherMembers` are `[true]` instead of `[]`:
  // both accept any value, but `[true]` marks every name as declared.
  const isMap = schema["properties"] === undefined && additionalProperties !== undefined;
  const otherMembers = toConjunction(additionalProperties);
  return {
    members: new Map(Object.entries(properties).map(([name, item]) => [name, toConjunction(item)])),
    required: new Set(requireList(required).filter((name) => typeof name === "string")),
    otherMembers:
      patternProperties !== undefined
        ? []
        : isMap && otherMembers.length === 0
          ? [true]
          : otherMembers,
  };
}

function toConjunction(schema: unknown): Conjunction {
  const isEmpty = schema === undefined || schema === true || canonicalizeJson(schema) === "{}";
  return isEmpty ? [] : [schema];
}

// Some generators write limits that exclude nothing, such as the largest safe integer.
function isTrivial(keyword: string, value: unknown, isIntegerOnly: boolean): boolean {
  if (value === false && keyword === "uniqueItems") return true;
  if (typeof value !== "number" || !/^min|^max|^exclusive/.test(keyword)) return false;
  const isSize = /Length|Items|Properties/.test(keyword);
  if (!isSize && !isIntegerOnly) return false;
  const lowest = isSize ? 0 : -Number.MAX_SAFE_INTEGER;
  return isLowerBound(keyword) ? value <= lowest : value >= Number.MAX_SAFE_INTEGER;
}

// For integers, an exclusive bound equals the next inclusive one.
function toInclusive(limit: Limit): Limit {
  const { keyword, value } = limit;
  if (typeof value !== "number" || !keyword.startsWith("exclusive")) return limit;
  return keyword === "exclusiveMinimum"
    ? { keyword: "minimum", value: Math.floor(value) + 1 }
    : { keyword: "maximum", value: Math.ceil(value) - 1 };
}

function intersectUnions(shapes: readonly Shape[], others: readonly Shape[]): readonly Shape[] {
  if (others === anyShapes) return shapes;
  const intersections = shapes.flatMap((shape) =>
    others
      .filter(({ type }) => type === shape.type)
      .map((otherShape) => intersect(shape, otherShape)),
  );
  if (intersections.length > shapesMax) throw new UndecidedSchema();
  return intersections.filter(({ values }) => values?.size !== 0);
}

function intersect(shape: Shape, otherShape: Shape): Shape {
  const names = new Set([...shape.members.keys(), ...otherShape.members.keys()]);
  const values =
    shape.values && otherShape.values
      ? intersectValues(shape.values, otherShape.values)
      : (shape.values ?? otherShape.values);
  return {
    type: shape.type,
    limits: new Map([...shape.limits, ...otherShape.limits]),
    members: new Map(
      [...names].map((name) => [
        name,
        [...findMember(shape, name), ...findMember(otherShape, name)],
      ]),
    ),
    required: shape.required.union(otherShape.required),
    otherMembers: [...shape.otherMembers, ...otherShape.otherMembers],
    ...(values && { values }),
  };
}

function mergeEnumerated(shapes: readonly Shape[]): Shape[] {
  const isEnumerated = ({ type, values, limits }: Shape): boolean =>
    values !== undefined && limits.size === 0 && type !== "object" && type !== "array";
  const byType = Map.groupBy(shapes.filter(isEnumerated), ({ type }) => type);
  const mergedShapes = [...byType].map(([type, sameType]) => {
    const values = new Map(sameType.flatMap((shape) => [...(shape.values ?? [])]));
    return { type, values, limits: new Map(), ...noMembers };
  });
  return [...mergedShapes, ...shapes.filter((shape) => !isEnumerated(shape))];
}

function intersectValues<Value>(
  values: ReadonlyMap<string, Value>,
  others: ReadonlyMap<string, Value>,
): ReadonlyMap<string, Value> {
  return new Map([...values].filter(([key]) => others.has(key)));
}

export function findMember({ members, otherMembers }: Shape, name: string): Conjunction {
  return members.get(name) ?? otherMembers;
}

export function isLowerBound(keyword: string): boolean {
  return /^(?:min|exclusiveMin)/.test(keyword);
}

export function isInteger({ limits }: Shape): boolean {
  return limits.has(integerKey);
}

export function describeTypes(shapes: readonly Shape[] = anyShapes): unknown {
  const types = valueTypes.flatMap((type) => {
    const sameType = shapes.filter((shape) => shape.type === type);
    if (sameType.length === 0) return [];
    return type === "number" && sameType.every(isInteger) ? ["integer"] : [type];
  });
  if (types.length === valueTypes.length && !types.includes("integer")) return "any";
  return types.length > 1 ? types : (types[0] ?? "none");
}

/** Returns false for any limit without a number, such as `pattern`. */
export function isWithin(value: unknown, { keyword, value: bound }: Limit): boolean {
  if (typeof bound !== "number") return false;
  const size = measure(value);
  if (keyword === "multipleOf") return Number.isInteger(size / bound);
  const margin = isLowerBound(keyword) ? size - bound : bound - size;
  return keyword.startsWith("exclusive") ? margin > 0 : margin >= 0;
}

function measure(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" ? Array.from(value).length : Object.keys(value ?? {}).length;
}

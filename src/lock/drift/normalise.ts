import { schemaLevelsMax, shapesMax, subschemasMax } from "#limits/definitions.ts";
import { canonicalJson } from "#wire/canonical.ts";
import { isObject, type JsonObject } from "#wire/json.ts";
import { referenceTarget } from "#wire/schema-walk.ts";
import {
  anything,
  common,
  meet,
  merged,
  propertyIn,
  typeText,
  typeOfValue,
  valueTypes,
  type Exact,
  type Shape,
  type Subschema,
  type ValueType,
} from "./shapes.ts";

/** The schema is too large or invalid. */
class UndecidedSchema extends Error {}

const isTrivialBound: { readonly [keyword: string]: (value: number) => boolean } = {
  // Schema generators write the largest safe integers for a number without limits.
  minimum: (value) => value <= -Number.MAX_SAFE_INTEGER,
  exclusiveMinimum: (value) => value <= -Number.MAX_SAFE_INTEGER,
  maximum: (value) => value >= Number.MAX_SAFE_INTEGER,
  exclusiveMaximum: (value) => value >= Number.MAX_SAFE_INTEGER,
  minLength: (value) => value <= 0,
  maxLength: (value) => value >= Number.MAX_SAFE_INTEGER,
  minItems: (value) => value <= 0,
  maxItems: (value) => value >= Number.MAX_SAFE_INTEGER,
  minProperties: (value) => value <= 0,
  maxProperties: (value) => value >= Number.MAX_SAFE_INTEGER,
};

const keywordsByType: { readonly [type in ValueType]: readonly string[] } = {
  null: [],
  boolean: [],
  number: ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf", "format"],
  string: "minLength maxLength pattern format contentEncoding contentMediaType".split(" "),
  array: ["minItems", "maxItems", "uniqueItems"],
  object: ["minProperties", "maxProperties"],
};

/** Keywords that only have a meaning together and fit no shape. */
const opaqueGroups: readonly (readonly [keywords: readonly string[], type: ValueType | "any"])[] = [
  [["not"], "any"],
  [["if", "then", "else"], "any"],
  [["$dynamicRef"], "any"],
  [["$recursiveRef"], "any"],
  [["contains", "minContains", "maxContains"], "array"],
  [["unevaluatedItems"], "array"],
  [["patternProperties", "additionalProperties"], "object"],
  [["propertyNames"], "object"],
  [["dependencies"], "object"],
  [["dependentRequired"], "object"],
  [["dependentSchemas"], "object"],
  [["unevaluatedProperties"], "object"],
];

export class Shapes {
  readonly root: unknown;
  readonly #known = new Map<string, readonly Shape[] | undefined>();
  /** Canonical JSON. */
  readonly text: string;
  #left = subschemasMax;

  constructor(root: unknown) {
    this.root = root;
    this.text = canonicalJson(root);
  }

  /** Undefined when they are too many or undecided. */
  expand(subschema: Subschema): readonly Shape[] | undefined {
    const key = canonicalJson(subschema);
    if (this.#known.has(key)) return this.#known.get(key);
    const shapes = this.#tryMeet(subschema);
    this.#known.set(key, shapes);
    return shapes;
  }

  #tryMeet(subschema: Subschema): readonly Shape[] | undefined {
    try {
      return merged(this.#meetAll(subschema, []));
    } catch (error) {
      if (error instanceof UndecidedSchema) return undefined;
      throw error;
    }
  }

  #meetAll(schemas: Subschema, references: readonly string[]): Shape[] {
    return schemas.reduce<Shape[]>(
      (shapes, schema) => meetUnions(shapes, this.#shapesIn(schema, references)),
      withListed(
        valueTypes.map((type) => ({ type, ...anything })),
        {},
      ),
    );
  }

  #shapesIn(schema: unknown, references: readonly string[]): Shape[] {
    this.#left -= 1;
    if (this.#left < 0 || references.length > schemaLevelsMax) throw new UndecidedSchema();
    if (schema === false) return [];
    if (schema === true || schema === undefined) return this.#meetAll([], references);
    if (!isObject(schema)) throw new UndecidedSchema();
    const shapes = typesAllowed(schema).map((type) => this.#shapeOfType(type, schema));
    const unions = ["anyOf", "oneOf"].flatMap((keyword) =>
      this.#union(keyword, schema, references),
    );
    const others = [
      ...this.#referred(schema, references),
      ...unions,
      ...this.#allOf(schema, references),
    ];
    return others.reduce(meetUnions, withListed(shapes, schema));
  }

  #referred({ $ref: reference }: JsonObject, references: readonly string[]): Shape[][] {
    if (reference === undefined) return [];
    // A reference that leads to itself before any property says nothing.
    if (typeof reference !== "string" || references.includes(reference))
      throw new UndecidedSchema();
    const target = referenceTarget(reference, this.root);
    if (target === undefined) throw new UndecidedSchema();
    return [this.#shapesIn(target, [...references, reference])];
  }

  #allOf({ allOf }: JsonObject, references: readonly string[]): Shape[][] {
    if (allOf === undefined) return [];
    if (!Array.isArray(allOf)) throw new UndecidedSchema();
    return allOf.map((schema) => this.#shapesIn(schema, [...references, ""]));
  }

  #union(keyword: string, schema: JsonObject, references: readonly string[]): Shape[][] {
    const branches = schema[keyword];
    if (branches === undefined) return [];
    if (!Array.isArray(branches)) throw new UndecidedSchema();
    const unions = branches.map((branch) => this.#shapesIn(branch, [...references, ""]));
    const union = unions.flat();
    if (union.length > shapesMax) throw new UndecidedSchema();
    if (keyword === "anyOf" || this.#areDisjoint(unions)) return [union];
    return [union.map((shape) => withExact(shape, keyword, this.#closed(branches)))];
  }

  /** By types, values and required properties. */
  #areDisjoint(unions: readonly (readonly Shape[])[]): boolean {
    return unions.every((shapes, at) =>
      unions
        .slice(at + 1)
        .flat()
        .every((other) => shapes.every((shape) => this.#isApart(shape, other, 0))),
    );
  }

  #isApart(shape: Shape, other: Shape, level: number): boolean {
    const { values } = shape;
    if (shape.type !== other.type) return true;
    if (values && other.values) return ![...values.keys()].some((key) => other.values?.has(key));
    if (level > 2) return false;
    return [...shape.required.union(other.required)].some((name) => {
      const [mine, theirs] = [propertyIn(shape, name), propertyIn(other, name)];
      if (mine === shape.rest || theirs === other.rest) return false;
      const [inner, outer] = [this.expand(mine), this.expand(theirs)];
      if (!inner || !outer) return false;
      return inner.every((one) => outer.every((another) => this.#isApart(one, another, level + 1)));
    });
  }

  #shapeOfType(type: ValueType, schema: JsonObject): Shape {
    const bounds = new Map<string, number>();
    const exact = new Map<string, Exact>();
    for (const keyword of keywordsByType[type]) {
      const value = schema[keyword];
      const isTrivial = isTrivialBound[keyword];
      if (value === undefined || (keyword === "uniqueItems" && value === false)) continue;
      if (!isTrivial || typeof value !== "number") setExact(exact, keyword, value);
      else if (!isTrivial(value)) bounds.set(keyword, value);
    }
    if (type === "number" && isIntegerOnly(schema)) {
      setExact(exact, "multipleOf", 1);
      tightenIntegers(bounds);
    }
    this.#addOpaque(exact, type, schema);
    const shape = { ...anything, type, bounds, exact };
    if (type === "object") return { ...shape, ...objectPart(schema) };
    return type === "array" ? { ...shape, ...arrayPart(schema) } : shape;
  }

  #addOpaque(exact: Map<string, Exact>, type: ValueType, schema: JsonObject): void {
    for (const [group, types] of opaqueGroups) {
      const [first = ""] = group;
      if (schema[first] === undefined || (types !== "any" && types !== type)) continue;
      const members =
        group.length === 1
          ? schema[first]
          : Object.fromEntries(group.map((name) => [name, schema[name]]));
      // Which properties or items are left to judge depends on every keyword next to it.
      setExact(exact, first, this.#closed(first.startsWith("unevaluated") ? schema : members));
    }
  }

  #closed(part: unknown): unknown {
    return /"\$(?:ref|dynamicRef|recursiveRef)"/.test(canonicalJson(part))
      ? { part, root: this.text }
      : part;
  }
}

function setExact(exact: Map<string, Exact>, keyword: string, value: unknown): void {
  exact.set(canonicalJson([keyword, value]), { keyword, value });
}

function isIntegerOnly({ type }: JsonObject): boolean {
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return types.includes("integer") && !types.includes("number");
}

// Between integers an exclusive bound is the next inclusive one.
function tightenIntegers(bounds: Map<string, number>): void {
  const [above, below] = [bounds.get("exclusiveMinimum"), bounds.get("exclusiveMaximum")];
  const [from, to] = [bounds.get("minimum"), bounds.get("maximum")];
  if (above !== undefined)
    bounds.set("minimum", Math.max(from ?? -Infinity, Math.floor(above) + 1));
  if (below !== undefined) bounds.set("maximum", Math.min(to ?? Infinity, Math.ceil(below) - 1));
  bounds.delete("exclusiveMinimum");
  bounds.delete("exclusiveMaximum");
}

function typesAllowed(schema: JsonObject): ValueType[] {
  const { type, nullable } = schema;
  if (type === undefined) return [...valueTypes];
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  const names = types.map((name) => (name === "integer" ? "number" : name));
  if (nullable === true) names.push("null");
  if (names.some((name) => !valueTypes.some((known) => known === name)))
    throw new UndecidedSchema();
  return valueTypes.filter((known) => names.includes(known));
}

function objectPart(schema: JsonObject): Pick<Shape, "properties" | "required" | "rest"> {
  const { properties = {}, required = [], additionalProperties: rest } = schema;
  if (!isObject(properties) || !Array.isArray(required)) throw new UndecidedSchema();
  const names = required.filter((name): name is string => typeof name === "string");
  const hasPatterns = schema["patternProperties"] !== undefined;
  return {
    properties: new Map(
      Object.entries(properties).map(([name, one]) => [name, withoutTrivial(one)]),
    ),
    required: new Set(names),
    rest: hasPatterns ? [] : withoutTrivial(rest),
  };
}

// Up to draft 7 `items` could be a list.
function arrayPart(schema: JsonObject): Pick<Shape, "prefix" | "items"> {
  const { items, prefixItems, additionalItems } = schema;
  const list = Array.isArray(items) ? items : (prefixItems ?? []);
  if (!Array.isArray(list)) throw new UndecidedSchema();
  return {
    prefix: list.map(withoutTrivial),
    items: withoutTrivial(Array.isArray(items) ? additionalItems : items),
  };
}

function withoutTrivial(schema: unknown): Subschema {
  const isTrivial = schema === undefined || schema === true;
  return isTrivial || (isObject(schema) && Object.keys(schema).length === 0) ? [] : [schema];
}

function withListed(shapes: readonly Shape[], schema: JsonObject): Shape[] {
  let found: Shape[] = shapes.map((shape) =>
    shape.type === "null" || shape.type === "boolean"
      ? withValues(shape, [null, false, true])
      : shape,
  );
  const { enum: listed } = schema;
  if (listed !== undefined && !Array.isArray(listed)) throw new UndecidedSchema();
  if (listed) found = found.map((shape) => withValues(shape, listed));
  if (Object.hasOwn(schema, "const"))
    found = found.map((one) => withValues(one, [schema["const"]]));
  return found.filter(({ values }) => values?.size !== 0);
}

function withValues(shape: Shape, listed: readonly unknown[]): Shape {
  const ofType = listed.filter((value) => typeOfValue(value) === shape.type);
  const values = new Map(ofType.map((value) => [canonicalJson(value), value]));
  return { ...shape, values: shape.values ? common(shape.values, values) : values };
}

function withExact(shape: Shape, keyword: string, value: unknown): Shape {
  const key = canonicalJson([keyword, value]);
  return { ...shape, exact: new Map([...shape.exact, [key, { keyword, value }]]) };
}

function meetUnions(shapes: readonly Shape[], others: readonly Shape[]): Shape[] {
  if (shapes.length * others.length > shapesMax * valueTypes.length) throw new UndecidedSchema();
  return shapes.flatMap((shape) =>
    others.flatMap((other) => {
      const met = shape.type === other.type ? meet(shape, other) : undefined;
      return met && met.values?.size !== 0 ? [met] : [];
    }),
  );
}

/** `required string`, `optional, any type`. */
export function propertyText(shape: Shape, name: string, shapes: Shapes): string {
  const word = shape.required.has(name) ? "required" : "optional";
  const type = typeText(shapes.expand(propertyIn(shape, name)) ?? []);
  if (type === "any" || type === "none") return `${word}, any type`;
  return `${word} ${Array.isArray(type) ? type.join(" or ") : String(type)}`;
}

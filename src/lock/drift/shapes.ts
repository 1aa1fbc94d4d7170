import { canonicalJson } from "#wire/canonical.ts";
import { listText } from "./values.ts";

/** Values of a type: every spelling of the same limits has the same shape. */
export type Shape = {
  readonly type: ValueType;
  /** By canonical JSON; absent when any value within the limits is accepted. */
  readonly values?: ReadonlyMap<string, unknown>;
  /** `minimum`, `maxLength`. */
  readonly bounds: ReadonlyMap<string, number>;
  /** Only comparable for equality, as patterns are; by canonical JSON. */
  readonly exact: ReadonlyMap<string, Exact>;
  readonly properties: ReadonlyMap<string, Subschema>;
  readonly required: ReadonlySet<string>;
  /** Unnamed properties. */
  readonly rest: Subschema;
  readonly prefix: readonly Subschema[];
  readonly items: Subschema;
};

export type Exact = { readonly keyword: string; readonly value: unknown };

/** A value must fit all of them; an empty list accepts everything. */
export type Subschema = readonly unknown[];

export type ValueType = (typeof valueTypes)[number];

export const valueTypes = ["object", "array", "string", "number", "boolean", "null"] as const;

export function typeOfValue(value: unknown): ValueType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return valueTypes.find((type) => type === typeof value) ?? "null";
}

export const anything: Omit<Shape, "type"> = {
  bounds: new Map(),
  exact: new Map(),
  properties: new Map(),
  required: new Set(),
  rest: [],
  prefix: [],
  items: [],
};

export function propertyIn({ properties, rest }: Shape, name: string): Subschema {
  return properties.get(name) ?? rest;
}

export function itemIn({ prefix, items }: Shape, index: number): Subschema {
  return prefix[index] ?? items;
}

/** Both shapes must have the same type. */
export function meet(shape: Shape, other: Shape): Shape {
  const bounds = new Map(shape.bounds);
  for (const [keyword, value] of other.bounds) {
    const known = bounds.get(keyword) ?? value;
    bounds.set(keyword, isLower(keyword) ? Math.max(known, value) : Math.min(known, value));
  }
  const names = new Set([...shape.properties.keys(), ...other.properties.keys()]);
  const places = Array.from(
    { length: Math.max(shape.prefix.length, other.prefix.length) },
    (_, at) => at,
  );
  const lists = [shape.values, other.values].filter((values) => values !== undefined);
  const [values, further] = lists;
  return {
    type: shape.type,
    ...(values ? { values: further ? common(values, further) : values } : {}),
    bounds,
    exact: new Map([...shape.exact, ...other.exact]),
    properties: new Map(
      [...names].map((name) => [name, both(propertyIn(shape, name), propertyIn(other, name))]),
    ),
    required: shape.required.union(other.required),
    rest: both(shape.rest, other.rest),
    prefix: places.map((at) => both(itemIn(shape, at), itemIn(other, at))),
    items: both(shape.items, other.items),
  };
}

function both(one: Subschema, other: Subschema): Subschema {
  const known = new Set(one.map(canonicalJson));
  return [...one, ...other.filter((schema) => !known.has(canonicalJson(schema)))];
}

/** A larger bound accepts fewer values. */
export function isLower(keyword: string): boolean {
  return keyword.startsWith("min") || keyword === "exclusiveMinimum";
}

export function merged(shapes: readonly Shape[]): Shape[] {
  const lists = new Map<ValueType, Map<string, unknown>>();
  const others = new Map<string, Shape>();
  for (const shape of shapes) {
    const { type, values } = shape;
    if (values && shape.exact.size === 0 && shape.bounds.size === 0 && isScalar(type)) {
      lists.set(type, new Map([...(lists.get(type) ?? []), ...values]));
    } else others.set(shapeKey(shape), shape);
  }
  const listed = [...lists].map(([type, values]): Shape => ({ ...anything, type, values }));
  return [...listed, ...others.values()];
}

function isScalar(type: ValueType): boolean {
  return type !== "array" && type !== "object";
}

function shapeKey(shape: Shape): string {
  const { type, values, bounds, exact, properties, required, rest, prefix, items } = shape;
  const lists = [values?.keys() ?? [0], bounds, exact.keys(), properties, required].map((list) =>
    [...list].map((entry) => canonicalJson(entry)).toSorted(),
  );
  return canonicalJson([type, ...lists, rest, prefix, items]);
}

/** A number covers an integer. */
export function typesIn(shapes: readonly Shape[]): Set<string> {
  return new Set(
    valueTypes.flatMap((type) => {
      const alike = shapes.filter((shape) => shape.type === type);
      if (type !== "number" || alike.length === 0) return alike.length === 0 ? [] : [type];
      return alike.every(({ exact }) => exact.has(integerKey)) ? ["integer"] : ["integer", type];
    }),
  );
}

const integerKey = canonicalJson(["multipleOf", 1]);

/** `string`, `["string","null"]`, `any` or `none`. */
export function typeText(shapes: readonly Shape[]): unknown {
  const types = typesIn(shapes);
  if (types.has("number")) types.delete("integer");
  const [first = "none", ...others] = types;
  if (types.size === valueTypes.length) return "any";
  return others.length === 0 ? first : [...types];
}

export function common<Value>(
  values: ReadonlyMap<string, Value>,
  others: ReadonlyMap<string, Value>,
): ReadonlyMap<string, Value> {
  return new Map([...values].filter(([key]) => others.has(key)));
}

export function shapeText({ type, values, properties }: Shape): unknown {
  if (values) return [...values.values()];
  return properties.size === 0 ? type : `${type} with ${listText([...properties.keys()])}`;
}

import { canonicalJson } from "#wire/canonical.ts";
import type { Shapes } from "./normalise.ts";
import { isLower, itemIn, propertyIn, typeOfValue, type Shape, type Subschema } from "./shapes.ts";

/** Proves that each value that fits a schema fits another. */
export class Containment {
  readonly #inner: Shapes;
  readonly #outer: Shapes;
  // A value is finite, so a proof may rest on itself.
  readonly #assumed = new Set<string>();
  readonly #refuted = new Set<string>();

  constructor(inner: Shapes, outer: Shapes) {
    this.#inner = inner;
    this.#outer = outer;
  }

  /** False when disproven or undecided. */
  proves(inner: Subschema, outer: Subschema): boolean {
    if (outer.length === 0) return true;
    if (areEqual(inner, outer, [this.#inner, this.#outer])) return true;
    const pair = canonicalJson([inner, outer]);
    if (this.#assumed.has(pair)) return true;
    if (this.#refuted.has(pair)) return false;
    const before = this.#assumed.size;
    this.#assumed.add(pair);
    const [shapes, others] = [this.#inner.expand(inner), this.#outer.expand(outer)];
    if (others && shapes?.every((shape) => this.provesShape(shape, others))) return true;
    // Later proofs may rest on this pair.
    for (const proven of [...this.#assumed].slice(before)) this.#assumed.delete(proven);
    this.#refuted.add(pair);
    return false;
  }

  provesShape(shape: Shape, others: readonly Shape[]): boolean {
    const candidates = others.filter(({ type }) => type === shape.type);
    if (candidates.some((other) => this.#isWithin(shape, other))) return true;
    return (
      shape.values !== undefined &&
      [...shape.values.values()].every((value) => candidates.some((other) => fits(value, other)))
    );
  }

  #isWithin(shape: Shape, other: Shape): boolean {
    if (other.values && !isListed(shape, other.values)) return false;
    return (
      [...other.bounds].every(([keyword, bound]) => isImplied(shape, keyword, bound)) &&
      [...other.exact].every(
        ([key, { keyword, value }]) =>
          shape.exact.has(key) || (keyword === "multipleOf" && isMultiple(shape, value)),
      ) &&
      [...other.required].every((name) => shape.required.has(name)) &&
      this.#areMembersWithin(shape, other)
    );
  }

  #areMembersWithin(shape: Shape, other: Shape): boolean {
    const names = new Set([...shape.properties.keys(), ...other.properties.keys()]);
    const indexes = Array.from({ length: Math.max(shape.prefix.length, other.prefix.length) });
    return (
      [...names].every((name) => this.proves(propertyIn(shape, name), propertyIn(other, name))) &&
      indexes.every((_, at) => this.proves(itemIn(shape, at), itemIn(other, at))) &&
      this.proves(shape.rest, other.rest) &&
      this.proves(shape.items, other.items)
    );
  }
}

export function areEqual(
  inner: Subschema,
  outer: Subschema,
  [mine, theirs]: readonly [Shapes, Shapes],
): boolean {
  const text = canonicalJson(inner);
  return text === canonicalJson(outer) && (!text.includes('"$ref"') || mine.text === theirs.text);
}

function isListed({ values }: Shape, listed: ReadonlyMap<string, unknown>): boolean {
  return values !== undefined && [...values.keys()].every((key) => listed.has(key));
}

function isImplied({ bounds, values }: Shape, keyword: string, bound: number): boolean {
  if (values) return [...values.values()].every((value) => isWithinBound(value, keyword, bound));
  const same = bounds.get(keyword);
  if (same !== undefined && (isLower(keyword) ? same >= bound : same <= bound)) return true;
  // `exclusiveMinimum: 0` implies `minimum: 0`, and `minimum: 1` implies `exclusiveMinimum: 0`.
  const related = bounds.get(relatedBounds[keyword] ?? "");
  if (related === undefined) return false;
  if (keyword === "minimum") return related >= bound;
  if (keyword === "maximum") return related <= bound;
  return isLower(keyword) ? related > bound : related < bound;
}

const relatedBounds: { readonly [keyword: string]: string } = {
  minimum: "exclusiveMinimum",
  maximum: "exclusiveMaximum",
  exclusiveMinimum: "minimum",
  exclusiveMaximum: "maximum",
};

function isMultiple({ exact, values }: Shape, divisor: unknown): boolean {
  const numbers = values
    ? [...values.values()]
    : [...exact.values()]
        .filter(({ keyword }) => keyword === "multipleOf")
        .map(({ value }) => value);
  const isDivided = (value: unknown): boolean =>
    typeof value === "number" && typeof divisor === "number" && Number.isInteger(value / divisor);
  return values ? numbers.every(isDivided) : numbers.some(isDivided);
}

function fits(
  value: unknown,
  { type, values, bounds, exact, required, properties, prefix, ...rest }: Shape,
): boolean {
  if (typeOfValue(value) !== type) return false;
  if (exact.size > 0) return false;
  if (values) return values.has(canonicalJson(value)) && isInBounds(value, { bounds });
  if (required.size > 0 || properties.size > 0 || prefix.length > 0) return false;
  if (rest.rest.length > 0 || rest.items.length > 0) return false;
  return isInBounds(value, { bounds });
}

export function isInBounds(value: unknown, { bounds }: Pick<Shape, "bounds">): boolean {
  return [...bounds].every(([keyword, bound]) => isWithinBound(value, keyword, bound));
}

function isWithinBound(value: unknown, keyword: string, bound: number): boolean {
  const size = sizeFor(value, keyword);
  if (size === undefined) return false;
  if (keyword === "exclusiveMinimum") return size > bound;
  if (keyword === "exclusiveMaximum") return size < bound;
  return isLower(keyword) ? size >= bound : size <= bound;
}

function sizeFor(value: unknown, keyword: string): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "string") return Array.from(value).length;
  if (Array.isArray(value)) return value.length;
  return keyword.endsWith("Properties") && typeof value === "object" && value !== null
    ? Object.keys(value).length
    : undefined;
}

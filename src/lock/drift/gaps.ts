import { driftLevelsMax, gapsMax, subschemasMax } from "#limits/definitions.ts";
import { canonicalJson } from "#wire/canonical.ts";
import { Examples } from "./examples.ts";
import {
  isInteger,
  isLower,
  isWithin,
  memberIn,
  typeText,
  type Limit,
  type Shape,
  type Shapes,
  type Subschema,
} from "./shapes.ts";

/** A rule by which a schema may reject what another accepts, or a name that it does not have. */
export type Gap = {
  /** `.filter.since`, `.rows[].id`; empty for the whole schema. */
  readonly path: string;
  /** Also `type`, `enum`, `required` and `name`; empty where the schemas could not be compared. */
  readonly keyword: string;
  readonly from: unknown;
  readonly to: unknown;
  /** Values of an enumeration that are not accepted. */
  readonly lost?: readonly unknown[];
  /** The same wherever a reference leads to this gap. */
  readonly origin?: string;
  /** Values of the whole schema that may be rejected. */
  readonly examples: () => Iterable<unknown>;
};

/** Two branches of the same type, and all of the branches that they were taken from. */
type Pair = {
  readonly shape: Shape;
  readonly siblings: readonly Shape[];
  readonly other: Shape;
  readonly others: readonly Shape[];
};

/** Decides whether each value of one schema fits another. */
export class Gaps {
  readonly #from: Shapes;
  readonly #to: Shapes;
  readonly #examples: Examples;
  readonly #known = new Map<string, readonly Gap[]>();
  #left = subschemasMax;

  constructor(from: Shapes, to: Shapes) {
    this.#from = from;
    this.#to = to;
    this.#examples = new Examples(from);
  }

  /** Empty when it is proven that there is none. */
  find(from: Subschema, to: Subschema, level: number = 0): readonly Gap[] {
    if (to.length === 0) return [];
    const key = canonicalJson([from, to]);
    const isReferring = key.includes('"$ref"');
    const isSameText = canonicalJson(from) === canonicalJson(to);
    if (isSameText && (!isReferring || this.#from.text === this.#to.text)) return [];
    const known = this.#known.get(key);
    if (known) return known;
    // A value is finite, so a proof may rest on itself.
    this.#known.set(key, []);
    const before = this.#known.size;
    const found = this.#compare(from, to, level);
    const gaps = isReferring
      ? found.map((gap) => ({ origin: `${key}${gap.path}`, ...gap }))
      : found;
    // Later proofs may rest on this pair.
    const later = gaps.length === 0 ? [] : [...this.#known].slice(before);
    for (const [one, { length }] of later) if (length === 0) this.#known.delete(one);
    this.#known.set(key, gaps);
    return gaps;
  }

  #compare(from: Subschema, to: Subschema, level: number): Gap[] {
    this.#left -= 1;
    const isTooLarge = this.#left < 0 || level > driftLevelsMax;
    const [mine, theirs] = isTooLarge ? [] : [this.#from.expand(from), this.#to.expand(to)];
    if (!mine || !theirs) {
      const examples = (): Iterable<unknown> => this.#examples.of(from);
      return [{ path: "", keyword: "", from: from[0], to: to[0], examples }];
    }
    const alike = (shape: Shape): Shape[] => theirs.filter(({ type }) => type === shape.type);
    const lost = mine.filter(
      (shape) =>
        !alike(shape).some(
          (one) => shape.values !== undefined || isInteger(shape) || !isInteger(one),
        ),
    );
    const types = { from: typeText(mine), to: typeText(theirs) };
    const hasIntegers = theirs.some(isInteger);
    const examples = (): Iterable<unknown> =>
      lost
        .values()
        .flatMap((shape) => this.#examples.ofShape(shape))
        .filter((value) => !hasIntegers || !Number.isInteger(value));
    const gaps: Gap[] = lost.length > 0 ? [{ path: "", keyword: "type", ...types, examples }] : [];
    // Nothing else is comparable with a schema that accepted anything.
    if (gaps.length > 0 && from.length === 0) return gaps;
    for (const shape of mine.filter((one) => !lost.includes(one))) {
      const siblings = mine.filter(({ type }) => type === shape.type);
      gaps.push(...this.#compareShape(shape, siblings, alike(shape), level + 1));
    }
    return gaps.slice(0, gapsMax);
  }

  #compareShape(
    shape: Shape,
    siblings: readonly Shape[],
    others: readonly Shape[],
    level: number,
  ): readonly Gap[] {
    if (shape.values) {
      const lost = lostValues(shape, others);
      if (lost.length > 0 || [...shape.values.values()].every((one) => fitsAny(one, others)))
        return lost;
    }
    const names = [...shape.members.keys()].filter((name) => this.#isLost(name, shape, others));
    const nameGaps = names.map((name): Gap => {
      const value = memberIn(shape, name);
      const examples = (): Iterable<unknown> =>
        this.#examples.of(value, 1).map((one) => this.#examples.with(shape, name, one));
      const from = this.#memberText(shape, name);
      return { path: `.${name}`, keyword: "name", from, to: undefined, examples };
    });
    const branches = others.map((other) =>
      this.#comparePair({ shape, siblings, other, others }, level),
    );
    const [nearest = []] = branches.toSorted((one, other) => distance(one) - distance(other));
    // Other constants belong to another branch: nothing else of it is comparable.
    const constants = nearest.filter(isOtherConstant);
    return [...nameGaps, ...(constants.length > 0 ? constants : nearest)];
  }

  /** No branch has the name, or a rule for all others that its values keep. */
  #isLost(name: string, shape: Shape, others: readonly Shape[]): boolean {
    if (shape.type !== "object") return false;
    return !others.some(
      ({ members, rest }) =>
        members.has(name) ||
        (rest.length > 0 && this.find(memberIn(shape, name), rest).length === 0),
    );
  }

  #comparePair(pair: Pair, level: number): readonly Gap[] {
    const { shape, other } = pair;
    const examples = (): Iterable<unknown> => this.#examples.ofShape(shape);
    const gaps: Gap[] = [];
    if (other.values && !shape.values) {
      const to = [...other.values.values()];
      gaps.push({ path: "", keyword: "enum", from: undefined, to, examples });
    }
    for (const [key, limit] of other.limits) {
      if (!shape.limits.has(key) && !implies(shape, limit)) gaps.push(this.#limitGap(shape, limit));
    }
    const names = new Set([...shape.members.keys(), ...other.members.keys(), ...other.required]);
    for (const name of names) gaps.push(...this.#compareMember(name, pair, level));
    const isList = shape.type === "array";
    const free = isList ? String(names.size) : freeName(names);
    const rest = this.find(shape.rest, other.rest, level);
    return [...gaps, ...this.#within(shape, free, isList ? "[]" : ".*", rest)];
  }

  #limitGap(shape: Shape, limit: Limit): Gap {
    const { keyword, value: to } = limit;
    const same = [...shape.limits.values()].find((one) => one.keyword === keyword);
    const examples = (): Iterable<unknown> =>
      this.#examples
        .ofShape(shape, 0, limit)
        .filter((value) => typeof to !== "number" || !isWithin(value, limit));
    return { path: "", keyword, from: same?.value, to, examples };
  }

  #compareMember(name: string, pair: Pair, level: number): readonly Gap[] {
    const { shape, siblings, other, others } = pair;
    if (this.#isLost(name, shape, others) && shape.members.has(name)) return [];
    const path = shape.type === "array" ? `[${name}]` : `.${name}`;
    const isNew = !siblings.some(({ members, rest }) => members.has(name) || rest.length > 0);
    // Values of a name that meant nothing are not relied on.
    const isFree = isNew && shape.type === "object";
    const inside = isFree ? [] : this.find(memberIn(shape, name), memberIn(other, name), level);
    const gaps = this.#within(shape, name, path, inside);
    if (!other.required.has(name) || shape.required.has(name)) return gaps;
    const isKnown = shape.members.has(name);
    const from = isKnown ? "optional" : undefined;
    const to = isKnown
      ? "required"
      : `required ${typeName(this.#to.expand(memberIn(other, name)))}`;
    const examples = (): Iterable<unknown> => this.#examples.ofShape(shape);
    return [{ path, keyword: "required", from, to, examples }, ...gaps];
  }

  #within(shape: Shape, name: string, path: string, gaps: readonly Gap[]): Gap[] {
    return gaps.map((gap) => ({
      ...gap,
      path: `${path}${gap.path}`,
      examples: () =>
        Iterator.from(gap.examples()).map((value) => this.#examples.with(shape, name, value)),
    }));
  }

  #memberText(shape: Shape, name: string): string {
    const word = shape.required.has(name) ? "required" : "optional";
    return `${word} ${typeName(this.#from.expand(memberIn(shape, name)))}`;
  }
}

function freeName(names: ReadonlySet<string>): string {
  let name = "other";
  while (names.has(name)) name += "_";
  return name;
}

function typeName(shapes: readonly Shape[] | undefined): string {
  const type = typeText(shapes);
  return Array.isArray(type) ? type.join(" or ") : String(type);
}

function distance(gaps: readonly Gap[]): number {
  return gaps.reduce((sum, gap) => sum + (isOtherConstant(gap) ? 3 : 1), 0);
}

function isOtherConstant({ path, from, lost }: Gap): boolean {
  return /^\.[^.]+$/.test(path) && Array.isArray(from) && lost?.length === from.length;
}

function lostValues({ type, values = new Map() }: Shape, others: readonly Shape[]): Gap[] {
  const isScalar = type !== "object" && type !== "array";
  const isListed = (key: string): boolean =>
    others.some((other) => !other.values || other.values.has(key));
  const lost = [...values].flatMap(([key, value]: readonly [string, unknown]) =>
    (isScalar && isListed(key)) || fitsAny(value, others) ? [] : [value],
  );
  if (lost.length === 0) return [];
  const isOpen = others.some((other) => !other.values);
  const to = isOpen ? undefined : others.flatMap((other) => [...(other.values?.values() ?? [])]);
  const from = [...values.values()];
  return [{ path: "", keyword: "enum", from, to, lost, examples: () => lost }];
}

function fitsAny(value: unknown, shapes: readonly Shape[]): boolean {
  return shapes.some((shape) => fits(value, shape));
}

/** False also where it is not decided. */
function fits(value: unknown, { values, limits, members, required, rest }: Shape): boolean {
  if (values && !values.has(canonicalJson(value))) return false;
  if (members.size + required.size + rest.length > 0) return false;
  return [...limits.values()].every((limit) => isWithin(value, limit));
}

function implies({ limits }: Shape, { keyword, value }: Limit): boolean {
  const family = keyword.replace("exclusiveM", "m");
  return [...limits.values()].some((mine) => {
    if (typeof mine.value !== "number" || typeof value !== "number") return false;
    if (mine.keyword.replace("exclusiveM", "m") !== family) return false;
    if (keyword === "multipleOf") return Number.isInteger(mine.value / value);
    const room = isLower(keyword) ? mine.value - value : value - mine.value;
    return room > 0 || (room === 0 && [mine.keyword, family].includes(keyword));
  });
}

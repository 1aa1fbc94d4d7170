import { subschemasMax } from "#kit/limits.ts";
import { driftLevelsMax } from "../limits.ts";
import { canonicalJson } from "#wire/json-equal.ts";
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

// A definition that many references lead to repeats its differences.
const gapsMax = 200;

/** A rule by which a schema may reject what another accepts, or a name that it does not have. */
export type Gap = {
  /** `.filter.since`, `.rows[].id`; empty for the whole schema. */
  readonly path: string;
  /** Also `type`, `enum`, `required` and `name`; empty where the schemas could not be compared. */
  readonly keyword: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly lost?: readonly unknown[];
  /** The same wherever a reference leads to this gap. */
  readonly origin?: string;
  /** Values of the whole schema that may be rejected. */
  readonly examples: () => Iterable<unknown>;
};

type Pair = {
  readonly shape: Shape;
  readonly siblings: readonly Shape[];
  readonly others: readonly Shape[];
  readonly level: number;
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
    const isLost = (shape: Shape): boolean =>
      !theirs.some(
        (other) =>
          other.type === shape.type && (shape.values || isInteger(shape) || !isInteger(other)),
      );
    const lost = mine.filter(isLost);
    const hasIntegers = theirs.some(isInteger);
    const examples = (): Iterable<unknown> =>
      lost
        .values()
        .flatMap((shape) => this.#examples.ofShape(shape))
        .filter((value) => !hasIntegers || !Number.isInteger(value));
    const types = { from: typeText(mine), to: typeText(theirs) };
    const gaps: Gap[] = lost.length > 0 ? [{ path: "", keyword: "type", ...types, examples }] : [];
    // Nothing else is comparable with a schema that accepted anything.
    if (gaps.length > 0 && from.length === 0) return gaps;
    for (const shape of mine.filter((one) => !isLost(one))) {
      const [siblings = [], others = []] = [mine, theirs].map((all) =>
        all.filter(({ type }) => type === shape.type),
      );
      gaps.push(...this.#compareShape({ shape, siblings, others, level: level + 1 }));
    }
    return gaps.slice(0, gapsMax);
  }

  #compareShape(pair: Pair): readonly Gap[] {
    const { shape, others } = pair;
    if (shape.values) {
      const values = [...shape.values.values()];
      const lost = values.filter((one) => !others.some((other) => accepts(one, other, false)));
      if (lost.length > 0) return [enumGap(values, others, lost)];
      if (values.every((one) => others.some((other) => accepts(one, other, true)))) return [];
    }
    const names = [...shape.members.keys()].filter((name) => this.#isLost(name, pair));
    const nameGaps = names.map((name): Gap => {
      const examples = (): Iterable<unknown> =>
        this.#examples
          .of(memberIn(shape, name), 1)
          .map((one) => this.#examples.with(shape, name, one));
      const from = memberText(this.#from, shape, name);
      return { path: `.${name}`, keyword: "name", from, to: undefined, examples };
    });
    const branches = others.map((other) => this.#comparePair(pair, other));
    const [nearest = []] = branches.toSorted((one, other) => distance(one) - distance(other));
    // Other constants belong to another branch: nothing else of it is comparable.
    const constants = nearest.filter(isOtherConstant);
    return [...nameGaps, ...(constants.length > 0 ? constants : nearest)];
  }

  /** No branch has the name, or a rule for all others that its values keep. */
  #isLost(name: string, { shape, others }: Pair): boolean {
    if (shape.type !== "object") return false;
    return !others.some(
      ({ members, rest }) =>
        members.has(name) ||
        (rest.length > 0 && this.find(memberIn(shape, name), rest).length === 0),
    );
  }

  #comparePair(pair: Pair, other: Shape): readonly Gap[] {
    const { shape, level } = pair;
    const limits = [...other.limits].filter(
      ([key, limit]) => !shape.limits.has(key) && !implies(shape, limit),
    );
    const gaps = limits.map(([, limit]): Gap => {
      const { keyword, value: to } = limit;
      const same = [...shape.limits.values()].find((one) => one.keyword === keyword);
      const examples = (): Iterable<unknown> =>
        this.#examples
          .ofShape(shape, 0, limit)
          .filter((value) => typeof to !== "number" || !isWithin(value, limit));
      return { path: "", keyword, from: same?.value, to, examples };
    });
    if (other.values && !shape.values) {
      const examples = (): Iterable<unknown> => this.#examples.ofShape(shape);
      gaps.push({
        path: "",
        keyword: "enum",
        from: undefined,
        to: [...other.values.values()],
        examples,
      });
    }
    const names = new Set([...shape.members.keys(), ...other.members.keys(), ...other.required]);
    const inside = [...names].flatMap((name) => this.#compareMember(name, pair, other));
    const isList = shape.type === "array";
    const further = names.has("other") ? `${[...names].join("")}_` : "other";
    const free = isList ? String(names.size) : further;
    const rest = this.find(shape.rest, other.rest, level);
    return [...gaps, ...inside, ...this.#within(shape, free, isList ? "[]" : ".*", rest)];
  }

  #compareMember(name: string, pair: Pair, other: Shape): readonly Gap[] {
    const { shape, siblings, level } = pair;
    const isKnown = shape.members.has(name);
    if (isKnown && this.#isLost(name, pair)) return [];
    const path = shape.type === "array" ? `[${name}]` : `.${name}`;
    // Values of a name that meant nothing are not relied on.
    const isRelied =
      shape.type === "array" ||
      siblings.some(({ members, rest }) => members.has(name) || rest.length > 0);
    const inside = isRelied ? this.find(memberIn(shape, name), memberIn(other, name), level) : [];
    const gaps = this.#within(shape, name, path, inside);
    if (!other.required.has(name) || shape.required.has(name)) return gaps;
    const [from, to] = isKnown
      ? ["optional", "required"]
      : [undefined, memberText(this.#to, other, name)];
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
}

/** `required string`. */
function memberText(shapes: Shapes, shape: Shape, name: string): string {
  const type = typeText(shapes.expand(memberIn(shape, name)));
  const words = Array.isArray(type) ? type.join(" or ") : String(type);
  return `${shape.required.has(name) ? "required" : "optional"} ${words}`;
}

function distance(gaps: readonly Gap[]): number {
  return gaps.reduce((sum, gap) => sum + (isOtherConstant(gap) ? 3 : 1), 0);
}

function isOtherConstant({ path, from, lost }: Gap): boolean {
  return /^\.[^.]+$/.test(path) && Array.isArray(from) && lost?.length === from.length;
}

function enumGap(from: unknown[], others: readonly Shape[], lost: unknown[]): Gap {
  const isOpen = others.some(({ values }) => !values);
  const to = isOpen ? undefined : others.flatMap(({ values }) => [...(values?.values() ?? [])]);
  return { path: "", keyword: "enum", from, to, lost, examples: () => lost };
}

/** False also where it is not decided. */
function accepts(value: unknown, shape: Shape, withLimits: boolean): boolean {
  const { values, limits, members, required, rest } = shape;
  if (values && !values.has(canonicalJson(value))) return false;
  if (members.size + required.size + rest.length > 0) return false;
  return !withLimits || [...limits.values()].every((limit) => isWithin(value, limit));
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

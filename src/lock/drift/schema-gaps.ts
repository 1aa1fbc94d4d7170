import { canonicalizeJson } from "#wire/json.ts";
import { Examples, makeUnusedName } from "./examples.ts";
import {
  isInteger,
  isLowerBound,
  isWithin,
  findMember,
  describeTypes,
  type Limit,
  type Shape,
  type Shapes,
  type Conjunction,
} from "./schema-shapes.ts";
import { subschemasMax } from "#wire/schema-walk.ts";

const levelsMax = 64;

// A comparison lists at most this many gaps, because the gaps of a schema repeat at each reference to it.
const gapsMax = 200;

// A difference that may let a value fit `from` but not `to`.
export type Gap = {
  // For example `.filter.since` or `.rows[].id`; empty for the root.
  readonly path: string;
  // A JSON Schema keyword; `name` for a member that `to` lacks; empty if the schemas could not be compared.
  readonly keyword: string;
  // The value of the keyword in each schema, or a description of it; undefined if the schema lacks the keyword.
  readonly from: unknown;
  readonly to: unknown;
  // Values that `from` lists and `to` does not accept.
  readonly lost?: readonly unknown[];
  // If references repeat a gap, all its copies have the same `origin`. Undefined without references.
  readonly origin?: string;
  // Candidates for a value that fits the root of `from`, but not the root of `to`.
  readonly examples: () => Iterable<unknown>;
};

type ShapeComparison = {
  readonly shape: Shape; // a shape of `from`
  readonly siblings: readonly Shape[]; // all of the same type in `from`, including `shape`
  readonly targets: readonly Shape[]; // all of the same type in `to`
  readonly level: number;
};

export class Gaps {
  readonly #from: Shapes;
  readonly #to: Shapes;
  readonly #examples: Examples;
  readonly #cache = new Map<string, readonly Gap[]>();
  #remaining = subschemasMax;

  constructor(from: Shapes, to: Shapes) {
    this.#from = from;
    this.#to = to;
    this.#examples = new Examples(from);
  }

  find(from: Conjunction, to: Conjunction, level: number = 0): readonly Gap[] {
    if (to.length === 0) return [];
    const key = canonicalizeJson([from, to]);
    const isReferring = key.includes('"$ref"');
    const isSameText = canonicalizeJson(from) === canonicalizeJson(to);
    if (isSameText && (!isReferring || this.#from.text === this.#to.text)) return [];
    const cached = this.#cache.get(key);
    if (cached) return cached;
    // While a pair is being compared, a recursive reference to it counts as having no gaps.
    // This is sound because JSON values are finite.
    this.#cache.set(key, []);
    const cachedBefore = this.#cache.size;
    const compared = this.#compare(from, to, level);
    const gaps = isReferring
      ? compared.map((gap) => ({ origin: `${key}${gap.path}`, ...gap }))
      : compared;
    // Comparisons cached meanwhile may have assumed that this pair has no gaps.
    const later = gaps.length === 0 ? [] : [...this.#cache].slice(cachedBefore);
    for (const [laterKey, { length }] of later) if (length === 0) this.#cache.delete(laterKey);
    this.#cache.set(key, gaps);
    return gaps;
  }

  #compare(from: Conjunction, to: Conjunction, level: number): Gap[] {
    this.#remaining -= 1;
    const isTooLarge = this.#remaining < 0 || level > levelsMax;
    const [fromShapes, toShapes] = isTooLarge ? [] : [this.#from.expand(from), this.#to.expand(to)];
    if (!fromShapes || !toShapes) {
      const examples = (): Iterable<unknown> => this.#examples.generate(from);
      return [{ path: "", keyword: "", from: from[0], to: to[0], examples }];
    }
    const isTypeLost = (shape: Shape): boolean =>
      !toShapes.some(
        (candidate) =>
          candidate.type === shape.type &&
          (shape.values || isInteger(shape) || !isInteger(candidate)),
      );
    const lostShapes = fromShapes.filter(isTypeLost);
    const hasIntegers = toShapes.some(isInteger);
    const examples = (): Iterable<unknown> =>
      lostShapes
        .values()
        .flatMap((shape) => this.#examples.generateForShape(shape))
        .filter((value) => !hasIntegers || !Number.isInteger(value));
    const types = { from: describeTypes(fromShapes), to: describeTypes(toShapes) };
    const gaps: Gap[] =
      lostShapes.length > 0 ? [{ path: "", keyword: "type", ...types, examples }] : [];
    // If `from` accepts any value, only the lost types are worth reporting.
    if (gaps.length > 0 && from.length === 0) return gaps;
    for (const shape of fromShapes.filter((candidate) => !isTypeLost(candidate))) {
      const [siblings = [], targets = []] = [fromShapes, toShapes].map((shapes) =>
        shapes.filter(({ type }) => type === shape.type),
      );
      gaps.push(...this.#compareShape({ shape, siblings, targets, level: level + 1 }));
    }
    return gaps.slice(0, gapsMax);
  }

  #compareShape(comparison: ShapeComparison): readonly Gap[] {
    const { shape, targets } = comparison;
    if (shape.values) {
      const values = [...shape.values.values()];
      const lost = values.filter(
        (value) => !targets.some((target) => accepts(value, target, { ignoresLimits: true })),
      );
      if (lost.length > 0) return [makeEnumGap(values, targets, lost)];
      if (values.every((value) => targets.some((target) => accepts(value, target)))) return [];
    }
    const names = [...shape.members.keys()].filter((name) => this.#isNameLost(name, comparison));
    const nameGaps = names.map((name): Gap => {
      const examples = (): Iterable<unknown> =>
        this.#examples
          .generate(findMember(shape, name), 1)
          .map((value) => this.#examples.makeWithMember(shape, name, value));
      const from = describeMember(this.#from, shape, name);
      return { path: `.${name}`, keyword: "name", from, to: undefined, examples };
    });
    const branches = targets.map((target) => this.#compareTarget(comparison, target));
    const [nearest = []] = branches.toSorted((a, b) => measureDistance(a) - measureDistance(b));
    // If no value of a member such as `kind` fits both shapes, they are different union branches: ignore other gaps.
    const disjointGaps = nearest.filter(hasNoCommonValue);
    return [...nameGaps, ...(disjointGaps.length > 0 ? disjointGaps : nearest)];
  }

  #isNameLost(name: string, { shape, targets, level }: ShapeComparison): boolean {
    if (shape.type !== "object") return false;
    return !targets.some(
      ({ members, otherMembers }) =>
        members.has(name) ||
        (otherMembers.length > 0 &&
          this.find(findMember(shape, name), otherMembers, level).length === 0),
    );
  }

  #compareTarget(comparison: ShapeComparison, target: Shape): readonly Gap[] {
    const { shape, level } = comparison;
    const limits = [...target.limits].filter(
      ([key, limit]) => !shape.limits.has(key) && !implies(shape, limit),
    );
    const gaps = limits.map(([, limit]): Gap => {
      const { keyword, value: to } = limit;
      const matching = [...shape.limits.values()].find((rule) => rule.keyword === keyword);
      const examples = (): Iterable<unknown> =>
        this.#examples
          .generateForShape(shape, 0, limit)
          .filter((value) => typeof to !== "number" || !isWithin(value, limit));
      return { path: "", keyword, from: matching?.value, to, examples };
    });
    if (target.values && !shape.values) {
      const examples = (): Iterable<unknown> => this.#examples.generateForShape(shape);
      gaps.push({
        path: "",
        keyword: "enum",
        from: undefined,
        to: [...target.values.values()],
        examples,
      });
    }
    const names = new Set([...shape.members.keys(), ...target.members.keys(), ...target.required]);
    // Only the first gap of each origin is reported, so members are compared in a fixed order.
    const memberGaps = [...names]
      .toSorted()
      .flatMap((name) => this.#compareMember(name, comparison, target));
    const isList = shape.type === "array";
    const sampleName = isList ? String(names.size) : makeUnusedName(names);
    const otherMemberGaps = this.find(shape.otherMembers, target.otherMembers, level);
    return [
      ...gaps,
      ...memberGaps,
      ...this.#nest(shape, sampleName, isList ? "[]" : ".*", otherMemberGaps),
    ];
  }

  #compareMember(name: string, comparison: ShapeComparison, target: Shape): readonly Gap[] {
    const { shape, siblings, level } = comparison;
    const isKnown = shape.members.has(name);
    if (isKnown && this.#isNameLost(name, comparison)) return [];
    const path = shape.type === "array" ? `[${name}]` : `.${name}`;
    // If `from` has no schema for this name, no caller depends on its values.
    const isInUse =
      shape.type === "array" ||
      siblings.some(({ members, otherMembers }) => members.has(name) || otherMembers.length > 0);
    const valueGaps = isInUse
      ? this.find(findMember(shape, name), findMember(target, name), level)
      : [];
    const gaps = this.#nest(shape, name, path, valueGaps);
    if (!target.required.has(name) || shape.required.has(name)) return gaps;
    const [from, to] = isKnown
      ? ["optional", "required"]
      : [undefined, describeMember(this.#to, target, name)];
    const examples = (): Iterable<unknown> => this.#examples.generateForShape(shape);
    return [{ path, keyword: "required", from, to, examples }, ...gaps];
  }

  #nest(shape: Shape, name: string, path: string, gaps: readonly Gap[]): Gap[] {
    return gaps.map((gap) => ({
      ...gap,
      path: `${path}${gap.path}`,
      examples: () =>
        Iterator.from(gap.examples()).map((value) =>
          this.#examples.makeWithMember(shape, name, value),
        ),
    }));
  }
}

function describeMember(shapes: Shapes, shape: Shape, name: string): string {
  const type = describeTypes(shapes.expand(findMember(shape, name)));
  const typeNames = Array.isArray(type) ? type.join(" or ") : String(type);
  return `${shape.required.has(name) ? "required" : "optional"} ${typeNames}`;
}

function measureDistance(gaps: readonly Gap[]): number {
  return gaps.reduce((sum, gap) => sum + (hasNoCommonValue(gap) ? 3 : 1), 0);
}

function hasNoCommonValue({ path, from, lost }: Gap): boolean {
  return /^\.[^.]+$/.test(path) && Array.isArray(from) && lost?.length === from.length;
}

function makeEnumGap(from: unknown[], targets: readonly Shape[], lost: unknown[]): Gap {
  const isOpen = targets.some(({ values }) => !values);
  const to = isOpen ? undefined : targets.flatMap(({ values }) => [...(values?.values() ?? [])]);
  return { path: "", keyword: "enum", from, to, lost, examples: () => lost };
}

// Also returns false when undecided.
function accepts(value: unknown, shape: Shape, { ignoresLimits = false } = {}): boolean {
  const { values, limits, members, required, otherMembers } = shape;
  if (values && !values.has(canonicalizeJson(value))) return false;
  if (members.size + required.size + otherMembers.length > 0) return false;
  return ignoresLimits || [...limits.values()].every((limit) => isWithin(value, limit));
}

function implies({ limits }: Shape, { keyword, value }: Limit): boolean {
  const family = keyword.replace("exclusiveM", "m");
  return [...limits.values()].some((existing) => {
    if (typeof existing.value !== "number" || typeof value !== "number") return false;
    if (existing.keyword.replace("exclusiveM", "m") !== family) return false;
    if (keyword === "multipleOf") return Number.isInteger(existing.value / value);
    const margin = isLowerBound(keyword) ? existing.value - value : value - existing.value;
    return margin > 0 || (margin === 0 && [existing.keyword, family].includes(keyword));
  });
}

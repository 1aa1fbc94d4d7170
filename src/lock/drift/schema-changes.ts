import { driftLevelsMax, examplesMax, proofsMax } from "#limits/definitions.ts";
import { canonicalJson } from "#wire/canonical.ts";
import type { DriftKind } from "../severity.ts";
import { areEqual, Containment, isInBounds } from "./contained.ts";
import {
  changeOf,
  kindsBySide,
  worstByWords,
  type DefinitionChange,
  type Values,
} from "./definition-change.ts";
import { Examples, validatorFor, type Validates } from "./examples.ts";
import { propertyText, Shapes } from "./normalise.ts";
import { pairShapes, type Pair } from "./pair-shapes.ts";
import { nameOf, partOf, propertyOf, type SchemaPlace, type SchemaSide } from "./place.ts";
import { schemaTextChanges, uncoveredText } from "./schema-texts.ts";
import {
  isLower,
  itemIn,
  propertyIn,
  shapeText,
  typeText,
  typesIn,
  valueTypes,
  type Shape,
  type Subschema,
} from "./shapes.ts";
import { listText } from "./values.ts";

export function schemaChanges(side: SchemaSide, values: Values): DefinitionChange[] {
  const found = [
    ...new SchemaComparison(side, values).changes(),
    ...schemaTextChanges(side, values),
  ];
  const changes = worstByWords(found);
  return [...changes, ...uncoveredText(side, values, changes)];
}

type Effect = "narrowed" | "widened" | "changed";

type Spot = {
  readonly place: SchemaPlace;
  /** Puts a value of this place into a value of the whole schema. */
  readonly embed: (value: unknown) => unknown;
  readonly level: number;
  /** Proven: every value of this place is still accepted. */
  readonly isKept: boolean;
};

type Finding = {
  readonly words: string;
  readonly effect: Effect;
  readonly values: Values;
  readonly kind?: DriftKind;
  readonly examples: () => readonly unknown[];
};

/** A breaking change has a validated example: a value sent today that is rejected now, or a new answer. */
class SchemaComparison {
  readonly #isInput: boolean;
  readonly #values: Values;
  readonly #before: Shapes;
  readonly #after: Shapes;
  /** The other schema accepts everything that callers send (old schema) or read (new schema). */
  readonly #kept: Containment;
  readonly #reverse: Containment;
  readonly #examples: Examples;
  readonly #found: DefinitionChange[] = [];
  readonly #seen = new Set<string>();
  #validators: readonly [accepts: Validates, rejects: Validates] | undefined;
  #proofsLeft = proofsMax;

  constructor(side: SchemaSide, values: Values) {
    this.#isInput = side === "input";
    this.#values = values;
    this.#before = new Shapes(values.before);
    this.#after = new Shapes(values.after);
    const [from, to] = this.#inOrder({ before: this.#before, after: this.#after });
    this.#kept = new Containment(from, to);
    this.#reverse = new Containment(to, from);
    this.#examples = new Examples(from);
  }

  changes(): readonly DefinitionChange[] {
    const place: SchemaPlace = { side: this.#isInput ? "input" : "output", path: "" };
    const { before, after } = this.#values;
    const spot: Spot = { place, embed: (value) => value, level: 0, isKept: false };
    this.#compare({ before: [before], after: [after] }, spot);
    return this.#found;
  }

  /** First the side of the caller's values, then the side that must accept them. */
  #inOrder<Item>({ before, after }: Pair<Item>): readonly [from: Item, to: Item] {
    return this.#isInput ? [before, after] : [after, before];
  }

  #compare(pair: Pair<Subschema>, spot: Spot): void {
    if (areEqual(pair.before, pair.after, [this.#before, this.#after])) return;
    const key = canonicalJson([pair.before, pair.after]);
    // A definition is reported where it is used first; one that refers to itself leads to the same pair again.
    if (key.includes('"$ref"') && this.#seen.has(key)) return;
    this.#seen.add(key);
    const [from, to] = this.#inOrder(pair);
    const isKept = spot.isKept || this.#kept.proves(from, to);
    if (isKept && this.#reverse.proves(to, from)) return;
    const count = this.#found.length;
    if (spot.level <= driftLevelsMax) this.#compareTypes(pair, { ...spot, isKept });
    if (this.#found.length === count) this.#addUnnamed(pair, { ...spot, isKept });
  }

  #addUnnamed(pair: Pair<Subschema>, spot: Spot): void {
    const values = { before: pair.before[0], after: pair.after[0] };
    const examples = (): unknown[] => this.#examples.of(this.#inOrder(pair)[0]);
    const effect = spot.isKept ? this.#safeEffect : "changed";
    this.#add({ words: " changed", effect, values, examples }, spot);
  }

  get #safeEffect(): Effect {
    return this.#isInput ? "widened" : "narrowed";
  }

  #compareTypes(pair: Pair<Subschema>, spot: Spot): void {
    const [before, after] = [this.#before.expand(pair.before), this.#after.expand(pair.after)];
    if (!before || !after) return;
    const [from] = this.#inOrder({ before, after });
    const values = { before: typeText(before), after: typeText(after) };
    const examples = (): unknown[] => from.flatMap((shape) => this.#examples.ofShape(shape));
    const finding = { values, examples };
    if (after.length === 0) {
      return this.#add({ ...finding, words: " is no longer allowed", effect: "narrowed" }, spot);
    }
    if (before.length === 0) {
      return this.#add({ ...finding, words: " is allowed now", effect: "widened" }, spot);
    }
    const effect = effectBetween(typesIn(before), typesIn(after));
    const kind = this.#kinds.type;
    if (effect) this.#add({ ...finding, words: `: type ${effect}`, effect, kind }, spot);
    for (const type of valueTypes) {
      const [were, are] = [before, after].map((list) => list.filter((one) => one.type === type));
      if (were?.length && are?.length) this.#compareShapes({ before: were, after: are }, spot);
    }
  }

  #compareShapes({ before, after }: Pair<readonly Shape[]>, spot: Spot): void {
    const { pairs, lost, gained } = pairShapes(before, after);
    for (const pair of pairs) {
      this.#compareListed(pair, spot);
      this.#compareLimits(pair, spot);
      if (pair.before.type === "object") this.#compareProperties(pair, spot, after);
      if (pair.before.type === "array") this.#compareItems(pair, spot);
    }
    const [there, back] = this.#inOrder({ before: this.#kept, after: this.#reverse });
    for (const shape of lost.filter((one) => !there.provesShape(one, after))) {
      const values = { before: shapeText(shape), after: undefined };
      this.#addBranch({ words: ": lost a branch", effect: "narrowed", values }, shape, spot);
    }
    for (const shape of gained.filter((one) => !back.provesShape(one, before))) {
      const values = { before: undefined, after: shapeText(shape) };
      this.#addBranch({ words: ": gained a branch", effect: "widened", values }, shape, spot);
    }
  }

  #addBranch(finding: Omit<Finding, "examples">, shape: Shape, spot: Spot): void {
    const isRelied = finding.effect !== this.#safeEffect;
    const examples = (): unknown[] => (isRelied ? this.#examples.ofShape(shape) : []);
    this.#add({ ...finding, examples }, spot);
  }

  #compareListed({ before, after }: Pair<Shape>, spot: Spot): void {
    const was = before.values ?? noValues;
    const is = after.values ?? noValues;
    const lost = [...was].filter(([key]) => !is.has(key)).map(([, value]) => value);
    const gained = [...is].filter(([key]) => !was.has(key)).map(([, value]) => value);
    const values = {
      before: before.values && [...was.values()],
      after: after.values && [...is.values()],
    };
    const [shape] = this.#inOrder({ before, after });
    const [changed] = this.#inOrder({ before: lost, after: gained });
    const examples = (): readonly unknown[] =>
      shape.values ? changed : this.#examples.ofShape(shape);
    const finding = { values, examples };
    if (!before.values || !after.values) {
      const words = before.values ? ": any value now" : `: only ${listText(gained)} now`;
      if (!before.values && !after.values) return;
      return this.#add({ ...finding, words, effect: before.values ? "widened" : "narrowed" }, spot);
    }
    const effect = effectBetween(new Set(was.keys()), new Set(is.keys()));
    const words = [["lost", lost] as const, ["gained", gained] as const]
      .filter(([, list]) => list.length > 0)
      .map(([verb, list]) => `${verb} ${listText(list)}`);
    if (effect) this.#add({ ...finding, words: `: enum ${words.join(", ")}`, effect }, spot);
  }

  #compareLimits(pair: Pair<Shape>, spot: Spot): void {
    const { before, after } = pair;
    for (const keyword of new Set([...before.bounds.keys(), ...after.bounds.keys()])) {
      this.#compareBound(keyword, pair, spot);
    }
    const [from, to] = this.#inOrder(pair);
    const examples = (): unknown[] => this.#examples.ofShape(from, 0, to);
    const [removed, added] = [exactWithout(before, after), exactWithout(after, before)];
    for (const keyword of new Set([...removed.keys(), ...added.keys()])) {
      const values = { before: removed.get(keyword), after: added.get(keyword) };
      // An integer among numbers is a matter of type.
      if (keyword === "multipleOf" && [values.before, values.after].includes(1)) continue;
      const verb = verbFor(values);
      const effects = { added: "narrowed", removed: "widened", changed: "changed" } as const;
      const effect = spot.isKept && verb === "changed" ? this.#safeEffect : effects[verb];
      // That branches of a `oneOf` no longer exclude each other is a matter of its other changes.
      if (keyword === "oneOf" && effect === this.#safeEffect) continue;
      this.#add({ words: `: ${keyword} ${verb}`, effect, values, examples }, spot);
    }
  }

  #compareBound(keyword: string, pair: Pair<Shape>, spot: Spot): void {
    const [before, after] = [pair.before.bounds.get(keyword), pair.after.bounds.get(keyword)];
    if (before === after) return;
    const isLowerBound = isLower(keyword);
    const free = isLowerBound ? -Infinity : Infinity;
    const isRaised = (after ?? free) > (before ?? free);
    const verb = verbFor({ before, after });
    const words = verb === "changed" ? (isRaised ? "raised" : "lowered") : verb;
    const [from, to] = this.#inOrder(pair);
    const bounds = new Map([[keyword, to.bounds.get(keyword) ?? free]]);
    this.#add(
      {
        words: `: ${keyword} ${words}`,
        effect: isRaised === isLowerBound ? "narrowed" : "widened",
        values: { before, after },
        examples: () =>
          this.#examples.ofShape(from, 0, to).filter((value) => !isInBounds(value, { bounds })),
      },
      spot,
    );
  }

  #compareProperties({ before, after }: Pair<Shape>, spot: Spot, branches: readonly Shape[]): void {
    const [from] = this.#inOrder({ before, after });
    const embedAs = (name: string) => (value: unknown) =>
      spot.embed(this.#examples.objectWith(from, name, value));
    const level = spot.level + 1;
    const names = new Set([...namesIn(before), ...namesIn(after)]);
    for (const name of names) {
      const here = { ...spot, place: propertyOf(spot.place, name), level };
      const schemas = { before: propertyIn(before, name), after: propertyIn(after, name) };
      // One that is only required any more has lost its meaning too.
      const isLost = before.properties.has(name) || !after.required.has(name);
      if (isLost && !after.properties.has(name)) {
        const isElsewhere = branches.some(({ properties }) => properties.has(name));
        if (!isElsewhere && !this.#isCovered(schemas))
          this.#addRemoval({ before, after }, name, here);
      } else if (namesIn(before).has(name)) {
        this.#compareRequired({ before, after }, name, here);
        this.#compare(schemas, { ...here, embed: embedAs(name) });
      } else this.#addAddition({ before, after }, name, here);
    }
    const others = { before: before.rest, after: after.rest };
    const free = `${[...names].join("")}_`.slice(0, 40);
    const place = partOf(spot.place, ".*");
    this.#compare(others, {
      ...spot,
      place,
      level,
      embed: embedAs(names.size > 0 ? free : "other"),
    });
  }

  #isCovered({ before, after }: Pair<Subschema>): boolean {
    const [there] = this.#inOrder({ before: this.#kept, after: this.#reverse });
    return after.length > 0 && after[0] !== false && there.proves(before, after);
  }

  #addRemoval(pair: Pair<Shape>, name: string, spot: Spot): void {
    const { before, after } = pair;
    const examples = (): unknown[] =>
      this.#isInput
        ? this.#examples
            .of(propertyIn(before, name))
            .map((value) => this.#examples.objectWith(before, name, value))
        : this.#examples.ofShape(after);
    // It breaks callers also where the schema accepts any other property: its meaning is lost.
    const values = { before: propertyText(before, name, this.#before), after: undefined };
    this.#push(
      this.#kinds.removed,
      { words: " removed", effect: "changed", values, examples },
      spot,
    );
  }

  #addAddition({ before, after }: Pair<Shape>, name: string, spot: Spot): void {
    const isRequired = this.#isInput && after.required.has(name);
    const example = isRequired
      ? this.#proof(() => this.#examples.ofShape(before), spot)
      : undefined;
    const word = isRequired ? "required " : "optional ";
    const what = `new ${this.#isInput ? word : ""}${nameOf(spot.place)}`;
    const values = { before: undefined, after: propertyText(after, name, this.#after) };
    const kind = example === undefined ? this.#kinds.added : "required_parameter_added";
    this.#found.push({ ...changeOf(kind, what, values), ...(example && { example }) });
  }

  #compareRequired({ before, after }: Pair<Shape>, name: string, spot: Spot): void {
    const [was, is] = [before, after].map(({ required }) =>
      required.has(name) ? "required" : "optional",
    );
    if (was === is) return;
    const [from] = this.#inOrder({ before, after });
    const values = { before: was, after: is };
    const examples = (): unknown[] => this.#examples.ofShape(from);
    const [effect, kind] =
      is === "required"
        ? (["narrowed", this.#kinds.required] as const)
        : (["widened", this.#kinds.optional] as const);
    this.#add({ words: ` became ${is}`, effect, values, kind, examples }, spot);
  }

  #compareItems({ before, after }: Pair<Shape>, spot: Spot): void {
    const [from] = this.#inOrder({ before, after });
    const count = Math.max(before.prefix.length, after.prefix.length);
    for (let at = 0; at <= count; at += 1) {
      const place = partOf(spot.place, at === count ? "[]" : ` (prefixItems ${at + 1})`);
      const embed = (value: unknown): unknown =>
        spot.embed(this.#examples.arrayWith(from, at, value));
      const pair = { before: itemIn(before, at), after: itemIn(after, at) };
      this.#compare(pair, { ...spot, place, embed, level: spot.level + 1 });
    }
  }

  #add(finding: Finding, spot: Spot): void {
    const { effect, kind } = finding;
    const kinds = this.#kinds;
    if (effect === this.#safeEffect) {
      this.#push(kind === undefined || kind === kinds.type ? kinds[effect] : kind, finding, spot);
    } else if (!spot.isKept) {
      // Callers cope with further values of a field; that some are new is a risk.
      const isWider = !this.#isInput && effect === "widened" && kind === undefined;
      const example = this.#proof(finding.examples, spot);
      const isShown = example !== undefined || isWider;
      this.#push(isShown ? (kind ?? kinds[effect]) : kinds.undecided, finding, spot, example);
    }
  }

  get #kinds(): (typeof kindsBySide)[SchemaSide] {
    return kindsBySide[this.#isInput ? "input" : "output"];
  }

  #push(kind: DriftKind, finding: Finding, spot: Spot, proof?: string): void {
    const isRemoval = kind === this.#kinds.removed;
    const example = isRemoval ? this.#proof(finding.examples, spot) : proof;
    const change = changeOf(kind, `${nameOf(spot.place)}${finding.words}`, finding.values);
    this.#found.push({ ...change, ...(example !== undefined && { example }) });
  }

  /** JSON of the first value that callers may send or read and that is rejected now. */
  #proof(examples: () => readonly unknown[], { embed }: Spot): string | undefined {
    this.#proofsLeft -= 1;
    if (this.#proofsLeft < 0) return undefined;
    const { before, after } = this.#values;
    this.#validators ??= this.#inOrder({
      before: validatorFor(before),
      after: validatorFor(after),
    });
    const [accepts, rejects] = this.#validators;
    const found = examples()
      .slice(0, examplesMax)
      .map(embed)
      .find((value) => accepts(value) === true && rejects(value) === false);
    return found === undefined ? undefined : JSON.stringify(found);
  }
}

function effectBetween(was: ReadonlySet<string>, is: ReadonlySet<string>): Effect | undefined {
  if (!was.isSubsetOf(is)) return is.isSubsetOf(was) ? "narrowed" : "changed";
  return is.isSubsetOf(was) ? undefined : "widened";
}

function verbFor({ before, after }: Values): "added" | "removed" | "changed" {
  return before === undefined ? "added" : after === undefined ? "removed" : "changed";
}

const noValues: ReadonlyMap<string, unknown> = new Map();

/** Limits that can only be compared for equality. */
function exactWithout(shape: Shape, other: Shape): Map<string, unknown> {
  const missing = [...shape.exact].filter(([key]) => !other.exact.has(key));
  return new Map(missing.map(([, { keyword, value }]) => [keyword, value]));
}

function namesIn({ properties, required }: Shape): Set<string> {
  return new Set([...properties.keys(), ...required]);
}

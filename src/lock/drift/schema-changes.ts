import { driftLevelsMax, subschemasMax } from "#limits/definitions.ts";
import { canonicalJson } from "#wire/canonical.ts";
import { isEqual } from "#wire/json-equal.ts";
import { isObject, memberAt, type JsonObject } from "#wire/json.ts";
import { driftRules, type DriftKind } from "../severity.ts";
import { listedValuesChange, typeChange, type ListChange } from "./allowed-values.ts";
import { branchChanges, holdsBranches } from "./branch-changes.ts";
import {
  changeOf,
  effectKind,
  typeKind,
  type DefinitionChange,
  type Values,
} from "./definition-change.ts";
import { isDialect, isSameDialect } from "./dialects.ts";
import { DoubtfulTargets, judgesRest } from "./doubtful-references.ts";
import { itemChanges } from "./item-changes.ts";
import { isWellFormed } from "./keyword-forms.ts";
import { keywordRules } from "./keyword-rules.ts";
import { namedChanges } from "./named-changes.ts";
import { textAdded } from "./new-text.ts";
import type { PartChanges } from "./parts.ts";
import { nameOf, partOf, type SchemaPlace, type SchemaSide } from "./place.ts";
import { propertyChanges } from "./property-changes.ts";
import {
  hasLimitedReference,
  hasLimitsBesideReference,
  lostReferences,
  resolved,
} from "./schema-references.ts";

/** Every change from one schema of a tool to another, at all levels, as callers of that side notice it. */
export function schemaChanges(side: SchemaSide, { before, after }: Values): DefinitionChange[] {
  const whole = { side, path: "" };
  const doubtful = new DoubtfulTargets(before, after);
  const place = doubtful.hasUnnamed ? { ...whole, isDoubtful: true } : whole;
  const comparison = new SchemaComparison({ before, after }, doubtful);
  comparison.compare({ before, after }, place, 0);
  const lost = lostReferences(before, after).map((reference) => {
    const what = `${nameOf(place)} refers to ${reference}, which it no longer has`;
    return changeOf(effectKind(place, "changed"), what, { before: undefined, after: undefined });
  });
  return withText([...comparison.found, ...lost], { before, after }, place);
}

/** Text that a schema gains in any keyword is a risk, also where no rule reads it. */
function withText(
  changes: DefinitionChange[],
  { before, after }: Values,
  place: SchemaPlace,
): DefinitionChange[] {
  if (changes.some(({ kind }) => !isHarmless(kind))) return changes;
  const added = textAdded(before, after);
  if (!added) return changes;
  const where = added.path === "" ? "" : ` in ${added.path}`;
  const values = { before: undefined, after: added.text };
  return [...changes, changeOf("text_changed", `${nameOf(place)}: new text${where}`, values)];
}

function isHarmless(kind: DriftKind): boolean {
  return ["SAFE", "COSMETIC"].includes(driftRules[kind].severity);
}

/** Keywords that are compared together, before all others. */
const comparedTogether: ReadonlySet<string> = new Set([
  "type",
  "enum",
  "const",
  "properties",
  "required",
  "$ref",
  "prefixItems",
]);

/** A schema's place, and the same for the changes of those parts on which others depend. */
type Places = { readonly here: SchemaPlace; readonly place: SchemaPlace };

/** Compares two schemas, subschema by subschema. */
class SchemaComparison {
  readonly found: DefinitionChange[] = [];
  readonly #roots: Values;
  readonly #doubtful: DoubtfulTargets;
  /** The pairs of references that lead to the place that is compared: under new names they may lead to it again. */
  readonly #open = new Set<string>();
  #left = subschemasMax;

  constructor(roots: Values, doubtful: DoubtfulTargets) {
    this.#roots = roots;
    this.#doubtful = doubtful;
  }

  /** Compares two schemas of one place; an absent one allows everything, as `true` does. */
  compare(values: Values, place: SchemaPlace, level: number): void {
    const { before = true, after = true } = values;
    if (isEqual(before, after)) return;
    const references = referencePair(before, after);
    if (references === undefined) {
      this.#compareSchemas({ before, after }, place, level);
    } else if (!this.#open.has(references)) {
      this.#open.add(references);
      this.#compareSchemas({ before, after }, place, level);
      this.#open.delete(references);
    }
  }

  #compareSchemas({ before, after }: Values, place: SchemaPlace, level: number): void {
    this.#left -= 1;
    const [was, is] = [opened(before, this.#roots.before), opened(after, this.#roots.after)];
    if (!was || !is || this.#left < 0 || level > driftLevelsMax) {
      this.#add("changed", `${nameOf(place)} changed`, place, { before, after });
    } else if (before === false) {
      this.#add("widened", `${nameOf(place)} is allowed now`, place, { before, after });
    } else if (after === false) {
      this.#add("narrowed", `${nameOf(place)} is no longer allowed`, place, { before, after });
    } else {
      if (isLimitedReferenceChanged(before, after)) {
        const what = `${nameOf(place)}: $ref changed next to other keywords`;
        this.#add("changed", what, place, { before, after });
      }
      this.#compareMembers(was, is, place, level);
    }
  }

  #add(effect: ListChange["effect"], what: string, place: SchemaPlace, values: Values): void {
    this.found.push(changeOf(effectKind(place, effect), what, values));
  }

  #compareMembers(before: JsonObject, after: JsonObject, place: SchemaPlace, level: number): void {
    const type = typeChange(before, after);
    if (type) {
      const values = { before: before["type"] ?? "any", after: after["type"] ?? "any" };
      const what = `${nameOf(place)}: ${type.words}`;
      this.found.push(changeOf(typeKind(place, type.effect), what, values));
    }
    const listed = listedValuesChange(before, after);
    if (listed) {
      const values = { before: valuesOf(before), after: valuesOf(after) };
      this.#add(listed.effect, `${nameOf(place)}: ${listed.words}`, place, values);
    }
    this.#take(propertyChanges(before, after, place), level);
    const here = judgesRest(before) || judgesRest(after) ? { ...place, isDoubtful: true } : place;
    this.#compareItems(before, after, here, level);
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const values = { before: memberAt(before, key), after: memberAt(after, key) };
      if (isEqual(values.before, values.after)) continue;
      if (!isWellFormed(key, values.before) || !isWellFormed(key, values.after)) {
        this.found.push(textChange(key, values, place));
      }
      if (!comparedTogether.has(key)) this.#compareKeyword(key, values, { here, place }, level);
    }
  }

  #take({ changes, pairs }: PartChanges, level: number): void {
    this.found.push(...changes);
    for (const { values, place } of pairs) this.compare(values, place, level + 1);
  }

  /** Compares the items with a schema of their own by their places; fewer of them leave more to be judged elsewhere. */
  #compareItems(before: JsonObject, after: JsonObject, place: SchemaPlace, level: number): void {
    const values = { before: before["prefixItems"], after: after["prefixItems"] };
    if (isEqual(values.before, values.after)) return;
    this.#take(itemChanges(before, after, place), level);
    if (place.isDoubtful === true) {
      this.#add("widened", `${nameOf(place)}: prefixItems ${verbFor(values)}`, place, values);
    }
  }

  #takeDefinitions(key: string, values: Values, place: SchemaPlace, level: number): void {
    const { changes, pairs } = namedChanges(key, values, place);
    this.found.push(...changes);
    for (const { name, ...pair } of pairs) {
      const isDoubtful = this.#doubtful.has(key, name);
      const where = isDoubtful ? { ...pair.place, isDoubtful } : pair.place;
      this.compare(pair.values, where, level + 1);
    }
  }

  #compareKeyword(key: string, values: Values, { here, place }: Places, level: number): void {
    const rule = keywordRules.get(key);
    if (rule) {
      const change = rule(values.before, values.after);
      if (change) {
        this.#add(change.effect, `${nameOf(place)}: ${key} ${change.verb}`, place, values);
      }
    } else if (key === "items" || key === "additionalProperties") {
      const suffix = key === "items" ? "[]" : ".*";
      this.compare(values, partOf(place, suffix), level + 1);
    } else if (holdsBranches(key)) {
      this.#take(branchChanges(key, values, here, this.#roots), level);
    } else if (key === "$defs" || key === "definitions") {
      this.#takeDefinitions(key, values, place, level);
    } else if (key === "$schema") {
      this.found.push(dialectChange(values, place, this.#roots));
    } else {
      this.found.push(textChange(key, values, place));
    }
    if (isRestJudged(key, values, here)) {
      this.#add("widened", `${nameOf(here)}: ${key} ${verbFor(values)}`, here, values);
    }
  }
}

/** Two references as one text; undefined when one of them is none. */
function referencePair(before: unknown, after: unknown): string | undefined {
  const isPair = memberAt(before, "$ref") !== undefined && memberAt(after, "$ref") !== undefined;
  return isPair ? canonicalJson([before, after]) : undefined;
}

/** The members of a schema with its reference resolved; undefined when it is not a schema, or refers to none. */
function opened(schema: unknown, root: unknown): JsonObject | undefined {
  if (typeof schema === "boolean") return {};
  return isObject(schema) ? resolved(schema, root) : undefined;
}

/** Any other keyword limits no value; a model reads it. */
function textChange(key: string, values: Values, place: SchemaPlace): DefinitionChange {
  return changeOf("text_changed", `${nameOf(place)}: ${key} ${verbFor(values)}`, values);
}

/** Up to draft 7 keywords next to a `$ref` count for nothing; other dialects differ in rarer keywords. */
function dialectChange(values: Values, place: SchemaPlace, roots: Values): DefinitionChange {
  const what = `${nameOf(place)}: $schema ${verbFor(values)}`;
  const addresses = Object.values(values).filter((one) => one !== undefined);
  if (!addresses.every(isDialect)) return changeOf("text_changed", what, values);
  if (isSameDialect(values.before, values.after)) {
    return changeOf("definition_rewritten", what, values);
  }
  if (!hasLimitedReference(roots.before) && !hasLimitedReference(roots.after)) {
    return changeOf("dialect_changed", what, values);
  }
  const kind = effectKind(place, "changed");
  return changeOf(kind, `${what}: a $ref has other keywords next to it`, values);
}

function verbFor({ before, after }: Values): string {
  return before === undefined ? "added" : after === undefined ? "removed" : "changed";
}

/** True when a reference next to keywords that limit values is new, removed or another: they may count from now on. */
function isLimitedReferenceChanged(before: unknown, after: unknown): boolean {
  if (isEqual(memberAt(before, "$ref"), memberAt(after, "$ref"))) return false;
  return hasLimitsBesideReference(before) || hasLimitsBesideReference(after);
}

/** True when a part that says which members or items are judged is on one side alone, where another judges the rest. */
function isRestJudged(key: string, { before, after }: Values, place: SchemaPlace): boolean {
  const isOneSided = (before === undefined) !== (after === undefined);
  return isOneSided && place.isDoubtful === true && judging.has(key);
}

const judging: ReadonlySet<string> = new Set(["items", "additionalProperties"]);

function valuesOf(schema: JsonObject): unknown {
  return schema["enum"] ?? schema["const"];
}

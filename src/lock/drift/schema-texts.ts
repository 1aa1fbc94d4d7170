import { textPlacesMax } from "#limits/definitions.ts";
import { canonicalJson } from "#wire/canonical.ts";
import { isObject } from "#wire/json.ts";
import { referenceTarget } from "#wire/schema-walk.ts";
import { driftRules } from "../severity.ts";
import { changeOf, type DefinitionChange, type Values } from "./definition-change.ts";
import { isDialect, isSameDialect } from "./dialects.ts";
import { textAdded } from "./new-text.ts";
import { nameOf, partOf, propertyOf, type SchemaPlace, type SchemaSide } from "./place.ts";

/** A model reads no text in keywords that limit values. */
const structural: ReadonlySet<string> = new Set(
  `type enum const nullable properties required additionalProperties patternProperties propertyNames minProperties
   maxProperties items prefixItems additionalItems contains minContains maxContains minItems maxItems uniqueItems
   minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format contentEncoding
   contentMediaType anyOf oneOf allOf not if then else dependencies dependentRequired dependentSchemas
   unevaluatedProperties unevaluatedItems $ref $defs definitions $dynamicRef $recursiveRef $schema`.split(
    /\s+/,
  ),
);

/** Several branches may have several texts. */
type PlacedTexts = {
  readonly place: SchemaPlace;
  readonly keyword: string;
  readonly texts: Map<string, unknown>;
};

/** Titles, descriptions, defaults and keywords that limit no value. */
export function schemaTextChanges(side: SchemaSide, values: Values): DefinitionChange[] {
  const [was, is] = [new TextWalk(side, values.before), new TextWalk(side, values.after)];
  const keys = new Set([...was.found.keys(), ...is.found.keys()]);
  // Texts of a new or removed part belong to the change that says so.
  const isCompared = ({ place }: PlacedTexts): boolean =>
    was.places.has(place.path) && is.places.has(place.path);
  const changes = [...keys].flatMap((key) => {
    const [before, after] = [was.found.get(key), is.found.get(key)];
    const spot = before ?? after;
    return spot && isCompared(spot) ? textChanges(spot, before?.texts, after?.texts) : [];
  });
  return [...dialectChanges(side, values), ...changes];
}

function textChanges(
  { place, keyword }: PlacedTexts,
  before: PlacedTexts["texts"] = new Map(),
  after: PlacedTexts["texts"] = new Map(),
): DefinitionChange[] {
  const lost = firstWithout(before, after);
  const gained = firstWithout(after, before);
  if (!lost && !gained) return [];
  const verb = lost ? (gained ? "changed" : "removed") : "added";
  const what = `${nameOf(place)}: ${keyword} ${verb}`;
  return [changeOf("text_changed", what, { before: lost?.[1], after: gained?.[1] })];
}

// The first by its letters, so that the order of members changes nothing.
function firstWithout(
  texts: PlacedTexts["texts"],
  others: PlacedTexts["texts"],
): readonly [text: string, value: unknown] | undefined {
  return [...texts]
    .filter(([text]) => !others.has(text))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))[0];
}

// New text in any keyword is a risk, also where no rule reads it.
export function uncoveredText(
  side: SchemaSide,
  { before, after }: Values,
  changes: readonly DefinitionChange[],
): DefinitionChange[] {
  if (changes.some(({ kind }) => ["BREAKING", "RISKY"].includes(driftRules[kind].severity)))
    return [];
  const added = textAdded(before, after);
  if (!added) return [];
  const what = `${nameOf({ side, path: "" })}: new text${added.path === "" ? "" : ` in ${added.path}`}`;
  return [changeOf("text_changed", what, { before: undefined, after: added.text })];
}

// In another dialect keywords may mean something else.
function dialectChanges(side: SchemaSide, values: Values): DefinitionChange[] {
  const [before, after] = [values.before, values.after].map((schema) =>
    isObject(schema) ? schema["$schema"] : undefined,
  );
  if (before === after || isSameDialect(before, after)) return [];
  const isKnown = [before, after].every((uri) => uri === undefined || isDialect(uri));
  const verb = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  const what = `${nameOf({ side, path: "" })}: $schema ${verb}`;
  return [changeOf(isKnown ? "dialect_changed" : "text_changed", what, { before, after })];
}

class TextWalk {
  readonly found = new Map<string, PlacedTexts>();
  readonly places = new Set<string>();
  readonly #root: unknown;
  #left = textPlacesMax;

  constructor(side: SchemaSide, root: unknown) {
    this.#root = root;
    this.#walk(root, { side, path: "" }, []);
  }

  #walk(schema: unknown, place: SchemaPlace, references: readonly string[]): void {
    this.#left -= 1;
    if (this.#left < 0) return;
    this.places.add(place.path);
    if (!isObject(schema)) return;
    for (const [keyword, value] of Object.entries(schema)) {
      if (!structural.has(keyword)) this.#add(keyword, value, place);
      else if (keyword === "$ref" && typeof value === "string") {
        if (references.includes(value)) continue;
        this.#walk(referenceTarget(value, this.#root), place, [...references, value]);
      } else if (keyword === "properties" && isObject(value)) {
        for (const [name, member] of Object.entries(value)) {
          this.#walk(member, propertyOf(place, name), references);
        }
      } else this.#walkParts(keyword, value, place, references);
    }
  }

  #walkParts(
    keyword: string,
    value: unknown,
    place: SchemaPlace,
    references: readonly string[],
  ): void {
    const suffix = suffixes.get(keyword);
    if (suffix === undefined) return;
    const members = Array.isArray(value) ? value : [value];
    members.forEach((member, at) => {
      const inside = suffix.replace("#", String(at + 1));
      this.#walk(member, inside === "" ? place : partOf(place, inside), references);
    });
  }

  #add(keyword: string, value: unknown, place: SchemaPlace): void {
    const key = canonicalJson([place.path, keyword]);
    const known = this.found.get(key) ?? { place, keyword, texts: new Map<string, unknown>() };
    known.texts.set(canonicalJson(value), value);
    this.found.set(key, known);
  }
}

/** Branches keep the place of their schema. */
const suffixes: ReadonlyMap<string, string> = new Map([
  ["items", "[]"],
  ["contains", "[]"],
  ["prefixItems", " (prefixItems #)"],
  ["additionalProperties", ".*"],
  ...["anyOf", "oneOf", "allOf", "not", "if", "then", "else"].map(
    (keyword) => [keyword, ""] as const,
  ),
]);

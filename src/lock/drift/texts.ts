import { canonicalJson } from "#wire/json-equal.ts";
import { isObject } from "#wire/json.ts";
import { referenceTarget } from "#wire/schema-walk.ts";

const textPlacesMax = 10_000;

/** A model reads no text in keywords that limit values. */
const keywords: ReadonlySet<string> = new Set(
  `type enum const nullable properties required additionalProperties patternProperties propertyNames minProperties
   maxProperties items prefixItems additionalItems contains minContains maxContains minItems maxItems uniqueItems
   minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format contentEncoding
   contentMediaType anyOf oneOf allOf not if then else dependencies dependentRequired dependentSchemas
   unevaluatedProperties unevaluatedItems $ref $defs definitions $dynamicRef $recursiveRef $schema`.split(
    /\s+/,
  ),
);

/** A model learns nothing from them. */
const plainWords: readonly string[] = [
  ...keywords,
  ..."array boolean integer null number object string any none optional description title default".split(
    " ",
  ),
];

type PlacedText = { readonly text: string; readonly path: string };

/** The first text that `before` has nowhere. In a schema, references and dialects are not text. */
export function firstNewText(
  before: unknown,
  after: unknown,
  isSchema: boolean = false,
): PlacedText | undefined {
  const known = new Set([...plainWords, ...textsIn(before, undefined).map(({ text }) => text)]);
  // The first by its place: the order of members must not matter.
  return textsIn(after, isSchema ? after : undefined)
    .filter(({ text }) => !known.has(text))
    .toSorted((one, other) => (canonicalJson(one) < canonicalJson(other) ? -1 : 1))[0];
}

function textsIn(value: unknown, root: unknown): PlacedText[] {
  const found: PlacedText[] = [];
  const open: (readonly [path: string, value: unknown])[] = [["", value]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [path, one] = next;
    if (typeof one === "string") found.push({ path, text: one });
    else if (Array.isArray(one)) for (const item of one) open.push([path, item]);
    else if (isObject(one)) {
      for (const [key, member] of Object.entries(one)) {
        found.push({ path, text: key });
        if (!isPlumbing(key, member, root)) open.push([path ? `${path}.${key}` : key, member]);
      }
    }
  }
  return found;
}

function isPlumbing(key: string, member: unknown, root: unknown): boolean {
  if (root === undefined || typeof member !== "string") return false;
  if (key === "$schema") return isDialect(member);
  return key === "$ref" && referenceTarget(member, root) !== undefined;
}

/** `http` up to draft 7. */
const dialect =
  /^https?:\/\/json-schema\.org\/draft(?:-0[3-7]|\/(?:2019-09|2020-12|next))\/schema#?$/;

function isDialect(value: unknown): boolean {
  return typeof value === "string" && dialect.test(value);
}

type TextRow = {
  readonly path: string;
  readonly keyword: string;
  readonly before: unknown;
  readonly after: unknown;
};

/** Titles, descriptions, defaults and other keywords that limit no value, by place. */
export function textRows({ before, after }: Pick<TextRow, "before" | "after">): TextRow[] {
  const [was, is] = [walk(before), walk(after)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((path) => {
    const [mine, theirs] = [was.get(path), is.get(path)];
    // Texts of a new or removed part belong to the change that says so.
    if (!mine || !theirs) return [];
    return [...new Set([...mine.keys(), ...theirs.keys()])].flatMap((keyword) => {
      const [lost, gained] = [
        firstWithout(mine.get(keyword), theirs.get(keyword)),
        firstWithout(theirs.get(keyword), mine.get(keyword)),
      ];
      return lost || gained ? [{ path, keyword, before: lost?.[1], after: gained?.[1] }] : [];
    });
  });
}

/** By canonical JSON; several branches may have several texts. */
type Texts = Map<string, unknown>;

// The first by its letters, so that the order of members changes nothing.
function firstWithout(texts: Texts = new Map(), others: Texts = new Map()) {
  const missing = [...texts].filter(([text]) => !others.has(text));
  return missing.toSorted(([one], [other]) => (one < other ? -1 : 1))[0];
}

/** Texts by place and keyword; a branch has the place of its schema. */
function walk(root: unknown): Map<string, Map<string, Texts>> {
  const found = new Map<string, Map<string, Texts>>();
  let left = textPlacesMax;
  const visit = (schema: unknown, path: string, references: readonly unknown[]): void => {
    left -= 1;
    if (left < 0) return;
    const texts = found.get(path) ?? new Map<string, Texts>();
    found.set(path, texts);
    if (!isObject(schema)) return;
    for (const [keyword, value] of Object.entries(schema)) {
      const isText = !keywords.has(keyword) || (keyword === "$schema" && !isDialect(value));
      if (isText) addText(texts, keyword, value);
      for (const [inside, part] of partsOf(keyword, value))
        visit(part, `${path}${inside}`, references);
    }
    const { $ref } = schema;
    if (typeof $ref !== "string" || references.includes($ref)) return;
    visit(referenceTarget($ref, root), path, [...references, $ref]);
  };
  visit(root, "", []);
  return found;
}

function addText(texts: Map<string, Texts>, keyword: string, value: unknown): void {
  const known = texts.get(keyword) ?? new Map<string, unknown>();
  texts.set(keyword, known.set(canonicalJson(value), value));
}

function partsOf(keyword: string, value: unknown): (readonly [inside: string, part: unknown])[] {
  if (keyword === "properties" && isObject(value)) {
    return Object.entries(value).map(([name, part]) => [`.${name}`, part]);
  }
  if (keyword === "prefixItems" && Array.isArray(value)) {
    return value.map((part, at) => [`[${at}]`, part]);
  }
  if (keyword === "additionalProperties") return [[".*", value]];
  if (keyword === "items" || keyword === "contains") return [["[]", value]];
  if (!/^(?:anyOf|oneOf|allOf|not|if|then|else)$/.test(keyword)) return [];
  return [value].flat().map((part) => ["", part]);
}

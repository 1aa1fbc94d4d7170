import { canonicalizeJson, isObject } from "#wire/json.ts";
import { resolveReference } from "#wire/schema-walk.ts";

const subschemaVisitsMax = 10_000;

// The values of these keywords are not prose. Other rules compare them, except `$schema`.
const structuralKeywords: ReadonlySet<string> = new Set(
  `type enum const nullable properties required additionalProperties patternProperties propertyNames minProperties
   maxProperties items prefixItems additionalItems contains minContains maxContains minItems maxItems uniqueItems
   minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format contentEncoding
   contentMediaType anyOf oneOf allOf not if then else dependencies dependentRequired dependentSchemas
   unevaluatedProperties unevaluatedItems $ref $defs definitions $dynamicRef $recursiveRef $schema`.split(
    /\s+/,
  ),
);

// Words without information for a model.
const plainWords: readonly string[] = [
  ...structuralKeywords,
  ..."array boolean integer null number object string any none optional description title default".split(
    " ",
  ),
];

type TextAtPath = { readonly text: string; readonly path: string };

// With `isSchema`, skips each `$ref` that resolves in `after` and each `$schema` that names a JSON Schema draft.
export function findNewText(
  before: unknown,
  after: unknown,
  { isSchema = false } = {},
): TextAtPath | undefined {
  const known = new Set([
    ...plainWords,
    ...collectTexts(before, undefined).map(({ text }) => text),
  ]);
  // First in sort order, so that the order of members does not matter.
  return collectTexts(after, isSchema ? after : undefined)
    .filter(({ text }) => !known.has(text))
    .toSorted((a, b) => (canonicalizeJson(a) < canonicalizeJson(b) ? -1 : 1))[0];
}

function collectTexts(value: unknown, schemaRoot: unknown): TextAtPath[] {
  const texts: TextAtPath[] = [];
  const pending: (readonly [path: string, value: unknown])[] = [["", value]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [path, current] = next;
    if (typeof current === "string") texts.push({ path, text: current });
    else if (Array.isArray(current)) for (const item of current) pending.push([path, item]);
    else if (isObject(current)) {
      for (const [key, member] of Object.entries(current)) {
        texts.push({ path, text: key });
        if (!isReference(key, member, schemaRoot))
          pending.push([path ? `${path}.${key}` : key, member]);
      }
    }
  }
  return texts;
}

function isReference(key: string, member: unknown, schemaRoot: unknown): boolean {
  if (schemaRoot === undefined || typeof member !== "string") return false;
  if (key === "$schema") return isDialect(member);
  return key === "$ref" && resolveReference(member, schemaRoot) !== undefined;
}

const dialectPattern =
  /^https?:\/\/json-schema\.org\/draft(?:-0[3-7]|\/(?:2019-09|2020-12|next))\/schema#?$/;

function isDialect(value: unknown): boolean {
  return typeof value === "string" && dialectPattern.test(value);
}

type TextChange = {
  readonly path: string;
  readonly keyword: string;
  readonly before: unknown;
  readonly after: unknown;
};

export function compareTexts(before: unknown, after: unknown): TextChange[] {
  const [oldByPath, newByPath] = [collectByPath(before), collectByPath(after)];
  return [...new Set([...oldByPath.keys(), ...newByPath.keys()])].flatMap((path) => {
    const [oldTexts, newTexts] = [oldByPath.get(path), newByPath.get(path)];
    if (!oldTexts || !newTexts) return [];
    return [...new Set([...oldTexts.keys(), ...newTexts.keys()])].flatMap((keyword) => {
      const [lost, gained] = [
        findMissing(oldTexts.get(keyword), newTexts.get(keyword)),
        findMissing(newTexts.get(keyword), oldTexts.get(keyword)),
      ];
      return lost || gained ? [{ path, keyword, before: lost?.value, after: gained?.value }] : [];
    });
  });
}

// The values of one keyword at one path, keyed by canonical JSON. Branches of `anyOf` share one path.
type Texts = Map<string, unknown>;

// Returns the first missing value in sort order, so that the order of branches does not matter.
function findMissing(texts: Texts = new Map(), others: Texts = new Map()) {
  const missing = [...texts].filter(([text]) => !others.has(text));
  const [first] = missing.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return first && { value: first[1] };
}

function collectByPath(root: unknown): Map<string, Map<string, Texts>> {
  const byPath = new Map<string, Map<string, Texts>>();
  let remaining = subschemaVisitsMax;
  const visit = (schema: unknown, path: string, references: readonly unknown[]): void => {
    remaining -= 1;
    if (remaining < 0) return;
    const texts = byPath.getOrInsertComputed(path, () => new Map<string, Texts>());
    if (!isObject(schema)) return;
    for (const [keyword, value] of Object.entries(schema)) {
      const isText = keyword === "$schema" ? !isDialect(value) : !structuralKeywords.has(keyword);
      if (isText) addText(texts, keyword, value);
      for (const [segment, subschema] of listSubschemas(keyword, value))
        visit(subschema, `${path}${segment}`, references);
    }
    const { $ref } = schema;
    if (typeof $ref !== "string" || references.includes($ref)) return;
    visit(resolveReference($ref, root), path, [...references, $ref]);
  };
  visit(root, "", []);
  return byPath;
}

function addText(texts: Map<string, Texts>, keyword: string, value: unknown): void {
  const values = texts.get(keyword) ?? new Map<string, unknown>();
  texts.set(keyword, values.set(canonicalizeJson(value), value));
}

function listSubschemas(
  keyword: string,
  value: unknown,
): (readonly [segment: string, subschema: unknown])[] {
  if (keyword === "properties" && isObject(value)) {
    return Object.entries(value).map(([name, subschema]) => [`.${name}`, subschema]);
  }
  // Before 2020-12, `items` could be a list.
  if ((keyword === "prefixItems" || keyword === "items") && Array.isArray(value)) {
    return value.map((subschema, at) => [`[${at}]`, subschema]);
  }
  if (keyword === "additionalProperties") return [[".*", value]];
  if (/^(?:items|additionalItems|contains)$/.test(keyword)) return [["[]", value]];
  if (!/^(?:anyOf|oneOf|allOf|not|if|then|else)$/.test(keyword)) return [];
  return [value].flat().map((subschema) => ["", subschema]);
}

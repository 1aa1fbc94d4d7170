import { isEqual } from "#wire/json-equal.ts";
import { isObject, memberAt, textAt, type JsonObject } from "#wire/json.ts";
import { type DriftKind, driftRules } from "../drift.ts";
import { changeOf, type DefinitionChange, type Values, listText } from "./change.ts";
import { validatorFor, type Validates } from "./examples.ts";
import { Gaps, type Gap } from "./gaps.ts";
import { Shapes } from "./shapes.ts";
import { firstNewText, textRows } from "./texts.ts";

/** Members of `_meta` on which clients act: kept answer size, immediate loading, a page to show. */
const actedOn =
  /^(?:ui$|ui\/|(?:[\w-]+\.)*(?:anthropic|claude|openai|google|gemini|github|microsoft|vscode|cursor|mcp|modelcontextprotocol)(?:\.[\w-]+)*\/)/i;

export function definitionChanges(before: JsonObject, after: JsonObject): DefinitionChange[] {
  const members = differingMembers(before, after);
  const changes = members.flatMap(([key, values]) => memberChanges(key, values));
  if (changes.length > 0 || members.length === 0) return changes;
  return [changeOf("definition_rewritten", "order or spelling changed, same meaning", nothing)];
}

const nothing: Values = { before: undefined, after: undefined };

export function differingMembers(before: unknown, after: unknown): [key: string, Values][] {
  const objects = [before, after].filter(isObject);
  return [...new Set(objects.flatMap(Object.keys))].flatMap((key): [string, Values][] => {
    const values = { before: memberAt(before, key), after: memberAt(after, key) };
    return isEqual(values.before, values.after) ? [] : [[key, values]];
  });
}

const comparisons = new Map([
  ["inputSchema", inputSchemaChanges],
  ["outputSchema", outputSchemaChanges],
  ["arguments", argumentChanges],
  ["annotations", annotationChanges],
  ["_meta", metaChanges],
]);

function memberChanges(key: string, values: Values): DefinitionChange[] {
  const compare = comparisons.get(key);
  if (compare) return compare(values);
  if (key === "icons") return [memberChange("metadata_changed", key, values)];
  return [
    memberChange(key === "description" ? "description_changed" : "text_changed", key, values),
  ];
}

function memberChange(kind: DriftKind, name: string, values: Values): DefinitionChange {
  return { ...changeOf(kind, `${name} ${verbFor(values)}`, values), at: name };
}

function inputSchemaChanges(values: Values): DefinitionChange[] {
  const { before, after } = values;
  const [was, is] = [schemaFault(before), schemaFault(after)];
  const changes =
    isObject(before) && isObject(after)
      ? // Arguments are an object in any case.
        schemaChanges("input", {
          before: { ...before, type: "object" },
          after: { ...after, type: "object" },
        })
      : [];
  if (is !== undefined && is !== was) return [rejection(is, values), ...changes];
  if (was === undefined || is !== undefined) return changes;
  const what = "inputSchema is one that clients accept now";
  return [changeOf("input_safe", what, typesOf(values)), ...changes];
}

export function newSchemaRejection(schema: unknown): DefinitionChange | undefined {
  const fault = schemaFault(schema);
  return fault === undefined ? undefined : rejection(fault, { before: undefined, after: schema });
}

// SDK clients reject the whole list when a tool's schema is not of type "object".
function schemaFault(schema: unknown): string | undefined {
  if (schema === undefined) return "inputSchema missing";
  if (!isObject(schema)) return "inputSchema is not an object";
  return schema["type"] === "object" ? undefined : 'inputSchema is not of type "object"';
}

function rejection(fault: string, values: Values): DefinitionChange {
  return changeOf(
    "input_schema_rejected",
    `${fault}: clients reject the tool list`,
    typesOf(values),
  );
}

function typesOf(values: Values): Values {
  const { before, after } = values;
  if (!isObject(before) || !isObject(after)) return values;
  return { before: before["type"], after: after["type"] };
}

// Anything but an object, such as null, limits no answer.
function outputSchemaChanges(values: Values): DefinitionChange[] {
  const [was, is] = [isObject(values.before), isObject(values.after)];
  if (was && is) return schemaChanges("output", values);
  const what = "outputSchema removed: answers may have any form and size";
  if (was) return [changeOf("output_schema_removed", what, nothing)];
  return [changeOf("output_schema_changed", `outputSchema ${verbFor(values)}`, nothing)];
}

function annotationChanges(values: Values): DefinitionChange[] {
  const members = differingMembers(values.before, values.after);
  const areObjects = [values.before ?? {}, values.after ?? {}].every(isObject);
  return members.length === 0 || !areObjects
    ? [memberChange("annotations_changed", "annotations", values)]
    : members.map(([key, hint]) => memberChange("annotations_changed", `annotation ${key}`, hint));
}

function metaChanges(values: Values): DefinitionChange[] {
  const members = differingMembers(values.before, values.after);
  const acted = members.filter(([key]) => actedOn.test(key));
  const isMore = acted.length < members.length || members.length === 0;
  return [
    ...acted.map(([key, one]) => memberChange("client_hint_changed", `_meta ${key}`, one)),
    ...(isMore ? [memberChange("metadata_changed", "_meta", values)] : []),
  ];
}

// Arguments of a prompt are compared as parameters, and as a whole where their list is invalid.
function argumentChanges(values: Values): DefinitionChange[] {
  const [was, is] = [parametersIn(values.before), parametersIn(values.after)];
  if (!was || !is) return [memberChange("text_changed", "arguments", values)];
  const changes = schemaChanges("input", { before: schemaFor(was), after: schemaFor(is) });
  const order = {
    before: [...was.keys()].filter((name) => is.has(name)),
    after: [...is.keys()].filter((name) => was.has(name)),
  };
  if (isEqual(order.before, order.after)) return changes;
  // Some clients assign the words after a command by position.
  return [...changes, memberChange("text_changed", "order of arguments", order)];
}

/** Undefined when a name is missing or repeated, or `required` is unreadable. */
function parametersIn(value: unknown = []): ReadonlyMap<string, JsonObject> | undefined {
  if (!Array.isArray(value)) return undefined;
  const found = new Map<string, JsonObject>();
  for (const one of value) {
    const name = textAt(one, "name");
    if (!isObject(one) || name === undefined || found.has(name)) return undefined;
    if (!["boolean", "undefined"].includes(typeof one["required"])) return undefined;
    found.set(name, one);
  }
  return found;
}

function schemaFor(parameters: ReadonlyMap<string, JsonObject>): JsonObject {
  const schemas = [...parameters].map(([key, { name: _name, required: _required, ...schema }]) => [
    key,
    schema,
  ]);
  const required = [...parameters].filter(([, one]) => one["required"] === true);
  return {
    type: "object",
    properties: Object.fromEntries(schemas),
    required: required.map(([name]) => name),
    additionalProperties: false,
  };
}

const examplesMax = 200;

// Changes beyond it are undecided.
const proofsMax = 200;

type SchemaSide = "input" | "output";

type Row = {
  readonly path: string;
  readonly keyword: string;
  /** The old schema accepts values that the new one may not. */
  readonly gone?: Gap;
  /** The new schema accepts values that the old one may not. */
  readonly come?: Gap;
};

/** A BREAKING change has an example: a value that was accepted, or an answer that was not possible. */
export function schemaChanges(side: SchemaSide, values: Values): DefinitionChange[] {
  const { before, after } = values;
  const [was, is] = [new Shapes(before), new Shapes(after)];
  const gone = new Gaps(was, is).find([before], [after]);
  const come = new Gaps(is, was).find([after], [before]);
  const rows = presentRows(side, rowsFrom(gone, come));
  const prove = prover(side === "input" ? [before, after] : [after, before]);
  const changes = [
    ...rows.map((row) => schemaChange(side, row, prove)),
    ...textRows(values).map(({ path, keyword, ...texts }) => {
      const what = `${placeName(side, path)}: ${keyword} ${verbFor(texts)}`;
      return { ...changeOf("text_changed", what, texts), at: `${side}${path}:${keyword}` };
    }),
  ];
  const isShown = changes.some(({ kind }) => /BREAKING|RISKY/.test(driftRules[kind].severity));
  // New text in any keyword is a risk, also where no rule reads it.
  const added = isShown ? undefined : firstNewText(before, after, true);
  if (!added) return changes;
  const what = `${placeName(side, "")}: new text${added.path === "" ? "" : ` in ${added.path}`}`;
  return [...changes, changeOf("text_changed", what, { before: undefined, after: added.text })];
}

function rowsFrom(gone: readonly Gap[], come: readonly Gap[]): Row[] {
  const rows = new Map<string, Row>();
  for (const [side, gaps] of [
    ["gone", gone],
    ["come", come],
  ] as const) {
    const first = new Map<string, string>();
    for (const gap of gaps) {
      const { path, keyword, origin } = gap;
      const rule = JSON.stringify([origin, keyword]);
      // A definition is reported where a reference leads to it first.
      if (origin !== undefined && (first.get(rule) ?? path) !== path) continue;
      first.set(rule, path);
      const key = JSON.stringify([path, keyword]);
      const row = rows.get(key) ?? { path, keyword };
      const known = row[side];
      rows.set(key, { ...row, [side]: known ? joined(known, gap) : gap });
    }
  }
  return [...rows.values()];
}

function joined(gap: Gap, other: Gap): Gap {
  const lost = gap.lost && other.lost && [...new Set([...gap.lost, ...other.lost])];
  return {
    ...gap,
    ...(lost && { lost }),
    examples: () => [gap, other].values().flatMap((one) => one.examples()),
  };
}

/** A parameter that is new and required, or a field that was removed, is one row. */
function presentRows(side: SchemaSide, rows: readonly Row[]): Row[] {
  const named = new Set(rows.flatMap(({ path, keyword }) => (keyword === "name" ? [path] : [])));
  const isDemand = ({ path, keyword, gone }: Row): boolean =>
    side === "input" && keyword === "required" && gone !== undefined && named.has(path);
  const demanded = new Set(rows.filter(isDemand).map(({ path }) => path));
  return rows.filter(({ path, keyword, gone, come }) => {
    // That branches no longer exclude each other is a matter of its other changes.
    if (keyword === "oneOf" && rows.length > 1)
      return (side === "input" ? gone : come) !== undefined;
    if (keyword === "name") return !demanded.has(path);
    return keyword !== "required" || !named.has(path) || demanded.has(path);
  });
}

type Prove = (gap: Gap | undefined) => string | undefined;

function prover([from, to]: readonly [unknown, unknown]): Prove {
  let left = proofsMax;
  let judges: readonly [accepts: Validates, rejects: Validates] | undefined;
  return (gap) => {
    left -= 1;
    if (left < 0) return undefined;
    const [mine, theirs] = (judges ??= [validatorFor(from), validatorFor(to)]);
    const values = Iterator.from(gap?.examples() ?? []).take(examplesMax);
    const found = values.find((value) => mine(value) === true && theirs(value) === false);
    return found === undefined ? undefined : JSON.stringify(found);
  };
}

function schemaChange(side: SchemaSide, row: Row, prove: Prove): DefinitionChange {
  const { path, keyword, gone, come } = row;
  const values = gone
    ? { before: gone.from, after: gone.to }
    : { before: come?.to, after: come?.from };
  const place = placeName(side, path);
  const isNew = keyword === "name" && !gone;
  const what = isNew ? `new ${place}` : `${place}${wordsFor(side, row, values)}`;
  const { kind, example } = judge(side, row, values, prove);
  const proof = example === undefined ? {} : { example };
  return { ...changeOf(kind, what, values), at: `${side}${path}:${keyword}`, ...proof };
}

function judge(
  side: SchemaSide,
  row: Row,
  values: Values,
  prove: Prove,
): { readonly kind: DriftKind; readonly example?: string | undefined } {
  const { keyword, gone, come } = row;
  // It breaks callers also where the schema accepts any other member: its meaning is lost.
  if (keyword === "name" && gone) return { kind: `${side}_removed`, example: prove(gone) };
  if (keyword === "name") return { kind: `${side}_added` };
  const relied = side === "input" ? gone : come;
  if (!relied) return { kind: `${side}_safe` };
  if (side === "output" && isWidened(row, values)) return { kind: "output_widened" };
  const example = prove(relied);
  return { kind: example === undefined ? `${side}_undecided` : `${side}_breaking`, example };
}

// Callers cope with further values of a field; that some are new is a risk.
function isWidened({ keyword, gone }: Row, { before }: Values): boolean {
  if (["type", "required", ""].includes(keyword) && before !== "none") return false;
  return !gone || (Array.isArray(gone.from) && gone.lost?.length !== gone.from.length);
}

/** In the words of a caller: of values that were accepted, and of values that are accepted now. */
const callersWords: {
  readonly [side in SchemaSide]: {
    readonly [keyword: string]: readonly [gone: string, come: string];
  };
} = {
  input: {
    name: [" removed: stop sending it", ""],
    required: [" required: send it", " optional now"],
    enum: ["stop sending", "also takes"],
  },
  output: {
    name: [" removed", ""],
    required: [" always there now", " may be absent now"],
    enum: ["no longer", "expect"],
  },
};

function wordsFor(side: SchemaSide, { keyword, gone, come }: Row, values: Values): string {
  const [was = "", is = ""] = callersWords[side][keyword] ?? [];
  if (keyword === "name" || keyword === "required") return gone ? was : is;
  if (values.after === "none") return " not allowed any more";
  if (values.before === "none") return " allowed now";
  const lists = [...listed(was, gone), ...listed(is, come)];
  if (lists.length > 0) return `: ${lists.join(", ")}`;
  return keyword === "" ? " changed" : `: ${keyword} ${verbFor(values)}`;
}

function listed(verb: string, gap: Gap | undefined): string[] {
  return gap?.lost ? [`${verb} ${listText(gap.lost)}`] : [];
}

function verbFor({ before, after }: Values): "added" | "removed" | "changed" {
  return before === undefined ? "added" : after === undefined ? "removed" : "changed";
}

/** `parameter filter.since`, `any other field of rows[]`, `the input schema`. */
function placeName(side: SchemaSide, path: string): string {
  if (path === "") return `the ${side} schema`;
  const noun = side === "input" ? "parameter" : "field";
  const parent = /^\.?(.*?)\.\*$/s.exec(path)?.[1];
  if (parent === undefined) return `${noun} ${path.replace(/^\./, "")}`;
  return `any other ${noun}${parent === "" ? "" : ` of ${parent}`}`;
}

import {
  clientHints,
  classifySchemaChange,
  type DriftKind,
  driftRules,
  type FindExample,
  type SchemaDifference,
  type SchemaSide,
  makeChange,
  type DefinitionChange,
  type BeforeAfter,
} from "./severity-rules.ts";
import { isEqual, isObject, readMember, readString, type JsonObject } from "#wire/json.ts";
import { describePath, describeSchemaChange, pickVerb } from "./describe-schema-change.ts";
import { compileValidator, type SchemaPredicate } from "./examples.ts";
import { Gaps, type Gap } from "./schema-gaps.ts";
import { Shapes } from "./schema-shapes.ts";
import { findNewText, compareTexts } from "./schema-texts.ts";

export function compareDefinitions(before: JsonObject, after: JsonObject): DefinitionChange[] {
  const members = findDifferingMembers(before, after);
  const changes = members.flatMap(([key, values]) => compareMember(key, values));
  if (changes.length > 0 || members.length === 0) return changes;
  return [
    makeChange(
      "definition_rewritten",
      "reordered or written differently, with the same meaning",
      noValues,
    ),
  ];
}

const noValues: BeforeAfter = { before: undefined, after: undefined };

export function findDifferingMembers(
  before: unknown,
  after: unknown,
): [key: string, BeforeAfter][] {
  const objects = [before, after].filter(isObject);
  return [...new Set(objects.flatMap(Object.keys))].flatMap((key): [string, BeforeAfter][] => {
    const values = { before: readMember(before, key), after: readMember(after, key) };
    return isEqual(values.before, values.after) ? [] : [[key, values]];
  });
}

const comparisons = new Map([
  ["inputSchema", compareInputSchemas],
  ["outputSchema", compareOutputSchemas],
  ["arguments", compareArguments],
  ["annotations", compareAnnotations],
  ["_meta", compareMeta],
]);

function compareMember(key: string, values: BeforeAfter): DefinitionChange[] {
  const compare = comparisons.get(key);
  if (compare) return compare(values);
  if (key === "icons") return [makeMemberChange("metadata_changed", key, values)];
  return [
    makeMemberChange(key === "description" ? "description_changed" : "text_changed", key, values),
  ];
}

function makeMemberChange(kind: DriftKind, name: string, values: BeforeAfter): DefinitionChange {
  return { ...makeChange(kind, `${name} ${pickVerb(values)}`, values), at: name };
}

function compareInputSchemas(values: BeforeAfter): DefinitionChange[] {
  const { before, after } = values;
  const [oldFault, newFault] = [findInputSchemaFault(before), findInputSchemaFault(after)];
  // Arguments are always an object.
  const [oldSchema, newSchema] = [before, after].map(
    (schema) => isObject(schema) && { ...schema, type: "object" },
  );
  const changes =
    oldSchema && newSchema ? compareSchemas("input", { before: oldSchema, after: newSchema }) : [];
  if (newFault !== undefined && newFault !== oldFault)
    return [makeRejection(newFault, values), ...changes];
  if (oldFault === undefined || newFault !== undefined) return changes;
  const what = "clients now accept inputSchema";
  return [makeChange("input_safe", what, pickTypes(values)), ...changes];
}

export function findSchemaRejection(schema: unknown): DefinitionChange | undefined {
  const fault = findInputSchemaFault(schema);
  return fault === undefined
    ? undefined
    : makeRejection(fault, { before: undefined, after: schema });
}

// SDK clients reject the whole list if one tool's input schema is not of type "object".
function findInputSchemaFault(schema: unknown): string | undefined {
  if (schema === undefined) return "inputSchema missing";
  if (!isObject(schema)) return "inputSchema is not an object";
  return schema["type"] === "object" ? undefined : 'inputSchema is not of type "object"';
}

function makeRejection(fault: string, values: BeforeAfter): DefinitionChange {
  return makeChange(
    "input_schema_rejected",
    `${fault}: clients reject the tool list`,
    pickTypes(values),
  );
}

function pickTypes(values: BeforeAfter): BeforeAfter {
  const { before, after } = values;
  if (!isObject(before) || !isObject(after)) return values;
  return { before: before["type"], after: after["type"] };
}

// A schema that is not an object, such as null, does not limit answers.
function compareOutputSchemas(values: BeforeAfter): DefinitionChange[] {
  const [hadSchema, hasSchema] = [isObject(values.before), isObject(values.after)];
  if (hadSchema && hasSchema) return compareSchemas("output", values);
  const what = "outputSchema removed: answers may have any shape and size";
  if (hadSchema) return [makeChange("output_schema_removed", what, noValues)];
  return [makeChange("output_schema_changed", `outputSchema ${pickVerb(values)}`, noValues)];
}

function compareAnnotations(values: BeforeAfter): DefinitionChange[] {
  const members = findDifferingMembers(values.before, values.after);
  const areObjects = [values.before ?? {}, values.after ?? {}].every(isObject);
  return members.length === 0 || !areObjects
    ? [makeMemberChange("annotations_changed", "annotations", values)]
    : members.map(([key, hint]) =>
        makeMemberChange("annotations_changed", `annotation ${key}`, hint),
      );
}

function compareMeta(values: BeforeAfter): DefinitionChange[] {
  const members = findDifferingMembers(values.before, values.after);
  const hints = members.filter(([key]) => clientHints.test(key));
  const hasOthers = hints.length < members.length || members.length === 0;
  return [
    ...hints.map(([key, hint]) => makeMemberChange("client_hint_changed", `_meta ${key}`, hint)),
    ...(hasOthers ? [makeMemberChange("metadata_changed", "_meta", values)] : []),
  ];
}

function compareArguments(values: BeforeAfter): DefinitionChange[] {
  const oldParameters = readParameters(values.before);
  const newParameters = readParameters(values.after);
  if (!oldParameters || !newParameters)
    return [makeMemberChange("text_changed", "arguments", values)];
  const changes = compareSchemas("input", {
    before: makeArgumentsSchema(oldParameters),
    after: makeArgumentsSchema(newParameters),
  });
  const order = {
    before: [...oldParameters.keys()].filter((name) => newParameters.has(name)),
    after: [...newParameters.keys()].filter((name) => oldParameters.has(name)),
  };
  if (isEqual(order.before, order.after)) return changes;
  // In some clients, the words after a slash command become the prompt's arguments by position.
  return [...changes, makeMemberChange("text_changed", "order of arguments", order)];
}

function readParameters(value: unknown = []): ReadonlyMap<string, JsonObject> | undefined {
  if (!Array.isArray(value)) return undefined;
  const parameters = new Map<string, JsonObject>();
  for (const parameter of value) {
    const name = readString(parameter, "name");
    if (!isObject(parameter) || name === undefined || parameters.has(name)) return undefined;
    if (!["boolean", "undefined"].includes(typeof parameter["required"])) return undefined;
    parameters.set(name, parameter);
  }
  return parameters;
}

function makeArgumentsSchema(parameters: ReadonlyMap<string, JsonObject>): JsonObject {
  const schemas = [...parameters].map(([key, { name: _name, required: _required, ...schema }]) => [
    key,
    schema,
  ]);
  const required = [...parameters].filter(([, parameter]) => parameter["required"] === true);
  return {
    type: "object",
    properties: Object.fromEntries(schemas),
    required: required.map(([name]) => name),
    additionalProperties: false,
  };
}

// To find an example of one gap between two schemas, at most this many values are tried.
const candidatesMax = 200;

// In one comparison of two schemas, an example is sought for at most this many gaps.
const searchedGapsMax = 200;

// A changed limit is BREAKING only if there is an example: arguments newly rejected, or an answer newly possible.
export function compareSchemas(side: SchemaSide, values: BeforeAfter): DefinitionChange[] {
  const { before, after } = values;
  const [oldShapes, newShapes] = [new Shapes(before), new Shapes(after)];
  const narrowed = new Gaps(oldShapes, newShapes).find([before], [after]);
  const widened = new Gaps(newShapes, oldShapes).find([after], [before]);
  const differences = hideImplied(side, joinGaps(narrowed, widened));
  const findExample = makeExampleFinder(side === "input" ? [before, after] : [after, before]);
  const changes = [
    ...differences.map((difference) => makeSchemaChange(side, difference, findExample)),
    ...compareTexts(before, after).map(({ path, keyword, ...texts }) => {
      const what = `${describePath(side, path)}: ${keyword} ${pickVerb(texts)}`;
      return { ...makeChange("text_changed", what, texts), at: `${side}${path}:${keyword}` };
    }),
  ];
  const hasSevereChange = changes.some(({ kind }) =>
    /BREAKING|RISKY/.test(driftRules[kind].severity),
  );
  // If no change is BREAKING or RISKY, any new text is reported as RISKY. It may be in a keyword that no rule compares.
  const added = hasSevereChange ? undefined : findNewText(before, after, { isSchema: true });
  if (!added) return changes;
  const what = `${describePath(side, "")}: new text${added.path === "" ? "" : ` in ${added.path}`}`;
  return [...changes, makeChange("text_changed", what, { before: undefined, after: added.text })];
}

function joinGaps(narrowed: readonly Gap[], widened: readonly Gap[]): SchemaDifference[] {
  const differences = new Map<string, SchemaDifference>();
  for (const [direction, gaps] of [
    ["narrowed", narrowed],
    ["widened", widened],
  ] as const) {
    const firstPaths = new Map<string, string>();
    for (const gap of gaps) {
      const { path, keyword, origin } = gap;
      const source = JSON.stringify([origin, keyword]);
      // A gap in a schema that several references share is reported only at the first reference.
      if (origin !== undefined && (firstPaths.get(source) ?? path) !== path) continue;
      firstPaths.set(source, path);
      const key = JSON.stringify([path, keyword]);
      const difference = differences.get(key) ?? { path, keyword };
      const existing = difference[direction];
      const joined = existing ? joinGap(existing, gap) : gap;
      differences.set(key, { ...difference, [direction]: joined });
    }
  }
  return [...differences.values()];
}

function joinGap(gap: Gap, nextGap: Gap): Gap {
  const lost = gap.lost && nextGap.lost && [...new Set([...gap.lost, ...nextGap.lost])];
  return {
    ...gap,
    ...(lost && { lost }),
    examples: () => [gap, nextGap].values().flatMap(({ examples }) => examples()),
  };
}

function hideImplied(
  side: SchemaSide,
  differences: readonly SchemaDifference[],
): SchemaDifference[] {
  const newOrRemoved = new Set(
    differences.flatMap(({ path, keyword }) => (keyword === "name" ? [path] : [])),
  );
  const isNewRequirement = ({ path, keyword, narrowed }: SchemaDifference): boolean =>
    side === "input" && keyword === "required" && narrowed !== undefined && newOrRemoved.has(path);
  const newlyRequired = new Set(differences.filter(isNewRequirement).map(({ path }) => path));
  return differences.filter(({ path, keyword, narrowed, widened }) => {
    // A harmless `oneOf` difference is hidden if other changes are listed: one of them probably causes it.
    if (keyword === "oneOf" && differences.length > 1)
      return (side === "input" ? narrowed : widened) !== undefined;
    // A new or removed member is listed once: as `required` if callers must now send it, otherwise as `name`.
    if (keyword === "name") return !newlyRequired.has(path);
    return keyword !== "required" || !newOrRemoved.has(path) || newlyRequired.has(path);
  });
}

function makeExampleFinder([from, to]: readonly [unknown, unknown]): FindExample {
  let remaining = searchedGapsMax;
  let validators: readonly [from: SchemaPredicate, to: SchemaPredicate] | undefined;
  return (gap) => {
    remaining -= 1;
    if (remaining < 0) return undefined;
    const [fitsFrom, fitsTo] = (validators ??= [compileValidator(from), compileValidator(to)]);
    const values = Iterator.from(gap?.examples() ?? []).take(candidatesMax);
    const example = values.find((value) => fitsFrom(value) === true && fitsTo(value) === false);
    return example === undefined ? undefined : JSON.stringify(example);
  };
}

function makeSchemaChange(
  side: SchemaSide,
  difference: SchemaDifference,
  findExample: FindExample,
): DefinitionChange {
  const { path, keyword, narrowed, widened } = difference;
  const values = narrowed
    ? { before: narrowed.from, after: narrowed.to }
    : { before: widened?.to, after: widened?.from };
  const what = describeSchemaChange(side, difference, values);
  const { kind, example } = classifySchemaChange(side, difference, findExample);
  return {
    ...makeChange(kind, what, values),
    at: `${side}${path}:${keyword}`,
    ...(example !== undefined && { example }),
  };
}

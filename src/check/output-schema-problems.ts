import { type CleanText, joinLines, escapeUnsafe } from "#kit/text/unsafe-text.ts";
import { isObject, readMember, type JsonObject } from "#wire/json.ts";
import type { Problem } from "./report.ts";
import type { CallFault } from "./played-call.ts";

export type SchemaRejection = {
  readonly tool: string;
  readonly reason: string;
  readonly by: "older" | "newer" | "both" | "list" | "unknown";
};

export function findSchemaProblems(
  rejections: readonly SchemaRejection[],
  clean: CleanText,
): Problem[] {
  return rejections.map(({ tool, reason, by }) => ({
    level: "error",
    rule: "output_schema_rejected",
    about: clean(tool),
    text: describeRejection(shorten(reason, clean), by),
    line: null,
    place: "schemas",
  }));
}

function describeRejection(reason: string, by: SchemaRejection["by"]): string {
  if (by === "unknown") return `its outputSchema ${reason}`;
  return `clients reject its outputSchema: ${reason}; ${consequences[by]}`;
}

const consequences: { readonly [by in Exclude<SchemaRejection["by"], "unknown">]: string } = {
  older: "clients of SDK 1.x then reject the whole list",
  newer: "clients of SDK 2.x then never call the tool",
  both: "clients of SDK 1.x then reject the whole list, and clients of SDK 2.x never call the tool",
  list: "they reject the whole list because of it",
};

// Finds a fault for which clients reject the whole list. In the 2026 era, any `type` is allowed.
export function findSchemaFault(schema: unknown, isModern: boolean): string | undefined {
  if (!isObject(schema)) return "it is not an object";
  if (isModern) {
    const dialect = readMember(schema, "$schema");
    return dialect === undefined || typeof dialect === "string"
      ? undefined
      : "$schema is not a text";
  }
  if (schema["type"] !== "object") return 'it is not of type "object"';
  return findPropertiesFault(schema) ?? findRequiredFault(schema);
}

// Unlike those of 1.x, clients of SDK 2.x accept a property that is not an object.
export function findRejectors(schema: unknown, isModern: boolean): "older" | "both" {
  if (isModern || !isObject(schema) || !isObject(schema["properties"])) return "both";
  return findSchemaFault({ ...schema, properties: {} }, isModern) === undefined ? "older" : "both";
}

function findPropertiesFault(schema: JsonObject): string | undefined {
  const properties = readMember(schema, "properties");
  if (properties === undefined) return undefined;
  if (!isObject(properties)) return "properties is not an object";
  const invalid = Object.entries(properties).find(
    ([, property]) => typeof property !== "object" || property === null,
  );
  return invalid && `the property ${JSON.stringify(invalid[0])} is not an object`;
}

function findRequiredFault(schema: JsonObject): string | undefined {
  const required = readMember(schema, "required");
  if (required === undefined) return undefined;
  const areTexts = Array.isArray(required) && required.every((name) => typeof name === "string");
  return areTexts ? undefined : "required is not a list of texts";
}

export const structureFaultCharactersMax = 300;

export type StructureFault = {
  readonly pointer: string;
  readonly reason: string;
  // True if only clients of SDK 1.x reject it, because they read every schema as draft-07.
  readonly isOlderOnly: boolean;
};

export type Uncompared = "too_slow" | "crashed";

export function describeStructureFault(
  found: StructureFault | Uncompared,
  clean: CleanText,
): CallFault {
  if (typeof found === "string")
    return { rule: "structure_not_compared", text: uncomparedReasons[found] };
  const { pointer, reason, isOlderOnly } = found;
  const subject = pointer === "" ? "it" : cleanPointer(pointer, clean);
  const owner = isOlderOnly ? "SDK 1.x, which reads it as draft-07" : "its outputSchema";
  const schema = isOlderOnly ? `its outputSchema in ${owner}` : owner;
  const text = `structuredContent does not match ${schema}: ${subject} ${reason}`;
  return { rule: "structure_mismatch", text: shorten(text, clean) };
}

const uncomparedReasons: { readonly [cause in Uncompared]: string } = {
  too_slow: "comparing with its outputSchema takes too long, and would keep a client busy",
  crashed: "its outputSchema crashes the process that compares",
};

export function shorten(text: string, clean: CleanText): string {
  const line = joinLines(text, clean);
  const isLong = line.length > structureFaultCharactersMax;
  const excerpt = isLong ? `${line.slice(0, structureFaultCharactersMax).toWellFormed()}…` : line;
  return escapeUnsafe(excerpt);
}

// A pointer writes `/` as `~1`, so it is unescaped to find a secret that contains a slash.
function cleanPointer(pointer: string, clean: CleanText): string {
  const names = pointer.split("/").map((step) => {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    const cleaned = clean(name);
    return cleaned === name ? step : cleaned;
  });
  return names.join("/");
}

import { type Redactor, joinLines, escapeUnsafe } from "#kit/text/unsafe-text.ts";
import { isObject, readMember, type JsonObject } from "#wire/json.ts";
import type { Problem } from "./report.ts";
import type { CallFault } from "./judge-calls.ts";

export type SchemaRejection = {
  readonly tool: string;
  readonly reason: string;
  // `list`: all clients reject the whole list. `unknown`: compiling the schema hung or crashed.
  readonly rejectedBy: "sdk1" | "sdk2" | "both" | "list" | "unknown";
};

export function findSchemaProblems(
  rejections: readonly SchemaRejection[],
  redact: Redactor,
): Problem[] {
  return rejections.map(({ tool, reason, rejectedBy }) => ({
    level: "error",
    rule: "output_schema_rejected",
    about: redact(tool),
    text: describeRejection(shortenFault(reason, redact), rejectedBy),
    line: null,
    place: "schemas",
  }));
}

function describeRejection(reason: string, rejectedBy: SchemaRejection["rejectedBy"]): string {
  if (rejectedBy === "unknown") return `its outputSchema ${reason}`;
  return `clients reject its outputSchema: ${reason}; ${consequences[rejectedBy]}`;
}

const consequences = {
  sdk1: "clients built on SDK 1.x then reject the whole list",
  sdk2: "clients built on SDK 2.x then never call the tool",
  both: "clients built on SDK 1.x then reject the whole list, and clients built on SDK 2.x never call the tool",
  list: "they reject the whole list because of it",
} as const;

// Finds a fault for which some clients reject the whole list of tools. In the modern era, clients make only two checks:
// the schema is an object, and its `$schema` is absent or a string.
export function findOutputSchemaFault(schema: unknown, isModern: boolean): string | undefined {
  if (!isObject(schema)) return "it is not an object";
  if (isModern) {
    const dialect = readMember(schema, "$schema");
    return dialect === undefined || typeof dialect === "string"
      ? undefined
      : "$schema is not a string";
  }
  if (schema["type"] !== "object") return 'it is not of type "object"';
  return findPropertiesFault(schema) ?? findRequiredFault(schema);
}

// Expects a faulty schema. If its only faults are properties that are not objects, SDK 2.x accepts the schema.
export function findRejectingSdks(schema: unknown, isModern: boolean): "sdk1" | "both" {
  if (isModern || !isObject(schema) || !isObject(schema["properties"])) return "both";
  const fault = findOutputSchemaFault({ ...schema, properties: {} }, isModern);
  return fault === undefined ? "sdk1" : "both";
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
  return areTexts ? undefined : "required is not a list of strings";
}

export const faultCharactersMax = 300;

export type OutputMismatch = {
  // Null if the validation threw an error.
  readonly pointer: string | null;
  readonly reason: string;
  // True if only clients of SDK 1.x reject the content. They read every schema as draft-07, and also validate
  // the content of errors.
  readonly isSdk1Only: boolean;
};

export type ValidationFailure = "too_slow" | "crashed";

export function describeOutputMismatch(
  found: OutputMismatch | ValidationFailure,
  redact: Redactor,
): CallFault {
  if (typeof found === "string")
    return { rule: "structure_not_compared", text: validationFailures[found] };
  const { pointer, reason, isSdk1Only } = found;
  const reading = isSdk1Only
    ? " in SDK 1.x, which reads every schema as draft-07 and also validates error results"
    : "";
  const verb = pointer === null ? "cannot be validated against" : "does not match";
  const subject =
    pointer === "" ? "it " : pointer === null ? "" : `${redactPointer(pointer, redact)} `;
  const text = `structuredContent ${verb} its outputSchema${reading}: ${subject}${reason}`;
  return { rule: "structure_mismatch", text: shortenFault(text, redact) };
}

const validationFailures: { readonly [cause in ValidationFailure]: string } = {
  too_slow: "validating its structuredContent takes too long, and would keep a client busy",
  crashed: "its outputSchema crashes the process that validates its structuredContent",
};

export function shortenFault(text: string, redact: Redactor): string {
  const line = joinLines(text, redact);
  const isLong = line.length > faultCharactersMax;
  const excerpt = isLong ? `${line.slice(0, faultCharactersMax).toWellFormed()}…` : line;
  return escapeUnsafe(excerpt);
}

// A pointer writes `/` as `~1`, so it is unescaped to find a secret that contains a slash.
function redactPointer(pointer: string, redact: Redactor): string {
  const names = pointer.split("/").map((step) => {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    const redacted = redact(name);
    return redacted === name ? step : redacted;
  });
  return names.join("/");
}

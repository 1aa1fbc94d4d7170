import { UserError } from "#kit/errors.ts";
import { nearestName } from "#kit/text/nearest.ts";
import { isObject } from "#wire/json.ts";
import type { ArgumentSchema, ArgumentSchemas, ServedArguments } from "./served-tool.ts";
import { mcpServerSentences } from "./sentences.ts";

/** The arguments of a call in the order of their schemas; null stands for an absent one. Throws UserError for one that is unknown or does not fit. */
export function readArguments(raw: unknown, schemas: ArgumentSchemas): ServedArguments {
  if (raw === undefined || raw === null) return {};
  if (!isObject(raw)) throw new UserError(mcpServerSentences.argumentsNotObject());
  const unknown = Object.keys(raw).find((name) => !Object.hasOwn(schemas, name));
  if (unknown !== undefined) throw unknownArgument(unknown, Object.keys(schemas));
  const read: { [name: string]: string | number } = {};
  for (const [name, schema] of Object.entries(schemas)) {
    const value = raw[name] ?? null;
    if (value !== null) read[name] = readValue(name, value, schema);
  }
  return read;
}

function unknownArgument(name: string, known: readonly string[]): UserError {
  return new UserError(
    mcpServerSentences.argumentUnknown(name, nearestName(name, known), known.join(", ")),
  );
}

function readValue(name: string, value: unknown, schema: ArgumentSchema): string | number {
  if (schema.type === "integer") {
    const { minimum, maximum } = schema;
    const isFit = typeof value === "number" && Number.isInteger(value);
    if (isFit && minimum <= value && value <= maximum) return value;
    throw mistake(name, value, `a whole number from ${minimum} to ${maximum}`);
  }
  const choices = schema.enum;
  if (typeof value !== "string" || value === "") throw mistake(name, value, "a text");
  if (!choices || choices.includes(value)) return value;
  throw mistake(name, value, `one of ${choices.join(", ")}`);
}

function mistake(name: string, value: unknown, wanted: string): UserError {
  return new UserError(mcpServerSentences.argumentValue(name, JSON.stringify(value), wanted));
}

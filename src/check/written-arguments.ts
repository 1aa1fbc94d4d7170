import { changedNumber } from "#text/exact-number.ts";
import { isObject, memberAt, type JsonObject } from "#wire/json.ts";
import { parseNumbers } from "./exact-json.ts";

const inexact = Symbol("inexact");

/**
 * With numbers as written: one that JavaScript would write differently, such as `-0.0`, is a symbol with its text.
 * Undefined when reading changes a number. `at` is the place in a batch.
 */
export function writtenArguments(text: string, at: number): JsonObject | undefined {
  let read: unknown;
  try {
    read = parseNumbers(text, mark);
  } catch {
    // Some clients write NaN, which has no place in JSON.
    return undefined;
  }
  const request: unknown = Array.isArray(read) ? read[at] : read;
  const args = memberAt(request, "params", "arguments");
  return isObject(args) && isExact(args) ? args : undefined;
}

function mark(source: string, value: number): unknown {
  if (changedNumber(source, value) !== undefined) return inexact;
  return JSON.stringify(value) === source ? value : Symbol(source);
}

function isExact(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isExact);
  return isObject(value) ? Object.values(value).every(isExact) : value !== inexact;
}

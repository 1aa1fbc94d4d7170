import { changedNumber } from "#text/exact-number.ts";
import { isObject, memberAt } from "#wire/json.ts";

/** Stands for a number that reading it has changed. */
const inexact = Symbol("inexact");

/**
 * True when the arguments of a request are read as they are written: each number is the same. `text` is its line, and `at`
 * its place in a batch.
 */
export function areArgumentsExact(text: string, at: number): boolean {
  let read: unknown;
  try {
    read = JSON.parse(text, mark);
  } catch {
    // Some clients write NaN, which has no place in JSON.
    return false;
  }
  const request: unknown = Array.isArray(read) ? read[at] : read;
  return isExact(memberAt(request, "params", "arguments"));
}

function mark(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== "number") return value;
  return changedNumber(context?.source ?? "", value) === undefined ? value : inexact;
}

function isExact(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isExact);
  return isObject(value) ? Object.values(value).every(isExact) : value !== inexact;
}

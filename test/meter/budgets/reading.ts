import { readMember, readString } from "#wire/json.ts";
import type { RequestDescription } from "./cast.ts";

export function refusalIn(text: string, says: "was not run" | "ran, but"): string | undefined {
  const message: unknown = JSON.parse(text);
  const isError = readMember(message, "error", "code") === -31_900;
  const content =
    readMember(message, "result", "content") ?? readMember(message, "result", "result", "content");
  const told = isError
    ? readString(message, "error", "message")
    : Array.isArray(content)
      ? readString(content[0], "text")
      : undefined;
  const isRefusal = told?.startsWith("mcp-meter: ") === true && told.includes(says);
  return isRefusal ? rawIdIn(text) : undefined;
}

export function rawIdIn(text: string): string | undefined {
  return /^\{"jsonrpc":"2\.0","id":("(?:[^"\\]|\\.)*"|[^,]*),/.exec(text)?.[1];
}

export function numberOf(message: unknown): unknown {
  return readMember(message, "params", "_meta", "number");
}

export function isSameValue(one: RequestDescription, other: RequestDescription): boolean {
  return JSON.parse(one.rawId ?? "null") === JSON.parse(other.rawId ?? "null");
}

/** The same id to one that tells numbers beyond 2^53 apart. */
export function isSameId(one: RequestDescription, other: RequestDescription): boolean {
  return isUnsafe(other) ? one.rawId === other.rawId : isSameValue(one, other);
}

export function isUnsafe({ rawId }: RequestDescription): boolean {
  const value: unknown = JSON.parse(rawId ?? "null");
  return typeof value === "number" && !Number.isSafeInteger(value);
}

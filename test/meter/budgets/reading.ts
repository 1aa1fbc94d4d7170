import { memberAt, textAt } from "#wire/json.ts";
import type { RequestDescription } from "./cast.ts";

export function refusalIn(text: string, says: "was not run" | "ran, but"): string | undefined {
  const message: unknown = JSON.parse(text);
  const isError = memberAt(message, "error", "code") === -31_900;
  const content =
    memberAt(message, "result", "content") ?? memberAt(message, "result", "result", "content");
  const told = isError
    ? textAt(message, "error", "message")
    : Array.isArray(content)
      ? textAt(content[0], "text")
      : undefined;
  const isRefusal = told?.startsWith("mcp-meter: ") === true && told.includes(says);
  return isRefusal ? rawIdIn(text) : undefined;
}

export function rawIdIn(text: string): string | undefined {
  return /^\{"jsonrpc":"2\.0","id":("(?:[^"\\]|\\.)*"|[^,]*),/.exec(text)?.[1];
}

export function numberOf(message: unknown): unknown {
  return memberAt(message, "params", "_meta", "number");
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

import { importTimeMsMax } from "#limits/import.ts";
import { nameCharactersMax } from "#limits/lines.ts";
import { canonicalJson } from "#wire/canonical.ts";
import { compactJson, isObject, memberAt } from "#wire/json.ts";
import type { ReaderTools } from "#imports/importer.ts";
import type { ConversationEvent, ToolUseEvent } from "#imports/log-event.ts";

/** The id or name at a path; null when it is missing, empty or not a text. A long one is replaced by its hash. */
export function idAt(
  tools: Pick<ReaderTools, "sha256">,
  value: unknown,
  ...[first, second, third]: readonly [string, string?, string?]
): string | null {
  const found = memberAt(value, first, second, third);
  if (typeof found !== "string" || found === "") return null;
  // Half of a surrogate pair is refused by readers of JSON.
  return found.length > nameCharactersMax ? tools.sha256(found) : found.toWellFormed();
}

/** Milliseconds since 1970 of an ISO 8601 text or a number; null when it is neither, before 1970 or after the year 9999. */
export function timeFrom(value: unknown): number | null {
  const ms = typeof value === "string" ? Date.parse(value) : value;
  const isTime = typeof ms === "number" && ms >= 0 && ms <= importTimeMsMax;
  return isTime ? Math.trunc(ms) : null;
}

/** The facts of a call's arguments, which are an object or its JSON text. */
export function argumentFacts(
  args: unknown,
  tools: Pick<ReaderTools, "sha256" | "countTokens">,
  model: string | null,
): Pick<ToolUseEvent, "argumentBytes" | "argumentTokens" | "argumentsHash"> {
  const text = typeof args === "string" ? args : compactJson(args ?? {});
  return {
    argumentBytes: Buffer.byteLength(text),
    argumentTokens: tools.countTokens(text, model),
    argumentsHash: hashOf(args, tools),
  };
}

/** Hash of canonical JSON, as records of the wire have it; null for anything but an object. */
function hashOf(args: unknown, tools: Pick<ReaderTools, "sha256">): string | null {
  const value = typeof args === "string" ? parsedText(args) : (args ?? {});
  return isObject(value) ? tools.sha256(canonicalJson(value)) : null;
}

/** The value of a text that a log has in its JSON; undefined when it is not JSON itself. */
export function parsedText(text: string = ""): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Bytes and tokens of the texts of an answer. */
export function textFacts(
  texts: readonly string[],
  model: string | null,
  tools: Pick<ReaderTools, "countTokens">,
): { readonly bytes: number; readonly tokens: number | null } {
  const counts = texts.map((text) => tools.countTokens(text, model));
  return {
    bytes: sum(texts.map((text) => Buffer.byteLength(text))),
    tokens: counts.includes(null) ? null : sum(counts.map((count) => count ?? 0)),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** A price in dollars; undefined when it is not a number that is not negative. */
export function costFrom(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** The project of a conversation, by its folder. */
export function projectFacts(
  folder: string | undefined,
  tools: Pick<ReaderTools, "projectHash" | "projectName">,
): Pick<ConversationEvent, "project" | "projectName"> {
  if (folder === undefined) return { project: null };
  const projectName = tools.projectName(folder);
  return { project: tools.projectHash(folder), ...(projectName === null ? {} : { projectName }) };
}

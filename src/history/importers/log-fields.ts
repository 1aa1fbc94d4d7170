import { nameCharactersMax } from "#kit/limits.ts";
import { canonicalJson } from "#wire/json-equal.ts";
import { compactJson, isObject, memberAt } from "#wire/json.ts";
import type { ReaderTools } from "../imports/importer.ts";
import type { ConversationEvent, ToolUseEvent } from "../imports/log-event.ts";

// Milliseconds since 1970: the last time whose local day has a year of four digits.
export const importTimeMsMax = 253_402_214_399_999;

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

export function timeFrom(value: unknown): number | null {
  const ms = typeof value === "string" ? Date.parse(value) : value;
  const isTime = typeof ms === "number" && ms >= 0 && ms <= importTimeMsMax;
  return isTime ? Math.trunc(ms) : null;
}

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

/** Of canonical JSON, as in records of the wire; null for anything but an object. */
function hashOf(args: unknown, tools: Pick<ReaderTools, "sha256">): string | null {
  const value = typeof args === "string" ? parsedText(args) : (args ?? {});
  return isObject(value) ? tools.sha256(canonicalJson(value)) : null;
}

export function parsedText(text: string = ""): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

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

/** Dollars of one request. */
const loggedCostMax = 1e9;

export function costFrom(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value <= loggedCostMax ? value : undefined;
}

export function durationFrom(ms: unknown): number | null {
  return typeof ms === "number" && ms >= 0 && ms <= importTimeMsMax ? ms : null;
}

export function projectFacts(
  folder: string | undefined,
  tools: Pick<ReaderTools, "projectHash" | "projectName">,
): Pick<ConversationEvent, "project" | "projectName"> {
  if (folder === undefined) return { project: null };
  const projectName = tools.projectName(folder);
  return { project: tools.projectHash(folder), ...(projectName === null ? {} : { projectName }) };
}

import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { CounterName } from "./option-sets.ts";
import { at, type Json, listAt, textAt } from "./reading.ts";

export type Shown = {
  readonly blocks: readonly Json[];
  readonly texts: readonly string[];
  readonly values?: readonly Json[];
};

type Profile = "content-first" | "structured-first";

/** A lower bound of the tokens shown: media and the frames of embedded resources count as nothing. */
export function countShown(shown: Shown, counter: CounterName): number {
  const { values = [] } = shown;
  const plain = countPlain(shown, counter);
  if (counter === "chars4") return plain;
  const asJson = values.map((value) => JSON.stringify(value) ?? "");
  const readings = [asJson, asJson.map(escapeNonAscii)];
  return Math.max(
    plain,
    ...readings.map((texts) => sum(texts.map((text) => countText(text, counter)))),
  );
}

function escapeNonAscii(json: string): string {
  return json.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function countPlain({ blocks, texts }: Shown, counter: CounterName): number {
  const textTokens = sum(texts.map((text) => countText(text, counter)));
  if (counter !== "chars4" || blocks.length === 0) {
    return textTokens + sum(blocks.map((block) => countText(readBlockText(block), counter)));
  }
  const characters = blocks.map(
    (block) => 20 + (textAt(block, "text") ?? "").length + (textAt(block, "data") ?? "").length,
  );
  return textTokens + Math.ceil((40 + sum(characters)) / 4);
}

export function pickShownRequest(method: string, params: Json): Shown {
  if (method === "resources/read") return { blocks: [], texts: [textAt(params, "uri") ?? ""] };
  const args = at(params, "arguments");
  const texts = [textAt(params, "name") ?? "", args === undefined ? "" : JSON.stringify(args)];
  return { blocks: [], texts };
}

export function pickShownResult(method: string, result: Json, profile: Profile): Shown {
  const { values, ...shown } = pickShownAndValues(method, result, profile);
  return profile === "content-first" ? { ...shown, values } : shown;
}

function pickShownAndValues(method: string, result: Json, profile: Profile): Required<Shown> {
  if (method === "resources/read") {
    const resources = listAt(result, "contents");
    const blocks = resources.map((resource) => ({ type: "resource", resource }));
    return { blocks, texts: [], values: resources };
  }
  if (method === "prompts/get") {
    const messages = listAt(result, "messages");
    const contents = messages.map((message) => at(message, "content"));
    const blocks = contents.filter((block) => block !== undefined).flat();
    return { blocks, texts: [], values: messages };
  }
  const blocks = listAt(result, "content");
  const structured = at(result, "structuredContent");
  if (profile === "structured-first") {
    if (isReplaced(result, blocks)) return { blocks: [], texts: [], values: [] };
    if (at(result, "isError") === true)
      return { blocks: blocks.filter(isTextBlock), texts: [], values: [] };
  }
  const isStructured = structured !== undefined && structured !== null;
  if (isStructured && (profile === "structured-first" || blocks.length === 0)) {
    const texts = [JSON.stringify(structured)];
    return { blocks: [], texts, values: listUnrepeatedStructure([], structured) };
  }
  const texts = blocks.length === 0 ? formatUnknownMembers(result) : [];
  return { blocks, texts, values: [...blocks, ...listUnrepeatedStructure(blocks, structured)] };
}

/** An unknown client may show both, unless one of the texts is the structure. */
function listUnrepeatedStructure(blocks: readonly Json[], structured: Json): readonly Json[] {
  if (structured === undefined || structured === null) return [];
  const json = JSON.stringify(structured);
  return blocks.some((block) => isTextBlock(block) && at(block, "text") === json)
    ? []
    : [structured];
}

const shownCharactersMax = { error: 10_000, other: 50_000 };

/** True if Claude Code rejects, cuts or saves the answer (docs/notes/clients.md). */
function isReplaced(result: Json, blocks: readonly Json[]): boolean {
  const length = JSON.stringify(result).length;
  const isError = at(result, "isError") === true;
  const isStructureNull = at(result, "structuredContent") === null;
  const max = isError ? shownCharactersMax.error : shownCharactersMax.other;
  return isStructureNull || length > max || !blocks.every(isKnownBlock);
}

function isTextBlock(block: Json): boolean {
  return at(block, "type") === "text";
}

function isKnownBlock(block: Json): boolean {
  switch (at(block, "type")) {
    case "text":
    case "resource_link":
      return true;
    case "image":
    case "audio":
      return textAt(block, "data") !== undefined;
    case "resource":
      return [textAt(block, "resource", "text"), textAt(block, "resource", "blob")].some(
        (content) => content !== undefined,
      );
    default:
      return false;
  }
}

export function pickShownError(error: Json, profile: Profile): Shown {
  const code = JSON.stringify(at(error, "code")) ?? "";
  const data = JSON.stringify(at(error, "data")) ?? "";
  const texts = [code, textAt(error, "message") ?? "", data];
  return { blocks: [], texts, values: profile === "content-first" ? [error] : [] };
}

const knownMembers = new Set(["content", "structuredContent", "isError", "resultType", "_meta"]);

function formatUnknownMembers(result: Json): readonly string[] {
  if (typeof result !== "object" || result === null) return [];
  const members = Object.entries(result).filter(([name]) => !knownMembers.has(name));
  return members.length === 0 ? [] : [JSON.stringify(Object.fromEntries(members))];
}

function readBlockText(block: Json): string {
  const type = at(block, "type");
  if (type === "text") return textAt(block, "text") ?? "";
  if (type === "resource") return textAt(block, "resource", "text") ?? "";
  if (["image", "audio", "resource_link"].includes(String(type))) return "";
  if (typeof block !== "object" || block === null || Array.isArray(block)) {
    return JSON.stringify(block);
  }
  const members = Object.entries(block).filter(([name]) => name !== "_meta" && name !== "data");
  return JSON.stringify(Object.fromEntries(members));
}

function countText(text: string, counter: CounterName): number {
  if (counter === "o200k") return countTokens(text, { disallowedSpecial: new Set() });
  return Math.ceil(text.length / (counter === "chars3" ? 3 : 4));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

import {
  isJsonEqual,
  readArray,
  stringifyCompact,
  isObject,
  readMember,
  readString,
} from "#wire/json.ts";
import {
  type Block,
  type BlockKind,
  readBlocks,
  makeJsonPart,
  type Part,
  type TextPart,
} from "./client-profiles/block.ts";
import type {
  ClientProfile,
  LimitedAnswer,
  Echo,
  ShownText,
  AnswerFacts,
  Piece,
} from "./client-profiles/client-profile.ts";
import { type Ceiling, countCeiling } from "./ceiling.ts";
import { listToolReadings } from "./client-profiles/unknown-readings.ts";
import type { Reader } from "./reader.ts";
import { isForUser, overheadCharactersMin } from "./overhead/overhead.ts";
import { joinText, makeTextPart } from "./client-profiles/common.ts";
import type { Caller } from "./caller.ts";
import { countParts } from "./count-parts.ts";
import type { Confidence } from "./estimator.ts";

// The parts of an answer that the model reads, and those that crossed the wire.
export type Visibility = {
  readonly visible: readonly Part[];
  readonly most?: readonly Part[] | undefined; // all that an unknown client may show, if more than `visible`
  readonly ceiling?: () => Ceiling;
  readonly wire: readonly Part[];
  readonly duplicate: readonly Part[]; // text blocks that repeat the structured content
  readonly limited?: Omit<LimitedAnswer, "parts"> | undefined;
  readonly beforeLimit?: readonly Part[] | undefined;
  readonly isScripted?: boolean; // a script reads the answer
  readonly isFramed?: boolean | undefined; // the client adds text
  // True if the client was measured with all block kinds of this answer.
  readonly isMeasured?: boolean | undefined;
};

export function pickCeiling({
  ceiling,
  visible,
}: Pick<Visibility, "ceiling" | "visible">): Ceiling {
  return ceiling?.() ?? [[visible]];
}

export function describeToolResult(rawResult: unknown, reading: ReadingTerms): Visibility {
  const { profile, request } = reading;
  const answer = readAnswerFacts(rawResult, reading);
  const { structured, duplicate } = answer;
  const others = listOtherParts(rawResult);
  const content = listParts(answer.blocks);
  const both = structured ? [...content, structured] : content;
  const wire = others.length > 0 ? [...both, ...others] : both;
  if (profile.isScripted(request.caller)) {
    return { wire, duplicate, visible: wire, isScripted: true };
  }
  const makeCeiling = (visible: readonly Part[]): Pick<Visibility, "ceiling"> =>
    profile.isUnknown
      ? { ceiling: () => listToolReadings(rawResult, structured?.text, visible) }
      : {};
  const failure = listFailureTexts(answer, rawResult, profile);
  if (!failure && both.length === 0 && (others.length > 0 || rawResult === undefined)) {
    return { wire, duplicate, visible: others, ...makeCeiling(others) };
  }
  const shown = showAnswer(answer, failure, reading, wire);
  const most = profile.isUnknown && structured && !answer.isStructuredRepeated ? both : undefined;
  const isMeasured = isMeasuredAnswer(answer, rawResult, profile);
  return { wire, duplicate, most, ...shown, isMeasured, ...makeCeiling(shown.visible) };
}

// Clients were measured only with errors that have these blocks.
const errorKinds: readonly BlockKind[] = ["text", "image"];

function isMeasuredAnswer(
  { blocks }: AnswerFacts,
  rawResult: unknown,
  { measured }: ClientProfile,
): boolean {
  if (!measured) return false;
  const kinds = readMember(rawResult, "isError") === true ? errorKinds : measured.kinds;
  return blocks.every(({ kind }) => kinds.includes(kind));
}

function listParts(blocks: readonly Block[]): readonly Part[] {
  const [first] = blocks;
  return first && blocks.length === 1 ? first.parts : blocks.flatMap(({ parts }) => parts);
}

export function readAnswerFacts(
  rawResult: unknown,
  { profile, request }: Pick<ReadingTerms, "profile" | "request">,
): AnswerFacts {
  const blocks = readBlocks(readArray(rawResult, "content"), profile.resourcesAsJson);
  const rawStructured = readMember(rawResult, "structuredContent");
  const structured = makeStructuredPart(rawStructured);
  const duplicate = structured
    ? listParts(blocks).filter((part) => isDuplicate(part, rawStructured, structured.text))
    : noParts;
  const isStructuredRepeated =
    structured !== undefined &&
    blocks.some(({ kind, text }) => kind === "text" && text === structured.text);
  return {
    blocks,
    structured,
    isStructuredRepeated,
    duplicate,
    meta: readMember(rawResult, "_meta"),
    json: () => stringifyCompact(rawResult),
    echo: makeEcho(request),
  };
}

export function makeEcho({ tool, input }: RequestFacts): Echo {
  return { tool: tool ?? "", args: input[1] ?? "" };
}

export function composeVisible(
  texts: readonly ShownText[],
  separator: string | null,
  wire: readonly Part[],
): Pick<Visibility, "visible" | "isFramed"> {
  const visible = composeTexts(texts, separator);
  return { visible, isFramed: hasAddedText(visible, wire) };
}

export function hasAddedText(shown: readonly Part[], wire: readonly Part[]): boolean {
  const [only] = shown;
  if (only && shown.length === 1) return !wire.includes(only);
  const known = new Set(wire);
  return !shown.every((part) => known.has(part));
}

function showAnswer(
  answer: AnswerFacts,
  failure: readonly ShownText[] | undefined,
  reading: ReadingTerms,
  wire: readonly Part[],
): Pick<Visibility, "visible" | "limited" | "beforeLimit" | "isFramed"> {
  const { profile } = reading;
  const texts = failure ?? profile.renderWhole?.(answer) ?? listAnswerTexts(answer, profile);
  const shown = composeVisible(texts, profile.separator, wire);
  const limited = failure
    ? profile.limitError?.(shown.visible, false)
    : profile.limitAnswer?.(shown.visible, {
        requestedCharacters: reading.requestedCharacters,
        blocks: answer.blocks.length,
        count: reading.count,
      });
  return { ...shown, ...applyLimit(shown.visible, limited) };
}

export function applyLimit(
  beforeLimit: readonly Part[],
  limited: LimitedAnswer | undefined,
): Partial<Visibility> {
  if (!limited) return {};
  const { parts, ...facts } = limited;
  return { visible: parts, limited: facts, beforeLimit, isFramed: true };
}

function listFailureTexts(
  answer: AnswerFacts,
  rawResult: unknown,
  { showRejection, showToolError }: ClientProfile,
): readonly ShownText[] | undefined {
  const rejected = showRejection?.(rawResult, answer);
  if (rejected) return rejected;
  return readMember(rawResult, "isError") === true ? showToolError?.(answer) : undefined;
}

function listAnswerTexts(answer: AnswerFacts, profile: ClientProfile): readonly ShownText[] {
  const { header, formatEmpty, isBlank } = profile;
  const texts = orderTexts(answer, profile);
  if (header !== "") {
    // Structured content alone is in one text with the header.
    const isAlone = texts.length === 1 && texts[0]?.[0] === answer.structured;
    return isAlone ? [[header, "\n", ...(texts[0] ?? [])]] : [[header], ...texts];
  }
  const isEmpty = texts.every((text) =>
    text.every((piece) =>
      typeof piece === "string" ? isBlank(piece) : piece.kind === "text" && isBlank(piece.text),
    ),
  );
  return isEmpty ? [[formatEmpty(answer.echo)]] : texts;
}

function orderTexts(answer: AnswerFacts, profile: ClientProfile): readonly ShownText[] {
  const { structured, blocks } = answer;
  const texts: ShownText[] = [];
  let isFirst = true;
  for (const source of listShownSources(answer, profile)) {
    if (source === "structured") {
      if (structured) texts.push([structured]);
      continue;
    }
    for (const block of blocks) {
      if (!isBlockShown(source, block, profile)) continue;
      const text = profile.blocks[block.kind](block, answer, isFirst);
      if (text.length > 0) texts.push(text);
      isFirst &&= !text.some((piece) => typeof piece !== "string" && piece.kind !== "text");
    }
  }
  return texts;
}

function makeStructuredPart(structured: unknown): TextPart | undefined {
  if (structured === undefined || structured === null) return undefined;
  const json = makeJsonPart(structured);
  return json.text === "" ? undefined : json;
}

const knownMembers = new Set(["structuredContent", "isError", "resultType", "_meta"]);

function listOtherParts(rawResult: unknown): readonly TextPart[] {
  if (rawResult === undefined) return noParts;
  if (!isObject(rawResult)) return [makeJsonPart(rawResult)];
  const names = Object.keys(rawResult).filter((name) => !isKnownMember(name, rawResult[name]));
  if (names.length === 0) return noParts;
  return [makeJsonPart(Object.fromEntries(names.map((name) => [name, rawResult[name]])))];
}

const noParts: readonly TextPart[] = [];

function isKnownMember(name: string, value: unknown): boolean {
  return name === "content" ? Array.isArray(value) : knownMembers.has(name);
}

function isDuplicate(part: Part, structured: unknown, structuredText: string): boolean {
  return (
    part.kind === "text" &&
    readString(part.block, "type") === "text" &&
    isJsonEqual(part.text, structured, structuredText)
  );
}

export function countResult(
  result: unknown,
  reader: Reader,
  request: RequestFacts,
  tokensMax = Infinity,
): number {
  const answer = describeToolResult(result, makeReading(reader, request));
  return countCeiling(pickCeiling(answer), reader, tokensMax);
}

export function composeTexts(
  texts: readonly ShownText[],
  separator: string | null,
): readonly Part[] {
  const [only] = texts;
  if (only && texts.length === 1) return joinPieces(only);
  if (separator === null) return texts.flatMap(joinPieces);
  const shown = texts.filter((text) => text.length > 0);
  return joinPieces(
    shown.flatMap((text, at): ShownText => {
      const before = shown[at - 1];
      return before && hasText(before) && hasText(text) ? [separator, ...text] : text;
    }),
  );
}

function hasText(text: ShownText): boolean {
  return text.some((piece) => typeof piece === "string" || piece.kind === "text");
}

// Short pieces are joined. Long ones stay apart, so that each is counted once for model and wire.
function joinPieces(pieces: readonly Piece[]): readonly Part[] {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined && typeof only !== "string") return [only];
  const parts = pieces
    .filter((piece) => piece !== "")
    .map((piece) => (typeof piece === "string" ? makeTextPart(piece) : piece));
  if (parts.length < 2) return parts;
  return groupTexts(parts).flatMap((group) => {
    const text = joinText(group);
    return group.length > 1 && text.length < overheadCharactersMin ? [makeTextPart(text)] : group;
  });
}

function groupTexts(parts: readonly Part[]): readonly (readonly Part[])[] {
  const groups: Part[][] = [];
  let isOpen = false;
  for (const part of parts) {
    const mayJoin = part.kind === "text" && !isForUser(part.block);
    const last = groups.at(-1);
    if (mayJoin && isOpen && last) last.push(part);
    else groups.push([part]);
    isOpen = mayJoin;
  }
  return groups;
}

export type RequestFacts = {
  readonly tool: string | null;
  readonly input: readonly string[];
  readonly caller: Caller;
};

export type ReadingTerms = {
  readonly profile: ClientProfile;
  readonly request: RequestFacts;
  // As sent by the server: `_meta["anthropic/maxResultSizeChars"]`.
  readonly requestedCharacters: () => unknown;
  readonly count: (parts: readonly Part[], tokensMax: number) => number;
};

export function makeReading(
  reader: Reader,
  request: RequestFacts,
  count: ReadingTerms["count"] = (parts, tokensMax) => countParts(parts, reader, tokensMax),
): ReadingTerms {
  const { profile, tools } = reader;
  return {
    profile,
    request,
    requestedCharacters: () =>
      request.tool === null
        ? undefined
        : readMember(tools?.find(request.tool), "_meta", "anthropic/maxResultSizeChars"),
    count,
  };
}

// `beside`: only those blocks of `content` that a client shows next to `structuredContent`.
export type ShownSource = "content" | "beside" | "structured";

export function listShownSources(
  {
    structured,
    isStructuredRepeated,
    blocks,
  }: Pick<AnswerFacts, "structured" | "isStructuredRepeated" | "blocks">,
  { order }: Pick<ClientProfile, "order">,
): readonly ShownSource[] {
  if (!structured) return ["content"];
  switch (order) {
    case "structured-first":
      return ["beside", "structured"];
    case "content-first":
      return blocks.length > 0 ? ["content"] : ["structured"];
    case "content-only":
      return ["content"];
    case "structured-then-content":
      return isStructuredRepeated ? ["content"] : ["structured", "content"];
    case "content-then-structured":
      return isStructuredRepeated && blocks.filter(({ kind }) => kind === "text").length === 1
        ? ["content"]
        : ["content", "structured"];
    case "both":
      return ["content", "structured"];
  }
}

export function isBlockShown(
  source: Exclude<ShownSource, "structured">,
  block: Block,
  { besideStructured, showsUserOnly }: Pick<ClientProfile, "besideStructured" | "showsUserOnly">,
): boolean {
  if (source === "beside" && !besideStructured.includes(block.kind)) return false;
  return showsUserOnly || !block.isForUser;
}

// Exact only if the client was measured with such an answer and shows it unchanged.
export function rateAnswerConfidence(
  confidence: Confidence,
  { isFramed, isScripted, isMeasured }: Pick<Visibility, "isFramed" | "isScripted" | "isMeasured">,
): Confidence {
  if (isScripted === true) return "low";
  return confidence === "high" && (!isMeasured || isFramed) ? "medium" : confidence;
}

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
  ShownItem,
  AnswerFacts,
  Piece,
} from "./client-profiles/client-profile.ts";
import { type Ceiling, countCeiling, countParts } from "./count-parts.ts";
import { listToolReadings } from "./client-profiles/unknown-readings.ts";
import type { Reader } from "./reader.ts";
import { isForUser, overheadCharactersMin } from "./answer-overhead/overhead.ts";
import { joinText, makeTextPart } from "./client-profiles/common.ts";
import type { Caller } from "#wire/message.ts";
import type { Confidence } from "./estimator.ts";

export type Visibility = {
  readonly visible: readonly Part[];
  // All blocks and the structured content, if an unknown client may show both.
  readonly visibleAtMost?: readonly Part[] | undefined;
  readonly ceiling?: () => Ceiling; // all forms in which an unknown client may show each block, for an upper bound
  readonly wire: readonly Part[];
  readonly duplicate: readonly Part[]; // text blocks that repeat the structured content
  readonly limited?: Omit<LimitedAnswer, "parts"> | undefined;
  readonly beforeLimit?: readonly Part[] | undefined;
  readonly isScripted?: boolean; // a script reads the answer
  readonly isFramed?: boolean | undefined; // the client adds text
  readonly isMeasured?: boolean | undefined; // the client was measured with all block kinds of this answer
};

export function pickCeiling({
  ceiling,
  visible,
}: Pick<Visibility, "ceiling" | "visible">): Ceiling {
  return ceiling?.() ?? [[visible]];
}

export function describeToolResult(rawResult: unknown, context: AnswerContext): Visibility {
  const { profile, request } = context;
  const answer = readAnswerFacts(rawResult, context);
  const { structured, duplicate } = answer;
  const otherMembers = listOtherParts(rawResult);
  const blockParts = listParts(answer.blocks);
  const answerParts = structured ? [...blockParts, structured] : blockParts;
  const wire = otherMembers.length > 0 ? [...answerParts, ...otherMembers] : answerParts;
  if (profile.isScripted(request.caller)) {
    return { wire, duplicate, visible: wire, isScripted: true };
  }
  const makeCeiling = (visible: readonly Part[]): Pick<Visibility, "ceiling"> =>
    profile.isUnknown
      ? { ceiling: () => listToolReadings(rawResult, structured?.text, visible) }
      : {};
  const failure = listFailureItems(answer, rawResult, profile);
  if (
    !failure &&
    answerParts.length === 0 &&
    (otherMembers.length > 0 || rawResult === undefined)
  ) {
    return { wire, duplicate, visible: otherMembers, ...makeCeiling(otherMembers) };
  }
  const shown = renderAnswer(answer, failure, context, wire);
  const visibleAtMost =
    profile.isUnknown && structured && !answer.isStructuredRepeated ? answerParts : undefined;
  const isMeasured = isMeasuredAnswer(answer, rawResult, profile);
  return { wire, duplicate, visibleAtMost, ...shown, isMeasured, ...makeCeiling(shown.visible) };
}

// Clients were measured with tool errors that contain only text and image blocks.
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

// Most answers have one block. Here and below, a shortcut for a single element creates fewer arrays.
function listParts(blocks: readonly Block[]): readonly Part[] {
  const [first] = blocks;
  return first && blocks.length === 1 ? first.parts : blocks.flatMap(({ parts }) => parts);
}

export function readAnswerFacts(
  rawResult: unknown,
  { profile, request }: Pick<AnswerContext, "profile" | "request">,
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

export function makeEcho({ tool, input: [, args = ""] }: RequestFacts): Echo {
  return { tool: tool ?? "", args };
}

export function composeVisible(
  items: readonly ShownItem[],
  separator: string | null,
  wire: readonly Part[],
): Pick<Visibility, "visible" | "isFramed"> {
  const visible = composeItems(items, separator);
  return { visible, isFramed: hasAddedText(visible, wire) };
}

export function hasAddedText(shown: readonly Part[], wire: readonly Part[]): boolean {
  const [only] = shown;
  if (only && shown.length === 1) return !wire.includes(only);
  const known = new Set(wire);
  return !shown.every((part) => known.has(part));
}

function renderAnswer(
  answer: AnswerFacts,
  failure: readonly ShownItem[] | undefined,
  context: AnswerContext,
  wire: readonly Part[],
): Pick<Visibility, "visible" | "limited" | "beforeLimit" | "isFramed"> {
  const { profile } = context;
  const items = failure ?? profile.renderWhole?.(answer) ?? listAnswerItems(answer, profile);
  const shown = composeVisible(items, profile.separator, wire);
  const limited = failure
    ? profile.limitError?.(shown.visible, { isProtocolError: false })
    : profile.limitAnswer?.(shown.visible, {
        declaredCharactersMax: context.declaredCharactersMax,
        blocks: answer.blocks.length,
        count: context.count,
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

function listFailureItems(
  answer: AnswerFacts,
  rawResult: unknown,
  { renderRejection, renderToolError }: ClientProfile,
): readonly ShownItem[] | undefined {
  const rejected = renderRejection?.(rawResult, answer);
  if (rejected) return rejected;
  return readMember(rawResult, "isError") === true ? renderToolError?.(answer) : undefined;
}

function listAnswerItems(answer: AnswerFacts, profile: ClientProfile): readonly ShownItem[] {
  const { header, formatEmpty, isBlank } = profile;
  const items = orderItems(answer, profile);
  if (header !== "") {
    // If structured content is the only item, it forms one text with the header.
    const isAlone = items.length === 1 && items[0]?.[0] === answer.structured;
    return isAlone ? [[header, "\n", ...(items[0] ?? [])]] : [[header], ...items];
  }
  const isEmpty = items.every((item) =>
    item.every((piece) =>
      typeof piece === "string" ? isBlank(piece) : piece.kind === "text" && isBlank(piece.text),
    ),
  );
  return isEmpty ? [[formatEmpty(answer.echo)]] : items;
}

function orderItems(answer: AnswerFacts, profile: ClientProfile): readonly ShownItem[] {
  const { structured, blocks } = answer;
  const items: ShownItem[] = [];
  let hasShownMedia = false;
  for (const source of listShownSources(answer, profile)) {
    if (source === "structured") {
      if (structured) items.push([structured]);
      continue;
    }
    for (const block of blocks) {
      if (!isBlockShown(source, block, profile)) continue;
      const item = profile.blocks[block.kind](block, answer, hasShownMedia);
      if (item.length > 0) items.push(item);
      hasShownMedia ||= item.some((piece) => typeof piece !== "string" && piece.kind !== "text");
    }
  }
  return items;
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

export function countResultCeiling(
  result: unknown,
  reader: Reader,
  request: RequestFacts,
  tokensMax = Infinity,
): number {
  const answer = describeToolResult(result, makeAnswerContext(reader, request));
  return countCeiling(pickCeiling(answer), reader, tokensMax);
}

export function composeItems(
  items: readonly ShownItem[],
  separator: string | null,
): readonly Part[] {
  const [only] = items;
  if (only && items.length === 1) return joinPieces(only);
  if (separator === null) return items.flatMap(joinPieces);
  const shown = items.filter((item) => item.length > 0);
  return joinPieces(
    shown.flatMap((item, index): ShownItem => {
      const before = shown[index - 1];
      return before && hasText(before) && hasText(item) ? [separator, ...item] : item;
    }),
  );
}

function hasText(item: ShownItem): boolean {
  return item.some((piece) => typeof piece === "string" || piece.kind === "text");
}

// Long texts are not joined, because they would be counted twice: separately for `wire`, and joined for `visible`.
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
  readonly input: readonly string[]; // texts that the model wrote; for a tool call, its name and arguments
  readonly caller: Caller;
};

export type AnswerContext = {
  readonly profile: ClientProfile;
  readonly request: RequestFacts;
  readonly declaredCharactersMax: () => unknown;
  readonly count: (parts: readonly Part[], tokensMax: number) => number;
};

export function makeAnswerContext(
  reader: Reader,
  request: RequestFacts,
  count: AnswerContext["count"] = (parts, tokensMax) => countParts(parts, reader, tokensMax),
): AnswerContext {
  const { profile, tools } = reader;
  return {
    profile,
    request,
    declaredCharactersMax: () =>
      request.tool === null
        ? undefined
        : readMember(tools?.find(request.tool), "_meta", "anthropic/maxResultSizeChars"),
    count,
  };
}

// `beside`: only those blocks of `content` that a client shows next to `structuredContent`.
export type ShownSource = "content" | "beside" | "structured";

export function listShownSources(
  answer: Pick<AnswerFacts, "structured" | "isStructuredRepeated" | "blocks">,
  { order }: Pick<ClientProfile, "order">,
): readonly ShownSource[] {
  const { structured, isStructuredRepeated, blocks } = answer;
  if (!structured) return ["content"];
  switch (order) {
    case "prefer-structured":
      return ["beside", "structured"];
    case "prefer-content":
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
  {
    besideStructured,
    showsUserBlocks,
  }: Pick<ClientProfile, "besideStructured" | "showsUserBlocks">,
): boolean {
  if (source === "beside" && !besideStructured.includes(block.kind)) return false;
  return showsUserBlocks || !block.isForUser;
}

export function rateAnswerConfidence(
  confidence: Confidence,
  { isFramed, isScripted, isMeasured }: Pick<Visibility, "isFramed" | "isScripted" | "isMeasured">,
): Confidence {
  if (isScripted === true) return "low";
  return confidence === "high" && (!isMeasured || isFramed) ? "medium" : confidence;
}

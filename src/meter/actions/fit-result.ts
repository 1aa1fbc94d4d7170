import type { Excess } from "../budgets/decision.ts";
import { joinText } from "#tokens/cost/client-profiles/common.ts";
import type { Part, Block, BlockKind } from "#tokens/cost/client-profiles/block.ts";
import { countCeiling } from "#tokens/cost/count-parts.ts";
import {
  makeAnswerContext,
  type ShownSource,
  listShownSources,
  isBlockShown,
  pickCeiling,
  describeToolResult,
  readAnswerFacts,
} from "#tokens/cost/visibility.ts";
import { isHighSurrogate } from "#tokens/tokenizer/feed.ts";
import { isObject, type JsonObject, readMember, readString } from "#wire/json.ts";
import { joinWords } from "#kit/sentences.ts";
import { findLargest, formatCount, pluralize } from "#kit/text/numbers.ts";
import type { AnswerFacts, ClientProfile } from "#tokens/cost/client-profiles/client-profile.ts";

export type Marker = (shortening: string) => string;

/** Shortens the result to `room` tokens, marker included; undefined if not even the marker fits. */
export function fitResult(excess: Excess, marker: Marker): JsonObject | undefined {
  const { result, request, room, reader } = excess;
  if (!isObject(result)) return undefined;
  const pieces = splitAnswer(excess);
  const frame = frameResult(result, pieces, excess);
  const total = pieces.texts.reduce((sum, { text }) => sum + text.length, 0);
  const cutTo = (shown: number): JsonObject => {
    const head = cutTexts(pieces.texts, shown);
    // A cut never splits a character, so the head may be one code unit shorter than requested.
    const shortening = describeCut({ shown: head.characters, total }, pieces);
    const note = shortening === "" ? [] : [{ type: "text", text: marker(shortening) }];
    return { ...frame, content: [...head.blocks, ...note] };
  };
  const fits = (shown: number): boolean => {
    const cut = cutTo(shown);
    const answer = describeToolResult(cut, makeAnswerContext(reader, request));
    return (
      countCeiling(pickCeiling(answer), reader, room) <= room && showsEveryText(answer.visible, cut)
    );
  };
  return fits(0) ? cutTo(findLongestHead(total, room, fits)) : undefined;
}

// If a tool has an `outputSchema`, clients reject its results without `structuredContent`, except errors.
function frameResult(
  { structuredContent, ...rest }: JsonObject,
  { readsStructured }: AnswerPieces,
  { request, reader: { tools } }: Excess,
): JsonObject {
  if (structuredContent === undefined) return rest;
  if (!readsStructured && structuredContent !== null) return { ...rest, structuredContent };
  const definition = request.tool === null ? undefined : tools?.find(request.tool);
  const isPromised = !definition || readMember(definition, "outputSchema") !== undefined;
  return isPromised ? { ...rest, isError: true } : rest;
}

// False if the client would shorten the result again, or not show the marker.
export function showsEveryText(visible: readonly Part[], result: JsonObject): boolean {
  const shown = joinText(visible);
  const blocks: unknown = result["content"];
  return (Array.isArray(blocks) ? blocks : []).every((block: unknown) => {
    const text = readString(block, "text") ?? readString(block, "resource", "text") ?? "";
    return shown.includes(text) || shown.includes(JSON.stringify(text).slice(1, -1));
  });
}

// First tries a head of `start` characters and doubles it while it fits, so that most attempts count short texts.
function findLongestHead(max: number, start: number, fits: (shown: number) => boolean): number {
  let low = 0;
  let high = Math.min(max, Math.max(1, start));
  while (high < max && fits(high)) [low, high] = [high, Math.min(max, high * 2)];
  return findLargest(high, fits, low);
}

function cutTexts(
  texts: readonly TextPiece[],
  shown: number,
): { readonly blocks: readonly JsonObject[]; readonly characters: number } {
  const blocks: JsonObject[] = [];
  let charactersLeft = shown;
  let characters = 0;
  for (const { text, makeBlock } of texts) {
    if (charactersLeft <= 0) break;
    const splitsCharacter =
      charactersLeft < text.length && isHighSurrogate(text.charCodeAt(charactersLeft - 1));
    const head = text.slice(0, splitsCharacter ? charactersLeft - 1 : charactersLeft);
    blocks.push(makeBlock(head));
    characters += head.length;
    charactersLeft -= text.length;
  }
  return { blocks, characters };
}

type TextPiece = {
  readonly text: string;
  readonly makeBlock: (text: string) => JsonObject;
  readonly json?: unknown; // `structuredContent`, if `text` is its JSON
};

type AnswerPieces = {
  readonly texts: readonly TextPiece[];
  readonly blocksWithoutText: readonly Block[];
  // If `structuredContent` were kept, the model might read it besides the cut text, or instead of the text.
  readonly readsStructured: boolean;
  // The cut loses `structuredContent`, and no text repeats it.
  readonly losesStructured: boolean;
};

export function splitAnswer({ result, reader, request }: Excess): AnswerPieces {
  const { profile } = reader;
  const answer = readAnswerFacts(result, makeAnswerContext(reader, request));
  const isScripted = profile.isScripted(request.caller);
  const isFailure = readMember(result, "isError") === true && profile.renderToolError !== null;
  const chooseSources = (facts: AnswerFacts): readonly ShownSource[] => {
    if (isScripted || profile.isUnknown) return listAllSources(facts);
    return isFailure ? listFailureSources(facts) : listShownSources(facts, profile);
  };
  const sources = answer.isStructuredRepeated
    ? dropRepeatedSource(chooseSources(answer))
    : chooseSources(answer);
  const texts = sources.flatMap((source) => collectTexts(source, answer, profile, result));
  const isLost = isFailure && answer.structured !== undefined && !sources.includes("structured");
  // A cut text no longer equals `structuredContent`, so the client may show both.
  const sourcesOnceCut = chooseSources({ ...answer, isStructuredRepeated: false });
  return {
    texts,
    blocksWithoutText: sources.flatMap((source) => collectOtherBlocks(source, answer, profile)),
    readsStructured: isFailure || sourcesOnceCut.includes("structured"),
    losesStructured: isLost && !answer.isStructuredRepeated,
  };
}

// `content` repeats `structuredContent` here: if the client shows both, the shortened result keeps only `content`.
function dropRepeatedSource(sources: readonly ShownSource[]): readonly ShownSource[] {
  return sources.includes("content") ? sources.filter((name) => name !== "structured") : sources;
}

function listAllSources({
  structured,
  isStructuredRepeated,
  blocks,
}: AnswerFacts): readonly ShownSource[] {
  if (!structured) return ["content"];
  if (blocks.length === 0) return ["structured"];
  return isStructuredRepeated ? ["content"] : ["content", "structured"];
}

// All clients show the texts of an error; only some also show its structured content.
function listFailureSources({ structured, blocks }: AnswerFacts): readonly ShownSource[] {
  return structured && !blocks.some(hasText) ? ["structured"] : ["content"];
}

function collectTexts(
  source: ShownSource,
  { structured, blocks }: AnswerFacts,
  profile: ClientProfile,
  result: unknown,
): readonly TextPiece[] {
  if (source !== "structured") {
    const shown = blocks.filter((block) => isBlockShown(source, block, profile));
    return shown.filter(hasText).flatMap((block) => makeTextPiece(block) ?? []);
  }
  if (!structured) return [];
  const json = readMember(result, "structuredContent");
  return [{ text: structured.text, makeBlock: (text) => ({ type: "text", text }), json }];
}

function collectOtherBlocks(
  source: ShownSource,
  { blocks }: AnswerFacts,
  profile: ClientProfile,
): readonly Block[] {
  if (source === "structured") return [];
  return blocks.filter((block) => isBlockShown(source, block, profile) && !hasText(block));
}

// A resource with an empty text has nothing to cut: it is dropped like an image, and the marker says so.
function hasText({ kind, text }: Block): boolean {
  return kind === "text" || (kind === "resource-text" && text !== "");
}

function makeTextPiece({ kind, raw, text }: Block): TextPiece | undefined {
  if (!isObject(raw)) return undefined;
  if (kind === "text") return { text, makeBlock: (cut) => ({ ...raw, text: cut }) };
  const { resource } = raw;
  if (kind !== "resource-text" || !isObject(resource)) return undefined;
  return { text, makeBlock: (cut) => ({ ...raw, resource: { ...resource, text: cut } }) };
}

type CharacterCounts = { readonly shown: number; readonly total: number };

type LostPieces = {
  readonly blocksWithoutText: readonly Block[];
  readonly losesStructured: boolean;
};

const blockNouns: { readonly [kind in BlockKind]: string } = {
  text: "text",
  image: "image",
  "unreadable-image": "image",
  audio: "sound",
  link: "link",
  "resource-text": "text",
  "resource-image": "image",
  "resource-blob": "file",
  unknown: "unknown block",
};

export function describeCut(
  { shown, total }: CharacterCounts,
  { blocksWithoutText, losesStructured }: LostPieces,
): string {
  const missing = [
    ...countNouns(blocksWithoutText.map(({ kind }) => blockNouns[kind])),
    ...(losesStructured ? ["structuredContent"] : []),
  ];
  const cut = `cut after ${formatCount(shown)} of ${pluralize(total, "character")}`;
  const without = `shown without ${joinWords(missing, "and")}`;
  return [...(shown === total ? [] : [cut]), ...(missing.length === 0 ? [] : [without])].join(
    " and ",
  );
}

function countNouns(nouns: readonly string[]): readonly string[] {
  return [...Map.groupBy(nouns, (noun) => noun)].map(([noun, { length }]) =>
    pluralize(length, noun),
  );
}

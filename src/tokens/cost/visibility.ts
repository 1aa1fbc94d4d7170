import { isJsonEqual } from "#wire/json-equal.ts";
import { arrayAt, compactJson, isObject, memberAt, textAt } from "#wire/json.ts";
import { type Block, type BlockKind, readBlocks } from "./clients/block.ts";
import type {
  ClientProfile,
  Limited,
  Echo,
  ShownText,
  AnswerFacts,
  Piece,
} from "./clients/client-profile.ts";
import { type Ceiling, countCeiling } from "./ceiling.ts";
import { toolReadings } from "./clients/unknown.ts";
import { isIn, halvesShown, type AskedFacts, type Reading, readingOf } from "./reading.ts";
import { jsonPart, type Part, type TextPart } from "./part.ts";
import type { Reader } from "./exact-prices.ts";
import { overheadCharactersMin } from "../limits.ts";
import { isForUser } from "./overhead/overhead.ts";
import { frame } from "./clients/common.ts";

/** A part in several lists is the same object, so that its price is stored once. */
export type Visibility = {
  readonly visible: readonly Part[];
  /** Both halves, where an unknown client may show more than `visible`. */
  readonly most?: readonly Part[] | undefined;
  readonly ceiling?: () => Ceiling;
  readonly wire: readonly Part[];
  readonly duplicate: readonly Part[];
  readonly limited?: Omit<Limited, "parts"> | undefined;
  /** As the client compares them with its limit. */
  readonly compared?: readonly Part[] | undefined;
  /** A script gets the answer, so `visible` is the most. */
  readonly isScripted?: boolean;
  /** The client adds or changes text. */
  readonly isFramed?: boolean | undefined;
  /** The client was seen to read such answers: errors of texts and images, others of the kinds of its profile. */
  readonly isMeasured?: boolean | undefined;
};

export function ceilingOf({ ceiling, visible }: Pick<Visibility, "ceiling" | "visible">): Ceiling {
  return ceiling?.() ?? [[visible]];
}

export function describeToolResult(rawResult: unknown, reading: Reading): Visibility {
  const { profile, asked } = reading;
  const answer = answerFacts(rawResult, reading);
  const { structured, duplicate } = answer;
  const others = otherParts(rawResult);
  const content = partsOf(answer.blocks);
  const both = structured ? [...content, structured] : content;
  const wire = others.length > 0 ? [...both, ...others] : both;
  if (profile.isScripted(asked.caller)) {
    return { wire, duplicate, visible: wire, isScripted: true };
  }
  const isOther = both.length === 0;
  const ceilingFor = (visible: readonly Part[]): Pick<Visibility, "ceiling"> =>
    profile.isUnknown ? { ceiling: () => toolReadings(rawResult, structured?.text, visible) } : {};
  const failure = failureTexts(answer, rawResult, profile);
  if (!failure && isOther && (others.length > 0 || rawResult === undefined)) {
    return { wire, duplicate, visible: others, ...ceilingFor(others) };
  }
  const { visible, limited, compared, isFramed } = readAnswer(answer, failure, reading, wire);
  const most = profile.isUnknown && structured && !answer.isTwice ? both : undefined;
  const isMeasured = wasMeasured(answer, rawResult, profile);
  const shown = { visible, limited, compared, isFramed, isMeasured };
  return { wire, duplicate, most, ...shown, ...ceilingFor(visible) };
}

const errorKinds: readonly BlockKind[] = ["text", "image"];

function wasMeasured(
  { blocks }: AnswerFacts,
  rawResult: unknown,
  { measured }: ClientProfile,
): boolean {
  if (!measured) return false;
  const kinds = memberAt(rawResult, "isError") === true ? errorKinds : measured.kinds;
  return blocks.every(({ kind }) => kinds.includes(kind));
}

function partsOf(blocks: readonly Block[]): readonly Part[] {
  const [first] = blocks;
  return first && blocks.length === 1 ? first.parts : blocks.flatMap(({ parts }) => parts);
}

export function answerFacts(
  rawResult: unknown,
  { profile, asked }: Pick<Reading, "profile" | "asked">,
): AnswerFacts {
  const blocks = readBlocks(arrayAt(rawResult, "content"), profile.resourcesAsJson);
  const rawStructured = memberAt(rawResult, "structuredContent");
  const structured = structuredPart(rawStructured);
  const duplicate = structured
    ? partsOf(blocks).filter((part) => isDuplicate(part, rawStructured, structured.text))
    : noParts;
  const json = (): string => compactJson(rawResult);
  const isTwice =
    structured !== undefined &&
    blocks.some(({ kind, text }) => kind === "text" && text === structured.text);
  const meta = memberAt(rawResult, "_meta");
  return { blocks, structured, isTwice, duplicate, meta, json, asked: echoOf(asked) };
}

export function echoOf({ tool, input }: AskedFacts): Echo {
  return { tool: tool ?? "", args: input[1] ?? "" };
}

export function shownParts(
  texts: readonly ShownText[],
  joint: string | null,
  wire: readonly Part[],
): Pick<Visibility, "visible" | "isFramed"> {
  const visible = compose(texts, joint);
  return { visible, isFramed: holdsOwnText(visible, wire) };
}

export function holdsOwnText(shown: readonly Part[], wire: readonly Part[]): boolean {
  const [only] = shown;
  if (only && shown.length === 1) return !wire.includes(only);
  const known = new Set(wire);
  return !shown.every((part) => known.has(part));
}

function readAnswer(
  answer: AnswerFacts,
  failure: readonly ShownText[] | undefined,
  reading: Reading,
  wire: readonly Part[],
): Pick<Visibility, "visible" | "limited" | "compared" | "isFramed"> {
  const { profile } = reading;
  const texts = failure ?? profile.whole?.(answer) ?? answerTexts(answer, profile);
  const shown = shownParts(texts, profile.joint, wire);
  const limited = failure
    ? profile.errorLimit?.(shown.visible, false)
    : profile.limit?.(shown.visible, {
        requestedCharacters: reading.requestedCharacters,
        blocks: answer.blocks.length,
        count: reading.count,
      });
  return { ...shown, ...cutParts(shown.visible, limited) };
}

export function cutParts(
  compared: readonly Part[],
  limited: Limited | undefined,
): Partial<Visibility> {
  if (!limited) return {};
  const { parts, ...facts } = limited;
  return { visible: parts, limited: facts, compared, isFramed: true };
}

function failureTexts(
  answer: AnswerFacts,
  rawResult: unknown,
  { rejection, toolError }: ClientProfile,
): readonly ShownText[] | undefined {
  const rejected = rejection?.(rawResult, answer);
  if (rejected) return rejected;
  return memberAt(rawResult, "isError") === true ? toolError?.(answer) : undefined;
}

function answerTexts(answer: AnswerFacts, profile: ClientProfile): readonly ShownText[] {
  const { header, empty, isBlank } = profile;
  const texts = orderedTexts(answer, profile);
  if (header !== "") {
    const isAlone = texts.length === 1 && texts[0]?.[0] === answer.structured;
    return isAlone ? [[header, "\n", ...(texts[0] ?? [])]] : [[header], ...texts];
  }
  const isEmpty = texts.every((text) =>
    text.every((piece) =>
      typeof piece === "string" ? isBlank(piece) : piece.kind === "text" && isBlank(piece.text),
    ),
  );
  return isEmpty ? [[empty(answer.asked)]] : texts;
}

function orderedTexts(answer: AnswerFacts, profile: ClientProfile): readonly ShownText[] {
  const { structured, blocks } = answer;
  const texts: ShownText[] = [];
  let isFirst = true;
  for (const half of halvesShown(answer, profile)) {
    if (half === "structured") {
      if (structured) texts.push([structured]);
      continue;
    }
    for (const block of blocks) {
      if (!isIn(half, block, profile)) continue;
      const text = profile.blocks[block.kind](block, answer, isFirst);
      if (text.length > 0) texts.push(text);
      isFirst &&= !text.some((piece) => typeof piece !== "string" && piece.kind !== "text");
    }
  }
  return texts;
}

function structuredPart(structured: unknown): TextPart | undefined {
  if (structured === undefined || structured === null) return undefined;
  const part = jsonPart(structured);
  return part.text === "" ? undefined : part;
}

const knownMembers = new Set(["structuredContent", "isError", "resultType", "_meta"]);

function otherParts(rawResult: unknown): readonly TextPart[] {
  if (rawResult === undefined) return noParts;
  if (!isObject(rawResult)) return [jsonPart(rawResult)];
  const names = Object.keys(rawResult).filter((name) => !isKnownMember(name, rawResult[name]));
  if (names.length === 0) return noParts;
  return [jsonPart(Object.fromEntries(names.map((name) => [name, rawResult[name]])))];
}

const noParts: readonly TextPart[] = [];

function isKnownMember(name: string, value: unknown): boolean {
  return name === "content" ? Array.isArray(value) : knownMembers.has(name);
}

function isDuplicate(part: Part, structured: unknown, structuredText: string): boolean {
  return (
    part.kind === "text" &&
    textAt(part.block, "type") === "text" &&
    isJsonEqual(part.text, structured, structuredText)
  );
}

export function countResult(
  result: unknown,
  reader: Reader,
  asked: AskedFacts,
  enough = Infinity,
): number {
  const answer = describeToolResult(result, readingOf(reader, asked));
  return countCeiling(ceilingOf(answer), reader, enough);
}

export function compose(texts: readonly ShownText[], joint: string | null): readonly Part[] {
  const [only] = texts;
  if (only && texts.length === 1) return composeText(only);
  if (joint === null) return texts.flatMap(composeText);
  const shown = texts.filter((text) => text.length > 0);
  return composeText(
    shown.flatMap((text, at): ShownText => {
      const before = shown[at - 1];
      return before && hasText(before) && hasText(text) ? [joint, ...text] : text;
    }),
  );
}

/** Media alone go next to the text, without a joint. */
function hasText(text: ShownText): boolean {
  return text.some((piece) => typeof piece === "string" || piece.kind === "text");
}

// Two texts cost up to a token more than one; pieces of a long one are counted once for model and wire.
function composeText(pieces: readonly Piece[]): readonly Part[] {
  // Most texts are one part of the answer as it is.
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined && typeof only !== "string") return [only];
  const parts = pieces
    .filter((piece) => piece !== "")
    .map((piece) => (typeof piece === "string" ? frame(piece) : piece));
  if (parts.length < 2) return parts;
  return runsOf(parts).flatMap((run) => {
    const text = run.map((part) => (part.kind === "text" ? part.text : "")).join("");
    return run.length > 1 && text.length < overheadCharactersMin ? [frame(text)] : run;
  });
}

/** Neighbouring texts together, everything else alone. */
function runsOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const runs: Part[][] = [];
  let isOpen = false;
  for (const part of parts) {
    const mayJoin = part.kind === "text" && !isForUser(part.block);
    const last = runs.at(-1);
    if (mayJoin && isOpen && last) last.push(part);
    else runs.push([part]);
    isOpen = mayJoin;
  }
  return runs;
}

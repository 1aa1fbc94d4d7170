import { isJsonEqual } from "#wire/json-equal.ts";
import { arrayAt, compactJson, isObject, memberAt, textAt } from "#wire/json.ts";
import { type Block, readBlocks } from "./clients/block.ts";
import type {
  ClientProfile,
  Limited,
  Echo,
  ShownText,
  AnswerFacts,
} from "./clients/client-profile.ts";
import { invalidBlocks, invalidStructured } from "./clients/common.ts";
import { compose } from "./clients/compose.ts";
import { blocksIn, halvesShown } from "./halves.ts";
import { jsonPart, type Part, type TextPart } from "./part.ts";
import type { AskedFacts, Reading } from "./reading.ts";

/**
 * The parts of an answer: those that the model reads, those that came over the wire, those that came twice. A
 * part in more than one list is the same object, so that its price can be stored by part.
 */
export type Visibility = {
  readonly visible: readonly Part[];
  /** The most that the model may read, where its client is unknown and may show more than `visible`. */
  readonly most?: readonly Part[] | undefined;
  readonly wire: readonly Part[];
  /** Text blocks whose JSON equals `structuredContent`; each is also in `wire`. */
  readonly duplicate: readonly Part[];
  /** The change that the client makes to an answer that is too long. */
  readonly limited?: Omit<Limited, "parts"> | undefined;
  /** The parts of an answer that is too long, as the client compares them with its limit. */
  readonly compared?: readonly Part[] | undefined;
  /** True when a script gets the answer: its model reads any part of it, so `visible` is the most. */
  readonly isScripted?: boolean;
  /** True when the client adds text of its own, or changes the text. */
  readonly isFramed?: boolean | undefined;
};

/** The parts that budgets count: the most that the model may read. */
export function mostOf({ most, visible }: Visibility): readonly Part[] {
  return most ?? visible;
}

/** The parts of a `tools/call` result, and those that a client shows to its model. Accepts any JSON value. */
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
  if (isOther && (others.length > 0 || rawResult === undefined)) {
    return { wire, duplicate, visible: others };
  }
  const { visible, limited, compared, isFramed } = readAnswer(answer, rawResult, reading, wire);
  const mayShowBoth = profile.mayShowBoth && structured !== undefined && !answer.isTwice;
  const most = mayShowBoth ? both : undefined;
  return { wire, duplicate, visible, limited, compared, isFramed, most };
}

/** The parts of all blocks; of one block, as most answers have, without a copy. */
function partsOf(blocks: readonly Block[]): readonly Part[] {
  const [first] = blocks;
  return first && blocks.length === 1 ? first.parts : blocks.flatMap(({ parts }) => parts);
}

/** The facts of a tool's answer that decide which parts of it a client shows. Accepts any JSON value. */
export function answerFacts(
  rawResult: unknown,
  { profile, asked }: Pick<Reading, "profile" | "asked">,
): AnswerFacts & { readonly duplicate: readonly Part[] } {
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
  return { blocks, structured, isTwice, duplicate, json, asked: echoOf(asked) };
}

/** The name and the arguments of a request, as a client may repeat them. */
export function echoOf({ tool, input }: AskedFacts): Echo {
  return { tool: tool ?? "", args: input[1] ?? "" };
}

/** The parts of those texts, and whether they are all on the wire as they are. */
export function shownParts(
  texts: readonly ShownText[],
  joint: string | null,
  wire: readonly Part[],
): Pick<Visibility, "visible" | "isFramed"> {
  const visible = compose(texts, joint);
  return { visible, isFramed: holdsOwnText(visible, wire) };
}

/** True when some of the parts that a client shows did not come over the wire as they are. */
export function holdsOwnText(shown: readonly Part[], wire: readonly Part[]): boolean {
  const [only] = shown;
  if (only && shown.length === 1) return !wire.includes(only);
  const known = new Set(wire);
  return !shown.every((part) => known.has(part));
}

function readAnswer(
  answer: AnswerFacts,
  rawResult: unknown,
  reading: Reading,
  wire: readonly Part[],
): Pick<Visibility, "visible" | "limited" | "compared" | "isFramed"> {
  const { profile } = reading;
  const failure = failureTexts(answer, rawResult, profile);
  const shown = shownParts(failure ?? answerTexts(answer, profile), profile.joint, wire);
  const limited = failure
    ? profile.errorLimit?.(shown.visible)
    : profile.limit?.(shown.visible, {
        requestedCharacters: reading.requestedCharacters,
        blocks: answer.blocks.length,
        count: reading.count,
      });
  if (!limited) return shown;
  const { parts, ...facts } = limited;
  return { visible: parts, limited: facts, compared: shown.visible, isFramed: true };
}

/** The texts in the place of an answer that the client rejects, or that reports an error. */
function failureTexts(
  answer: AnswerFacts,
  rawResult: unknown,
  { invalid, toolError }: ClientProfile,
): readonly ShownText[] | undefined {
  const { asked } = answer;
  if (invalid) {
    const isNull = isObject(rawResult) && rawResult["structuredContent"] === null;
    if (invalid.isNullRejected && isNull) {
      return invalid.show(invalidStructured(), asked, rawResult);
    }
    const hasUnknown = answer.blocks.some(({ kind }) => kind === "unknown");
    if (hasUnknown) return invalid.show(invalidBlocks(), asked, rawResult);
  }
  return memberAt(rawResult, "isError") === true ? toolError?.(answer) : undefined;
}

/** The texts of an answer without an error. */
function answerTexts(answer: AnswerFacts, profile: ClientProfile): readonly ShownText[] {
  const { header, empty } = profile;
  const texts = orderedTexts(answer, profile);
  if (header !== "") {
    const isAlone = texts.length === 1 && texts[0]?.[0] === answer.structured;
    return isAlone ? [[header, "\n", ...(texts[0] ?? [])]] : [[header], ...texts];
  }
  const isEmpty = texts.every((text) => text.every(isBlank));
  return isEmpty ? [[empty(answer.asked)]] : texts;
}

function isBlank(piece: ShownText[number]): boolean {
  return typeof piece === "string" ? piece === "" : piece.kind === "text" && piece.text === "";
}

function orderedTexts(answer: AnswerFacts, profile: ClientProfile): readonly ShownText[] {
  const { structured, blocks } = answer;
  return halvesShown(answer, profile).flatMap((half): readonly ShownText[] => {
    if (half === "structured") return structured ? [[structured]] : [];
    return contentTexts(blocksIn(half, blocks, profile), answer, profile);
  });
}

function contentTexts(
  blocks: readonly Block[],
  { asked }: AnswerFacts,
  profile: ClientProfile,
): readonly ShownText[] {
  return blocks
    .map((block) => profile.blocks[block.kind](block, asked))
    .filter((text) => text.length > 0);
}

/** `structuredContent` as one part, unless it is absent or null. */
function structuredPart(structured: unknown): TextPart | undefined {
  if (structured === undefined || structured === null) return undefined;
  const part = jsonPart(structured);
  return part.text === "" ? undefined : part;
}

const knownMembers = new Set(["structuredContent", "isError", "resultType", "_meta"]);

/** The members of a result that its type does not know, as one part; the whole result when it is not an object. */
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

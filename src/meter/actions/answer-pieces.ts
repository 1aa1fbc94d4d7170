import type { Excess } from "../budgets/action.ts";
import type { Block, BlockKind } from "#tokens/cost/clients/block.ts";
import type { AnswerFacts, ClientProfile } from "#tokens/cost/clients/client-profile.ts";
import { type Half, halvesShown, isIn } from "#tokens/cost/halves.ts";
import { readingOf } from "#tokens/cost/reading.ts";
import { answerFacts } from "#tokens/cost/visibility.ts";
import { isObject, type JsonObject, memberAt } from "#wire/json.ts";

export type TextPiece = {
  readonly text: string;
  readonly block: (text: string) => JsonObject;
  readonly json?: unknown;
};

export type AnswerPieces = {
  readonly texts: readonly TextPiece[];
  readonly others: readonly Block[];
  readonly readsStructured: boolean;
  /** `structuredContent` is read, and no text holds it. */
  readonly losesStructured: boolean;
};

export function answerPieces({ result, reader, asked }: Excess): AnswerPieces {
  const { profile } = reader;
  const answer = answerFacts(result, readingOf(reader, asked));
  const isScripted = profile.isScripted(asked.caller);
  const isFailure = memberAt(result, "isError") === true && profile.toolError !== null;
  const choose = (facts: AnswerFacts): readonly Half[] => {
    if (isScripted || profile.isUnknown) return bothHalves(facts);
    return isFailure ? failureHalves(facts) : halvesShown(facts, profile);
  };
  const halves = answer.isTwice ? halvesOfTwins(choose(answer)) : choose(answer);
  const texts = halves.flatMap((half) => textsIn(half, answer, profile, result));
  const isLost = isFailure && answer.structured !== undefined && !halves.includes("structured");
  // A cut text no longer equals the structure: the client would show both.
  const cut = choose({ ...answer, isTwice: false });
  return {
    texts,
    others: halves.flatMap((half) => othersIn(half, answer, profile)),
    readsStructured: isFailure || cut.includes("structured"),
    losesStructured: isLost && !answer.isTwice,
  };
}

/** The text stands for the structure that it equals, even if the client shows both. */
function halvesOfTwins(halves: readonly Half[]): readonly Half[] {
  return halves.includes("content") ? halves.filter((half) => half !== "structured") : halves;
}

/** All that a script, or an unknown client, may show. */
function bothHalves({ structured, isTwice, blocks }: AnswerFacts): readonly Half[] {
  if (!structured) return ["content"];
  if (blocks.length === 0) return ["structured"];
  return isTwice ? ["content"] : ["content", "structured"];
}

/** Clients show the texts of an error, and some of them the rest as well. */
function failureHalves({ structured, blocks }: AnswerFacts): readonly Half[] {
  return structured && !blocks.some(hasText) ? ["structured"] : ["content"];
}

function textsIn(
  half: Half,
  { structured, blocks }: AnswerFacts,
  profile: ClientProfile,
  result: unknown,
): readonly TextPiece[] {
  if (half !== "structured") {
    const shown = blocks.filter((block) => isIn(half, block, profile));
    return shown.flatMap((block) => textPiece(block) ?? []);
  }
  if (!structured) return [];
  const json = memberAt(result, "structuredContent");
  return [{ text: structured.text, block: (text) => ({ type: "text", text }), json }];
}

function othersIn(half: Half, { blocks }: AnswerFacts, profile: ClientProfile): readonly Block[] {
  if (half === "structured") return [];
  return blocks.filter((block) => isIn(half, block, profile) && !hasText(block));
}

const kindsWithText: ReadonlySet<BlockKind> = new Set(["text", "resource-text"]);

function hasText({ kind }: Block): boolean {
  return kindsWithText.has(kind);
}

function textPiece({ kind, raw, text }: Block): TextPiece | undefined {
  if (!isObject(raw)) return undefined;
  if (kind === "text") return { text, block: (cut) => ({ ...raw, text: cut }) };
  const { resource } = raw;
  if (kind !== "resource-text" || !isObject(resource)) return undefined;
  return { text, block: (cut) => ({ ...raw, resource: { ...resource, text: cut } }) };
}

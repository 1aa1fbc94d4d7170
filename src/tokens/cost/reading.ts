import { readMember } from "#wire/json.ts";
import type { Caller } from "./caller.ts";
import type { ClientProfile, AnswerFacts } from "./clients/client-profile.ts";
import type { Part } from "./part.ts";
import { countParts } from "./price.ts";
import type { Reader } from "./exact-prices.ts";
import type { Block } from "./clients/block.ts";

export type RequestFacts = {
  readonly tool: string | null;
  readonly input: readonly string[];
  readonly caller: Caller;
};

export type Reading = {
  readonly profile: ClientProfile;
  readonly request: RequestFacts;
  // As sent by the server: `_meta["anthropic/maxResultSizeChars"]`.
  readonly requestedCharacters: () => unknown;
  readonly count: (parts: readonly Part[], enough: number) => number;
};

/** Pass `count` if counting may have to be postponed. */
export function makeReading(
  reader: Reader,
  request: RequestFacts,
  count: Reading["count"] = (parts, enough) => countParts(parts, reader, enough),
): Reading {
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

// `beside`: `content` blocks shown next to `structuredContent`.
export type Half = "content" | "beside" | "structured";

export function listShownHalves(
  { structured, isTwice, blocks }: Pick<AnswerFacts, "structured" | "isTwice" | "blocks">,
  { order }: Pick<ClientProfile, "order">,
): readonly Half[] {
  if (!structured) return ["content"];
  switch (order) {
    case "structured-first":
      return ["beside", "structured"];
    case "content-first":
      return blocks.length > 0 ? ["content"] : ["structured"];
    case "content-only":
      return ["content"];
    case "structured-then-content":
      return isTwice ? ["content"] : ["structured", "content"];
    case "content-then-structured":
      return isTwice && blocks.filter(({ kind }) => kind === "text").length === 1
        ? ["content"]
        : ["content", "structured"];
    case "both":
      return ["content", "structured"];
  }
}

export function isInHalf(
  half: Exclude<Half, "structured">,
  block: Block,
  { besideStructured, showsUserOnly }: Pick<ClientProfile, "besideStructured" | "showsUserOnly">,
): boolean {
  if (half === "beside" && !besideStructured.includes(block.kind)) return false;
  return showsUserOnly || !block.isForUser;
}

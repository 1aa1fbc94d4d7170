import type { Block } from "./clients/block.ts";
import type { AnswerFacts, ClientProfile } from "./clients/client-profile.ts";

/** `beside`: blocks of `content` shown next to `structuredContent`. */
export type Half = "content" | "beside" | "structured";

export function halvesShown(
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

export function isIn(
  half: Exclude<Half, "structured">,
  block: Block,
  { besideStructured, showsUserOnly }: Pick<ClientProfile, "besideStructured" | "showsUserOnly">,
): boolean {
  if (half === "beside" && !besideStructured.includes(block.kind)) return false;
  return showsUserOnly || !block.isForUser;
}

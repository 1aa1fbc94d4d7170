import { overheadCharactersMin } from "../../limits.ts";
import { isForUser } from "../overhead/overhead.ts";
import type { Part } from "../part.ts";
import type { Piece, ShownText } from "./client-profile.ts";
import { frame } from "./text-pieces.ts";

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

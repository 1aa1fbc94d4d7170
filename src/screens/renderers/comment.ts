import { plural } from "#kit/text/numbers.ts";
import type { Document } from "./document.ts";
import { markdownBlocks } from "./markdown.ts";
import { relativeUri } from "./relative-uri.ts";

// Or pairs of bytes: GitHub accepts 65,536 characters, and a variable of a step at most 128 KiB.
const commentCharactersMax = 65_000;

const commentNoteCharactersMax = 200;

/** Begins with a hidden line by which the next run finds it, one for each lock. Sections beyond a comment's length are left out, with a sentence. */
export function renderComment(document: Document, lockFile: string): string {
  const blocks = [marker(lockFile), ...markdownBlocks(document)];
  const whole = joined(blocks);
  return sizeOf(whole) <= commentCharactersMax ? whole : joined(fitting(blocks));
}

function joined(blocks: readonly string[]): string {
  return `${blocks.join("\n\n")}\n`;
}

function fitting(blocks: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let room = commentCharactersMax - commentNoteCharactersMax;
  for (const block of blocks) {
    const size = sizeOf(block) + 2;
    if (size > room) continue;
    kept.push(block);
    room -= size;
  }
  const omitted = plural(blocks.length - kept.length, "more section");
  const note = `_Cut here: ${omitted} would exceed the length of a comment; use --format json._`;
  return [...kept, note];
}

/** Characters, or pairs of bytes if there are more. */
function sizeOf(text: string): number {
  return Math.max(text.length, new TextEncoder().encode(text).length / 2);
}

/** Two dashes would end an HTML comment. */
function marker(lockFile: string): string {
  return `<!-- mcp-meter check: ${relativeUri(lockFile).replaceAll("--", "-%2D")} -->`;
}

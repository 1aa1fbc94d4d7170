import type { PieceCounter } from "./piece-counter.ts";
import type { Scan } from "./scan.ts";
import type { Utf8 } from "./utf8.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Returns `needsMore` if `scan` can be resumed, because more than a short piece is in memory from `at` on. */
export type PieceEnd = (text: Utf8, at: number, scan: Scan) => number;

export type Engine = {
  readonly vocabulary: Vocabulary;
  readonly pieceEnd: PieceEnd;
  readonly pieces: PieceCounter;
};

import type { PieceCounter } from "./piece-counter.ts";
import type { Scan } from "./scan.ts";
import type { Utf8 } from "./utf8.ts";
import type { Vocabulary } from "./vocabulary.ts";

/**
 * End of the piece that begins at `at`, or `needsMore`; `scan` can then be resumed if the bytes in memory from
 * `at` on are more than a short piece.
 */
export type PieceEnd = (text: Utf8, at: number, scan: Scan) => number;

/** The parts that count texts in one encoding; shared by all its counts. */
export type Engine = {
  readonly vocabulary: Vocabulary;
  readonly pieceEnd: PieceEnd;
  readonly pieces: PieceCounter;
};

import type { PieceCounter } from "./piece-counter.ts";
import type { PieceEnd } from "./paused-run.ts";
import type { Vocabulary } from "./vocabulary.ts";

export type Engine = {
  readonly vocabulary: Vocabulary;
  readonly pieceEnd: PieceEnd;
  readonly pieces: PieceCounter;
};

import type { PieceCounter } from "./piece-counter.ts";
import type { FindPieceEnd } from "./paused-run.ts";
import type { Vocabulary } from "./vocabulary.ts";

export type Engine = {
  readonly vocabulary: Vocabulary;
  readonly findEnd: FindPieceEnd;
  readonly pieces: PieceCounter;
};

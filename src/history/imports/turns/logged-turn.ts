import type { LoggedUsage } from "../logged-usage.ts";

export type LoggedTurn = {
  readonly at: number | null;
  readonly model: string | null;
  readonly usage: LoggedUsage;
  readonly nativeCost: number | null;
  readonly startsOver: boolean;
  readonly entered: Entered;
};

export type Entered = {
  readonly answers: number;
  readonly answerTokens: number;
  readonly unmeasured: number;
  readonly texts: number;
  readonly otherResults: number;
  readonly hidden: number;
};

import { reasoningPartMin } from "#limits/records.ts";
import type { LoggedTurn } from "../turns/logged-turn.ts";
import { promptTokens } from "#money/turns/turn-prices.ts";

export type LeftOut =
  | "no_answer"
  | "other_text"
  | "other_tools"
  /** The log does not say how much of the reasoning is in the next prompt. */
  | "reasoning"
  /** The context started over, the model changed, or parts were cleared. */
  | "boundary"
  /** An answer has images, or its text is not in the log. */
  | "unmeasured";

export type Step =
  | {
      readonly isClean: true;
      readonly native: number;
      readonly estimated: number;
      readonly answers: number;
    }
  | { readonly isClean: false; readonly reason: LeftOut };

export function stepTo(turn: LoggedTurn, last: LoggedTurn): Step {
  const reason = reasonToLeaveOut(turn, last);
  if (reason) return { isClean: false, reason };
  const { output, reasoning } = last.usage;
  const least = promptTokens(turn.usage) - promptTokens(last.usage) - output;
  // Reasoning stays in the next prompt or is dropped from it: the growth lies between the two.
  const native = least + reasoning / 2;
  if (least < -reasoning || native <= 0) return { isClean: false, reason: "boundary" };
  if (reasoning > native / reasoningPartMin) return { isClean: false, reason: "reasoning" };
  const { answers, answerTokens } = turn.entered;
  return { isClean: true, native, estimated: answerTokens, answers };
}

function reasonToLeaveOut(
  { startsOver, model, entered }: LoggedTurn,
  last: LoggedTurn,
): LeftOut | undefined {
  if (startsOver || model !== last.model) return "boundary";
  if (entered.answers === 0) return "no_answer";
  if (entered.texts > 0) return "other_text";
  if (entered.otherResults > 0) return "other_tools";
  if (entered.hidden > 0) return "reasoning";
  return entered.unmeasured > 0 ? "unmeasured" : undefined;
}

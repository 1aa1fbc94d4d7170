import type { CleanText } from "#kit/text/unsafe-text.ts";
import { readMember, type JsonObject } from "#wire/json.ts";
import { readToolError } from "./failure.ts";
import type { RequestId } from "./traffic.ts";
import type { Teller } from "#kit/text/teller.ts";

export type ToolCall = {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly timeoutMs: number;
  readonly inputSchema?: unknown;
};

export type ToolAnswer = {
  readonly isError: boolean;
  readonly errorCode: number | null;
  readonly isAnswered: boolean;
  readonly error: string | null;
  readonly result: unknown;
  readonly requestId: RequestId | null;
  readonly line: string | undefined;
};

export function makeResultAnswer(
  result: unknown,
  clean: CleanText,
): Omit<ToolAnswer, "requestId" | "line"> {
  const isError = readMember(result, "isError") === true;
  const error = isError ? readToolError(result, clean) : null;
  return { isError, errorCode: null, isAnswered: true, error, result };
}

export function makeFailedAnswer(
  error: string,
  errorCode: number | null,
): Omit<ToolAnswer, "requestId" | "line"> {
  return { isError: true, errorCode, isAnswered: errorCode !== null, error, result: undefined };
}

const progressIntervalMs = 1_000;

export type Progress = {
  readonly showStep: (activity: string) => void;
  readonly stop: () => void;
};

export function startProgress(
  teller: Pick<Teller, "showProgress" | "clearProgress">,
  firstActivity: string,
): Progress {
  let [activity, seconds] = [firstActivity, 0];
  const timer = setInterval(() => {
    seconds += 1;
    teller.showProgress(`${activity}, ${seconds} s`);
  }, progressIntervalMs);
  return {
    showStep(next) {
      [activity, seconds] = [next, 0];
    },
    stop() {
      clearInterval(timer);
      teller.clearProgress();
    },
  };
}

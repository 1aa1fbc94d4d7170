import { progressMs } from "#limits/definitions.ts";
import type { Teller } from "#text/teller.ts";

/** The line of progress of a visit. */
export type Progress = {
  /** Replaces the activity, whose seconds are counted from now. */
  readonly begin: (activity: string) => void;
  /** Erases the line and ends it. */
  readonly stop: () => void;
};

/** Shows once per second the activity and how long it has lasted: `waiting for server, 3 s`. */
export function startProgress(
  teller: Pick<Teller, "showProgress" | "clearProgress">,
  first: string,
): Progress {
  let [activity, seconds] = [first, 0];
  const timer = setInterval(() => {
    seconds += 1;
    teller.showProgress(`${activity}, ${seconds} s`);
  }, progressMs);
  return {
    begin(next) {
      [activity, seconds] = [next, 0];
    },
    stop() {
      clearInterval(timer);
      teller.clearProgress();
    },
  };
}

import type { Teller } from "#kit/text/teller.ts";

const progressMs = 1_000;

export type Progress = {
  readonly begin: (activity: string) => void;
  readonly stop: () => void;
};

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

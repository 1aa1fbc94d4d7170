import { progressMs } from "#limits.ts";
import { clip } from "#text/display.ts";
import type { Teller } from "#text/teller.ts";

/** Shows once per second how long a server has been waited for. `stop` erases it. */
export function startProgress(
  teller: Pick<Teller, "showProgress" | "clearProgress">,
  command: string,
): { stop(): void } {
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += 1;
    teller.showProgress(`waiting for ${clip(command)}, ${seconds} s`);
  }, progressMs);
  return {
    stop() {
      clearInterval(timer);
      teller.clearProgress();
    },
  };
}

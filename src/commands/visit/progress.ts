import type { Writer } from "#io.ts";
import { shownName } from "#renderers/text.ts";

const eraseLine = "\r\u001b[2K";
const tickMs = 1_000;

/** Says once a second that a server is waited for, to a terminal and to nobody else. */
export function showProgress(
  stderr: Pick<Writer, "write" | "isTerminal">,
  command: string,
): { stop(): void } {
  if (!stderr.isTerminal) return { stop: () => undefined };
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += 1;
    stderr.write(`${eraseLine}mcp-meter: waiting for ${shownName(command)}, ${seconds} s`);
  }, tickMs);
  return {
    stop() {
      clearInterval(timer);
      if (seconds > 0) stderr.write(eraseLine);
      seconds = 0;
    },
  };
}

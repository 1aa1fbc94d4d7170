import { callAnswerLine, callLine, joinLines } from "./messages.ts";
import type { Peer } from "./peer.ts";

const msPerSecond = 1000;

/**
 * Sends calls one by one, evenly over `seconds`, from a schedule that does not drift, and compares every
 * answer; `everySecond` runs after each second's last answer. Returns how many calls were made.
 */
export async function pacedCalls(
  peer: Peer,
  perSecond: number,
  seconds: number,
  everySecond: () => void = () => {},
): Promise<number> {
  const startedMs = performance.now();
  for (let second = 0; second < seconds; second++) {
    const first = second * perSecond + 1;
    const answers = joinLines(callAnswerLine, first, first + perSecond);
    await Promise.all([
      sendPaced(peer, first, perSecond, startedMs + second * msPerSecond),
      peer.expect(answers),
    ]);
    everySecond();
  }
  return seconds * perSecond;
}

/** One second's calls: whatever is due by now goes out, each in its own write. */
async function sendPaced(peer: Peer, first: number, count: number, startMs: number): Promise<void> {
  const intervalMs = msPerSecond / count;
  for (let sent = 0; sent < count; sent++) {
    const waitMs = startMs + sent * intervalMs - performance.now();
    if (waitMs > 0) await Bun.sleep(waitMs);
    await peer.send(Buffer.from(callLine(first + sent)));
  }
}

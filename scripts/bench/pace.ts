import { callAnswerLine, callLine, joinLines } from "./messages.ts";
import type { Peer } from "./peer.ts";

const msPerSecond = 1000;

/** How many calls are sent, and how fast. */
export type Pace = {
  readonly perSecond: number;
  readonly seconds: number;
  /** The id of the first call, 1 by default; the others follow. */
  readonly firstId?: number;
};

type Hooks = {
  /** Runs after each second's last answer. */
  readonly everySecond?: () => void;
  /** Gets each chunk of answers as it was read. */
  readonly onRead?: (chunk: Uint8Array) => void;
};

/**
 * Sends calls one by one, evenly, from a schedule that does not drift, and compares every answer. Returns how many
 * calls were made.
 */
export async function pacedCalls(
  peer: Peer,
  { perSecond, seconds, firstId = 1 }: Pace,
  { everySecond, onRead }: Hooks = {},
): Promise<number> {
  const startedMs = performance.now();
  for (let second = 0; second < seconds; second++) {
    const first = second * perSecond + firstId;
    const answers = joinLines(callAnswerLine, first, first + perSecond);
    await Promise.all([
      sendPaced(peer, first, perSecond, startedMs + second * msPerSecond),
      peer.expect(answers, onRead),
    ]);
    everySecond?.();
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

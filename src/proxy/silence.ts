import { silenceAfterExitMs, silenceCheckMs, unreadAfterSignalMaxMs } from "#limits/forwarding.ts";
import { enlargePipe } from "#os/pipe.ts";
import type { Goodbye } from "./goodbye.ts";

/** Where the last bytes of a server are: moved, not taken by the client, or waiting for our own judge. */
export type DeliveryState = {
  readonly kind: "none" | "waits-for-client" | "waits-for-judge";
  /** When bytes moved last, on the monotonic clock. */
  readonly movedMs: number;
};

/**
 * Resolves when nothing has arrived for a while and the client has taken everything, or when a client that is
 * leaving has taken nothing for as long as it is waited for. The rest then stays in the pipe, where a client
 * that is only slow still finds it.
 */
export async function silence(
  state: () => DeliveryState,
  goodbye: Pick<Goodbye, "patienceMs">,
): Promise<void> {
  await quiet(state, () => goodbye.patienceMs);
  if (state().kind === "none") return;
  enlargePipe(1);
  await quiet(state, () => unreadAfterSignalMaxMs);
}

/** Resolves when no bytes have moved for as long as a client is given to take them, in milliseconds. */
async function quiet(state: () => DeliveryState, patience: () => number): Promise<void> {
  const beganMs = performance.now();
  for (;;) {
    const { kind, movedMs } = state();
    const quietMs = performance.now() - Math.max(beganMs, movedMs);
    const patienceMs = {
      none: () => silenceAfterExitMs,
      "waits-for-client": patience,
      "waits-for-judge": () => Infinity,
    }[kind]();
    if (quietMs >= patienceMs) return;
    await Bun.sleep(Math.min(patienceMs - quietMs + 1, silenceCheckMs));
  }
}

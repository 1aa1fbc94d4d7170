import {
  silenceAfterExitMs,
  silenceCheckMs,
  unreadAfterSignalMaxMs,
} from "#kit/limits/forwarding.ts";
import { enlargePipe } from "#kit/os/pipe.ts";
import type { Goodbye } from "./goodbye.ts";

export type DeliveryState = {
  readonly kind: "none" | "waits-for-client" | "waits-for-judge";
  readonly movedMs: number;
};

/** Resolves after a silence with everything taken, or when a leaving client takes no more. The rest stays in the pipe. */
export async function silence(
  state: () => DeliveryState,
  goodbye: Pick<Goodbye, "patienceMs">,
): Promise<void> {
  await quiet(state, () => goodbye.patienceMs);
  if (state().kind === "none") return;
  enlargePipe(1);
  await quiet(state, () => unreadAfterSignalMaxMs);
}

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

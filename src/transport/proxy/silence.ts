import { enlargePipe } from "#kit/os/pipe.ts";
import { type Goodbye, unreadAfterSignalMaxMs } from "./goodbye.ts";

// Ends a pipe that a grandchild holds open after the child's exit.
export const silenceAfterExitMs = 250;

// A signal of the client shortens the wait.
const silenceCheckMs = 50;

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

import { enlargePipe } from "#kit/os/pipe.ts";
import { type Judge, countingAtExitMaxMs } from "./judge.ts";

// Clients kill us 2 s after their signal, and a server that ignores the signal uses up most of that time.
export const stallAfterSignalMaxMs = 150;

// After closing our input, clients wait 2 s for us to exit.
export const stallAfterCloseMaxMs = 1_000;

// Clients kill us after 2 s, and recording 65,536 open calls takes half a second.
const judgingMaxMs = 1_200;

const judgingAfterLateExitMaxMs = 100;

type OnExpired = (isSignaled: boolean) => void;

// Limits the time for delivering and judging, once the server has exited and the client is leaving. A leaving client
// has closed our input or signaled us. server-signals.ts decides when the server is killed.
export class DeliveryDeadline {
  #closedMs: number | undefined;
  #signaledMs: number | undefined;
  #exitedMs: number | undefined;
  #onExpired: OnExpired = () => undefined;
  #timer: Timer | undefined;

  get isClientLeaving(): boolean {
    return this.#closedMs !== undefined || this.#signaledMs !== undefined;
  }

  noteEof(): void {
    this.#closedMs ??= performance.now();
    this.#arm();
  }

  noteSignal(): void {
    this.#signaledMs ??= performance.now();
    this.#arm();
  }

  noteExit(onExpired: OnExpired): void {
    this.#exitedMs = performance.now();
    this.#onExpired = onExpired;
    this.#arm();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  // Monotonic time.
  get endMs(): number {
    if (this.#exitedMs === undefined) return Infinity;
    if (this.#signaledMs !== undefined) {
      return Math.max(this.#signaledMs + judgingMaxMs, this.#exitedMs + judgingAfterLateExitMaxMs);
    }
    if (this.#closedMs === undefined) return Infinity;
    return Math.max(this.#closedMs, this.#exitedMs) + judgingMaxMs;
  }

  #arm(): void {
    const { endMs } = this;
    if (endMs === Infinity) return;
    this.stop();
    this.#timer = setTimeout(
      () => this.#onExpired(this.#signaledMs !== undefined),
      endMs - performance.now(),
    );
  }

  // A leaving client has stalled when it reads nothing for this long.
  get stallMaxMs(): number {
    if (this.#signaledMs !== undefined) return stallAfterSignalMaxMs;
    return this.#closedMs === undefined ? Infinity : stallAfterCloseMaxMs;
  }
}

// A grandchild may keep the pipe open after the child's exit, so silence counts as the end.
export const silenceAfterExitMs = 250;

const silenceCheckMs = 50;

export type DeliveryState = {
  readonly kind: "idle" | "waits-for-client" | "waits-for-judge";
  readonly lastProgressMs: number;
};

// When a leaving client stalls, its pipe is enlarged to take more output. The next stall may last only
// `stallAfterSignalMaxMs`, even without a signal.
export async function waitForSilence(
  readState: () => DeliveryState,
  deadline: Pick<DeliveryDeadline, "stallMaxMs">,
): Promise<void> {
  await waitUntilQuiet(readState, () => deadline.stallMaxMs);
  if (readState().kind === "idle") return;
  enlargePipe(1);
  await waitUntilQuiet(readState, () => stallAfterSignalMaxMs);
}

async function waitUntilQuiet(
  readState: () => DeliveryState,
  clientStallMaxMs: () => number,
): Promise<void> {
  const beganMs = performance.now();
  for (;;) {
    const { kind, lastProgressMs } = readState();
    const quietMs = performance.now() - Math.max(beganMs, lastProgressMs);
    const waitMaxMs = kind === "waits-for-client" ? clientStallMaxMs() : Infinity;
    const quietMaxMs = kind === "idle" ? silenceAfterExitMs : waitMaxMs;
    if (quietMs >= quietMaxMs) return;
    await Bun.sleep(Math.min(quietMaxMs - quietMs + 1, silenceCheckMs));
  }
}

// If judging takes longer than `countingAtExitMaxMs`, texts may be estimated by their length.
export async function judgeRemaining(
  judged: Promise<void>,
  judge: Pick<Judge, "hurry">,
): Promise<void> {
  const timer = setTimeout(() => judge.hurry(), countingAtExitMaxMs);
  await judged;
  clearTimeout(timer);
}

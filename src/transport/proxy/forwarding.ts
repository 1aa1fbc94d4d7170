import { countingAtExitMaxMs } from "../limits.ts";
import type { Judge } from "./judge.ts";
import { enlargePipe } from "#kit/os/pipe.ts";

export type Forwarding = {
  readonly moved: Promise<void>;
  /** Rejects when we fail ourselves, and forward no more. */
  readonly failed: Promise<never>;
  waitForSilence(goodbye: Pick<Goodbye, "deliveryMaxMs">): Promise<void>;
  giveUp(): void;
  /** Saves the records so far: a signal that asks for the end was forwarded. */
  interrupted(): void;
  finish(): Promise<void>;
};

export async function rejectOnFailure(...works: readonly Promise<void>[]): Promise<never> {
  return Promise.race(
    works.map(async (work): Promise<never> => {
      await work;
      return new Promise(() => undefined);
    }),
  );
}

/** After some seconds no line waits until it can be counted. */
export async function judgeRemaining(
  judged: Promise<void>,
  judge: Pick<Judge, "hurry">,
): Promise<void> {
  const timer = setTimeout(() => judge.hurry(), countingAtExitMaxMs);
  await judged;
  clearTimeout(timer);
}

// Ends a pipe that a grandchild holds open after the child's exit.
export const silenceAfterExitMs = 250;

// A signal of the client shortens the wait.
const silenceCheckMs = 50;

export type DeliveryState = {
  readonly kind: "none" | "waits-for-client" | "waits-for-judge";
  readonly movedMs: number;
};

/** Resolves after a silence with everything taken, or when a leaving client takes no more. The rest stays in the pipe. */
export async function waitForSilence(
  state: () => DeliveryState,
  goodbye: Pick<Goodbye, "deliveryMaxMs">,
): Promise<void> {
  await waitUntilQuiet(state, () => goodbye.deliveryMaxMs);
  if (state().kind === "none") return;
  enlargePipe(1);
  await waitUntilQuiet(state, () => unreadAfterSignalMaxMs);
}

async function waitUntilQuiet(
  state: () => DeliveryState,
  clientMaxMs: () => number,
): Promise<void> {
  const beganMs = performance.now();
  for (;;) {
    const { kind, movedMs } = state();
    const quietMs = performance.now() - Math.max(beganMs, movedMs);
    const deliveryMaxMs = {
      none: () => silenceAfterExitMs,
      "waits-for-client": clientMaxMs,
      "waits-for-judge": () => Infinity,
    }[kind]();
    if (quietMs >= deliveryMaxMs) return;
    await Bun.sleep(Math.min(deliveryMaxMs - quietMs + 1, silenceCheckMs));
  }
}

// The rest of 2 s when the server had to be killed.
export const unreadAfterSignalMaxMs = 150;

// Clients wait 2 s for the server to exit.
export const unreadAfterCloseMaxMs = 1_000;

/** Milliseconds from the goodbye, or from the server's exit, until what waits is no longer judged: clients kill after 2 s, and to record 65,536 open calls takes half a second. */
const judgingMaxMs = 1_200;

/** Milliseconds for judging after the exit of a server that had to be killed. */
const judgingAfterKillMaxMs = 100;

/** Called when a leaving client can wait no longer; `isSignaled` is false where it has only closed its end. */
type OutOfTime = (isSignaled: boolean) => void;

export class Goodbye {
  #closedMs: number | undefined;
  #signaledMs: number | undefined;
  #exitedMs: number | undefined;
  #outOfTime: OutOfTime = () => undefined;
  #timer: Timer | undefined;

  get isLeaving(): boolean {
    return this.#closedMs !== undefined || this.#signaledMs !== undefined;
  }

  closed(): void {
    this.#closedMs ??= performance.now();
    this.#arm();
  }

  signaled(): void {
    this.#signaledMs ??= performance.now();
    this.#arm();
  }

  exited(outOfTime: OutOfTime): void {
    this.#exitedMs = performance.now();
    this.#outOfTime = outOfTime;
    this.#arm();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** When a leaving client can wait no longer, on the monotonic clock; Infinity while it need not. */
  get endMs(): number {
    if (this.#exitedMs === undefined) return Infinity;
    if (this.#signaledMs !== undefined) {
      return Math.max(this.#signaledMs + judgingMaxMs, this.#exitedMs + judgingAfterKillMaxMs);
    }
    if (this.#closedMs === undefined) return Infinity;
    return Math.max(this.#closedMs, this.#exitedMs) + judgingMaxMs;
  }

  #arm(): void {
    const { endMs } = this;
    if (endMs === Infinity) return;
    this.stop();
    const act = (): void => this.#outOfTime(this.#signaledMs !== undefined);
    this.#timer = setTimeout(act, endMs - performance.now());
  }

  // Without us the bytes would stay in the pipe; after this time without progress they are given up.
  get deliveryMaxMs(): number {
    if (this.#signaledMs !== undefined) return unreadAfterSignalMaxMs;
    return this.#closedMs === undefined ? Infinity : unreadAfterCloseMaxMs;
  }
}

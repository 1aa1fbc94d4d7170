import { type Judge, countingAtExitMaxMs } from "./judge.ts";
import { enlargePipe } from "#kit/os/pipe.ts";

export const linesPerTurnCheck = 32;

export type Forwarding = {
  readonly serverOutputEnded: Promise<void>;
  readonly failed: Promise<never>; // rejects if we fail and stop forwarding
  waitForSilence(goodbye: Pick<Goodbye, "deliveryMaxMs">): Promise<void>;
  giveUp(): void; // no time is left: lines that wait for the judge are skipped
  saveNow(): void; // a signal that ends the server was forwarded: the client may kill us
  finish(): Promise<void>; // stops reading; resolves when all forwarded lines are judged
};

export async function rejectOnFailure(...tasks: readonly Promise<void>[]): Promise<never> {
  return Promise.race(
    tasks.map(async (task): Promise<never> => {
      await task;
      return new Promise(() => undefined);
    }),
  );
}

// After some seconds, lines no longer wait to be counted.
export async function judgeRemaining(
  judged: Promise<void>,
  judge: Pick<Judge, "hurry">,
): Promise<void> {
  const timer = setTimeout(() => judge.hurry(), countingAtExitMaxMs);
  await judged;
  clearTimeout(timer);
}

// A grandchild may keep the pipe open after the child's exit, so silence counts as the end.
export const silenceAfterExitMs = 250;

const silenceCheckMs = 50;

export type DeliveryState = {
  readonly kind: "none" | "waits-for-client" | "waits-for-judge";
  readonly lastProgressMs: number;
};

// Waits until all is delivered, or a leaving client reads no more. The rest stays in the pipe.
export async function waitForSilence(
  readState: () => DeliveryState,
  goodbye: Pick<Goodbye, "deliveryMaxMs">,
): Promise<void> {
  await waitUntilQuiet(readState, () => goodbye.deliveryMaxMs);
  if (readState().kind === "none") return;
  enlargePipe(1);
  await waitUntilQuiet(readState, () => unreadAfterSignalMaxMs);
}

async function waitUntilQuiet(
  readState: () => DeliveryState,
  clientMaxMs: () => number,
): Promise<void> {
  const beganMs = performance.now();
  for (;;) {
    const { kind, lastProgressMs } = readState();
    const quietMs = performance.now() - Math.max(beganMs, lastProgressMs);
    const quietMaxMs = {
      none: () => silenceAfterExitMs,
      "waits-for-client": clientMaxMs,
      "waits-for-judge": () => Infinity,
    }[kind]();
    if (quietMs >= quietMaxMs) return;
    await Bun.sleep(Math.min(quietMaxMs - quietMs + 1, silenceCheckMs));
  }
}

// The time left of the 2 s that clients wait, if the server had to be killed.
export const unreadAfterSignalMaxMs = 150;

// Clients wait 2 s for the server to exit.
export const unreadAfterCloseMaxMs = 1_000;

// Clients kill us after 2 s, and recording 65,536 open calls takes half a second.
const judgingMaxMs = 1_200;

const judgingAfterKillMaxMs = 100;

type OutOfTime = (isSignaled: boolean) => void;

// Limits how long the rest may take once the client has closed our input or signaled us.
export class Goodbye {
  #closedMs: number | undefined;
  #signaledMs: number | undefined;
  #exitedMs: number | undefined;
  #outOfTime: OutOfTime = () => undefined;
  #timer: Timer | undefined;

  get isLeaving(): boolean {
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

  noteExit(outOfTime: OutOfTime): void {
    this.#exitedMs = performance.now();
    this.#outOfTime = outOfTime;
    this.#arm();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  // Monotonic time after which a leaving client waits no longer; Infinity before it leaves.
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

  // If bytes make no progress for this long, they stay unread in the pipe, as without us.
  get deliveryMaxMs(): number {
    if (this.#signaledMs !== undefined) return unreadAfterSignalMaxMs;
    return this.#closedMs === undefined ? Infinity : unreadAfterCloseMaxMs;
  }
}

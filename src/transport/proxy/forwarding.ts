import { countingAtExitMaxMs } from "../limits.ts";
import type { Goodbye } from "./goodbye.ts";
import type { Judge } from "./judge.ts";

export type Forwarding = {
  readonly moved: Promise<void>;
  /** Rejects when we fail ourselves, and forward no more. */
  readonly failed: Promise<never>;
  silence(goodbye: Pick<Goodbye, "patienceMs">): Promise<void>;
  giveUp(): void;
  /** Saves the records so far: a signal that asks for the end was forwarded. */
  interrupted(): void;
  finish(): Promise<void>;
};

export async function failureOf(...works: readonly Promise<void>[]): Promise<never> {
  return Promise.race(
    works.map(async (work): Promise<never> => {
      await work;
      return new Promise(() => undefined);
    }),
  );
}

/** After some seconds no line waits until it can be counted. */
export async function judgeRest(judged: Promise<void>, judge: Pick<Judge, "hurry">): Promise<void> {
  const timer = setTimeout(() => judge.hurry(), countingAtExitMaxMs);
  await judged;
  clearTimeout(timer);
}

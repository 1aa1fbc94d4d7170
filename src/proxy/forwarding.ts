import { countingAtExitMaxMs } from "#limits/counting.ts";
import type { Goodbye } from "./goodbye.ts";
import type { Judge } from "./judge.ts";

/** The movement of bytes in both directions, which has begun. */
export type Forwarding = {
  /** Resolves when the server has closed its stdout and everything is written, or the client reads no more. */
  readonly moved: Promise<void>;
  /** Rejects when we fail ourselves, and forward no more. */
  readonly failed: Promise<never>;
  /** Resolves when the server is silent, or the client has been waited for as long as it should be. */
  silence(goodbye: Pick<Goodbye, "patienceMs">): Promise<void>;
  /** Saves the records so far: a signal that asks for the end was forwarded. */
  interrupted(): void;
  /** Moves no more bytes; resolves when everything that has passed is judged, or has had its time. */
  finish(): Promise<void>;
};

/** Settles only when one of the works fails. */
export async function failureOf(...works: readonly Promise<void>[]): Promise<never> {
  return Promise.race(
    works.map(async (work): Promise<never> => {
      await work;
      return new Promise(() => undefined);
    }),
  );
}

/** Waits until the lines that have passed are judged; after some seconds none waits until it can be counted. */
export async function judgeRest(judged: Promise<void>, judge: Pick<Judge, "hurry">): Promise<void> {
  const timer = setTimeout(() => judge.hurry(), countingAtExitMaxMs);
  await judged;
  clearTimeout(timer);
}

import { test, type TestOptions } from "bun:test";

type Parameters<Case> = Case extends readonly unknown[] ? [...Case] : [Case];

/** Ends the name of a test that `npm test` leaves to `bun run slow`. */
export const slowIf = (isSlow: boolean): string => (isSlow ? " (slow)" : "");

/** As `test.each`, but only the first cases belong to `npm test`. */
export function eachFirst<const Case>(kept: number, cases: readonly Case[]) {
  return (
    title: string,
    body: (...parameters: Parameters<Case>) => Promise<void>,
    options?: number | TestOptions,
  ): void => {
    const parts = [cases.slice(0, kept), cases.slice(kept)];
    for (const [at, part] of parts.entries())
      test.each(part)(`${title}${slowIf(at === 1)}`, body as never, options);
  };
}

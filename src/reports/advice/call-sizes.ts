import type { CallRecord } from "#records/record.ts";

/** Limits of a call in tokens, one of which an advice may name. */
const limits = [1_000, 2_000, 5_000, 10_000, 20_000, 50_000] as const;

/** Calls above a limit, and the tokens by which they exceed it. */
type Excess = { calls: number; tokens: number };

/** A limit with its effect on the calls so far. */
export type LimitEffect = {
  readonly limit: number;
  readonly shortened_calls: number;
  readonly tokens: number;
};

/** A limit concerns one call of ten at most, and is advised from ten calls on. */
const callsPerShortened = 10;

/** The sizes of the calls of one tool, as far as limits need them. */
export class CallSizes {
  #calls = 0;
  #tokens = 0;
  readonly #excess = limits.map((): Excess => ({ calls: 0, tokens: 0 }));

  get calls(): number {
    return this.#calls;
  }

  /** Tokens of all calls. */
  get tokens(): number {
    return this.#tokens;
  }

  add({ total_tokens: tokens }: CallRecord): void {
    this.#calls += 1;
    this.#tokens += tokens;
    for (const [at, limit] of limits.entries()) {
      const excess = this.#excess[at];
      if (!excess || tokens <= limit) continue;
      excess.calls += 1;
      excess.tokens += tokens - limit;
    }
  }

  /** The limit that spares the most and leaves nine of ten calls as they are; undefined when no limit spares anything. */
  bestLimit(): LimitEffect | undefined {
    const effects = limits.flatMap((limit, at): LimitEffect[] => {
      const { calls = 0, tokens = 0 } = this.#excess[at] ?? {};
      const isRare = calls * callsPerShortened <= this.#calls;
      return isRare && calls > 0 ? [{ limit, shortened_calls: calls, tokens }] : [];
    });
    return effects.toSorted((one, other) => other.tokens - one.tokens)[0];
  }
}

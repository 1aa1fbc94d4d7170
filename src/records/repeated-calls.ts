import { repeatsRememberedMax } from "#limits.ts";
import type { CallRecord } from "./record.ts";
import type { RepeatSummary } from "./summary.ts";

type Repeat = { readonly tool: string; calls: number; tokens: number };

/** Calls of the same tool with the same arguments in one session, of which the second and later ones count. */
export class RepeatedCalls {
  readonly #repeats = new Map<string, Repeat>();

  /** Ignores a call without arguments to compare, and a refused one, which brought no answer. */
  add({ server, session_id: session, tool, ...call }: CallRecord): void {
    if (tool === null || call.arguments_sha256 === null || call.outcome === "refused") return;
    const key = `${session}\n${server}\n${tool}\n${call.arguments_sha256}`;
    const repeat = this.#repeats.get(key);
    if (repeat) {
      repeat.calls += 1;
      repeat.tokens += call.total_tokens;
    } else if (this.#repeats.size < repeatsRememberedMax) {
      this.#repeats.set(key, { tool, calls: 0, tokens: 0 });
    }
  }

  summarize(): RepeatSummary {
    const repeats = [...this.#repeats.values()].filter(({ calls }) => calls > 0);
    const [most] = repeats.toSorted((one, other) => other.calls - one.calls);
    return {
      calls: repeats.reduce((sum, { calls }) => sum + calls, 0),
      tokens: repeats.reduce((sum, { tokens }) => sum + tokens, 0),
      tool: most?.tool ?? null,
    };
  }
}

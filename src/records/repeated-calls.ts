import type { CallRecord } from "./record.ts";
import type { RepeatSummary } from "./summary.ts";

export const repeatsRememberedMax = 10_000;

type Repeat = { readonly tool: string; readonly order: number; calls: number; tokens: number };

type ToolCalls = {
  readonly session: string;
  readonly server: string;
  readonly tool: string;
  readonly repeats: Map<string, Repeat>;
};

export class RepeatedCalls {
  readonly #tools = new Map<string, ToolCalls>();
  #newest: ToolCalls | undefined;
  #size = 0;

  /** Ignores a call without arguments to compare, and a refused one, which brought no answer. */
  add(call: CallRecord): void {
    const { tool, arguments_sha256: args } = call;
    if (tool === null || args === null || call.outcome === "refused") return;
    const { repeats } = this.#callsOf(tool, call);
    const repeat = repeats.get(args);
    if (repeat) {
      repeat.calls += 1;
      repeat.tokens += call.total_tokens;
    } else if (this.#size < repeatsRememberedMax) {
      repeats.set(args, { tool, order: this.#size, calls: 0, tokens: 0 });
      this.#size += 1;
    }
  }

  summarize(): RepeatSummary {
    const all = [...this.#tools.values()].flatMap(({ repeats }) => [...repeats.values()]);
    const repeated = all.filter(({ calls }) => calls > 0);
    const [most] = repeated.toSorted(
      (one, other) => other.calls - one.calls || one.order - other.order,
    );
    return {
      calls: repeated.reduce((sum, { calls }) => sum + calls, 0),
      tokens: repeated.reduce((sum, { tokens }) => sum + tokens, 0),
      tool: most?.tool ?? null,
    };
  }

  #callsOf(tool: string, { session_id: session, server }: CallRecord): ToolCalls {
    const newest = this.#newest;
    const isSame = newest?.tool === tool && newest.session === session && newest.server === server;
    if (isSame) return newest;
    const key = `${session}\n${server}\n${tool}`;
    const calls = this.#tools.get(key) ?? { session, server, tool, repeats: new Map() };
    // Beyond the limit, a tool without a remembered call is not remembered either.
    if (this.#size < repeatsRememberedMax) this.#tools.set(key, calls);
    this.#newest = calls;
    return calls;
  }
}

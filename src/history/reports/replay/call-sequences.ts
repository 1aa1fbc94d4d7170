import type { OrderedCalls, ReplayedCall } from "./ordered-calls.ts";
import { reportCellsMax } from "../usage-cube.ts";

export type SequencedTool = {
  readonly server: string;
  readonly tool: string;
  /** The mean number of this tool's calls per occurrence of the sequence. */
  readonly calls: number;
};

export type CallSequence = {
  readonly first: SequencedTool;
  readonly next: SequencedTool;
  readonly times: number;
  /** The tokens of this sequence's calls. A call may belong to two sequences. */
  readonly tokens: number;
  readonly share: number;
};

type Run = { readonly kind: number; calls: number; tokens: number };

type Pair = {
  readonly kinds: readonly [number, number];
  times: number;
  calls: [number, number];
  tokens: number;
};

/** Counts how often calls of one tool are directly followed by calls of another in the same conversation. */
export class CallSequences {
  readonly #calls: OrderedCalls;
  readonly #kinds = new Map<string, number>();
  readonly #tools: (readonly [server: string, tool: string])[] = [];

  constructor(calls: OrderedCalls) {
    this.#calls = calls;
  }

  add(call: ReplayedCall, ms: number): void {
    const { server, tool, method, outcome } = call;
    if (outcome !== "refused")
      this.#calls.add(call, this.#findKind(server, tool ?? `(${method})`), ms);
  }

  computeResults(clients: readonly string[]): readonly CallSequence[] {
    const pairs = new Map<number, Pair>();
    const runs = new Map<string, readonly [before: Run | undefined, now: Run]>();
    let allTokens = 0;
    const endRun = ([first, next]: readonly [Run | undefined, Run]): void => {
      if (first) this.#addPair(pairs, first, next);
    };
    this.#calls.prepareVisit(clients)(({ kind, input, output }, { conversation }) => {
      const tokens = input + output;
      allTokens += tokens;
      const known = runs.get(conversation);
      if (known?.[1].kind === kind) {
        known[1].calls += 1;
        known[1].tokens += tokens;
        return;
      }
      if (known) endRun(known);
      runs.set(conversation, [known?.[1], { kind, calls: 1, tokens }]);
    });
    for (const last of runs.values()) endRun(last);
    return [...pairs.values()]
      .toSorted((a, b) => b.tokens - a.tokens || a.kinds[0] - b.kinds[0] || a.kinds[1] - b.kinds[1])
      .map((pair) => this.#describe(pair, allTokens));
  }

  #addPair(pairs: Map<number, Pair>, first: Run, next: Run): void {
    const key = first.kind * this.#tools.length + next.kind;
    const pair = pairs.get(key) ?? {
      kinds: [first.kind, next.kind],
      times: 0,
      calls: [0, 0],
      tokens: 0,
    };
    pairs.set(key, pair);
    pair.times += 1;
    pair.calls = [pair.calls[0] + first.calls, pair.calls[1] + next.calls];
    pair.tokens += first.tokens + next.tokens;
  }

  #describe({ kinds, calls, times, tokens }: Pair, allTokens: number): CallSequence {
    const nameTool = (at: 0 | 1): SequencedTool => {
      const [server, tool] = this.#tools[kinds[at]] ?? ["", ""];
      return { server, tool, calls: calls[at] / times };
    };
    return {
      first: nameTool(0),
      next: nameTool(1),
      times,
      tokens,
      share: tokens / Math.max(1, allTokens),
    };
  }

  #findKind(server: string, tool: string): number {
    const known = this.#kinds.get(makeKey(server, tool));
    if (known !== undefined) return known;
    if (this.#tools.length < reportCellsMax) return this.#addKind(server, tool);
    return this.#kinds.get(makeKey("(other)", "")) ?? this.#addKind("(other)", "");
  }

  #addKind(server: string, tool: string): number {
    const kind = this.#tools.length;
    this.#kinds.set(makeKey(server, tool), kind);
    this.#tools.push([server, tool]);
    return kind;
  }
}

function makeKey(server: string, tool: string): string {
  return JSON.stringify([server, tool]);
}

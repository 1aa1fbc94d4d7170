import type { Budget } from "#budgets/budget.ts";
import { replayedCallsMax, reportSessionsMax } from "#limits/records.ts";
import type { SessionRecord } from "#records/record.ts";
import { fitsChoice } from "#text/wildcard.ts";
import { CallColumns } from "./call-columns.ts";
import type { ReplayedCall } from "./replayed-call.ts";
import { type ReplayedBudget, Replayer } from "./replayer.ts";
import { ReplayedTools } from "./replayed-tools.ts";

/** The client of a session by its newest record. */
type SessionClient = { readonly number: number; seq: number; client: string | null };

/**
 * Plays recorded calls to budgets that they were not under, each budget on its own: what would it have refused, withheld
 * or shortened? A model that is refused may do something else, so the numbers are about these calls only.
 */
export class BudgetReplay {
  readonly #budgets: readonly Budget[];
  readonly #calls = new CallColumns();
  readonly #tools: ReplayedTools;
  readonly #sessions = new Map<string, SessionClient>();
  #leftOut = 0;
  #hasCalls = false;

  constructor(budgets: readonly Budget[]) {
    this.#budgets = budgets;
    this.#tools = new ReplayedTools(budgets);
  }

  /** Calls beyond `replayedCallsMax` and `reportSessionsMax`, which are in no number. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** True when there was a call, even one that no budget applies to. */
  get hasCalls(): boolean {
    return this.#hasCalls;
  }

  /** Takes the client of a session, the newest one. */
  know({
    session_id: id,
    seq,
    client_name: client,
  }: Pick<SessionRecord, "session_id" | "seq" | "client_name">): void {
    const session = this.#sessionOf(id);
    if (session && seq > session.seq) Object.assign(session, { seq, client });
  }

  /** A call that was refused is free for a budget. Records may come in any order, each once. */
  add(call: ReplayedCall, ms: number): void {
    this.#hasCalls = true;
    if (call.outcome === "refused") return;
    const kind = this.#tools.numberOf(call);
    if (kind === undefined) return;
    const session = this.#sessionOf(call.session_id);
    if (!session || this.#calls.size >= replayedCallsMax) {
      this.#leftOut += 1;
      return;
    }
    const { seq, input_tokens: input, output_tokens: output, total_tokens: total } = call;
    const counted = call.most_tokens ?? total;
    this.#calls.add({ ms, session: session.number, kind, seq, input, output, counted });
  }

  /** The result of each budget, in their order, over the sessions of some clients. */
  results(clients: readonly string[] = []): ReplayedBudget[] {
    const sessions = [...this.#sessions];
    const isWanted = sessions.map(([, { client }]) => fitsChoice(clients, client ?? ""));
    const ranks: number[] = [];
    const sorted = sessions.toSorted(([one], [other]) => (one < other ? -1 : 1));
    for (const [rank, [, { number }]] of sorted.entries()) ranks[number] = rank;
    const order = this.#calls.inOrder(ranks);
    return this.#budgets.map((budget, at) => {
      const replayer = new Replayer(budget);
      this.#calls.visit(order, (call) => {
        const scope = this.#tools.scopeOf(call.kind, at);
        if (scope !== undefined && isWanted[call.session] === true) replayer.play(call, scope);
      });
      return replayer.result();
    });
  }

  #sessionOf(id: string): SessionClient | undefined {
    const known = this.#sessions.get(id);
    if (known) return known;
    const number = this.#sessions.size;
    if (number >= reportSessionsMax) return undefined;
    const session = { number, seq: -1, client: null };
    this.#sessions.set(id, session);
    return session;
  }
}

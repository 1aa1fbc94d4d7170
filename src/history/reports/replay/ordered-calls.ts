import { nameClient } from "#tokens/cost/client-profiles/recognize-client.ts";
import { passesPatterns } from "#kit/text/match-names.ts";
import type { CallRecord, SessionRecord } from "#records/record.ts";
import { reportSessionsMax } from "#records/ledger.ts";
import { type AdvisedCall, findErrorTokensMax, isStructured } from "../advice/tool-usage.ts";

export type NumberedCall = {
  readonly ms: number;
  readonly session: number;
  /** Calls of one tool have the same number. */
  readonly kind: number;
  readonly seq: number;
  readonly input: number;
  readonly output: number;
  readonly charge: number;
  /** 1 if the answer seems to have structured content. Shortening may turn such an answer into an error. */
  readonly structured: number;
};

const columnNames = [
  "ms",
  "session",
  "kind",
  "seq",
  "input",
  "output",
  "charge",
  "structured",
] as const;
const columnCount = columnNames.length;
const msColumn = columnNames.indexOf("ms");
const sessionColumn = columnNames.indexOf("session");
const seqColumn = columnNames.indexOf("seq");

const callsPerPage = 16_384;

// Holds calls as numbers: with a million objects, collecting garbage would take ten times as long.
class CallColumns {
  readonly #pages: Float64Array[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(call: NumberedCall): void {
    const row = this.#size % callsPerPage;
    const page = row === 0 ? new Float64Array(callsPerPage * columnCount) : this.#pages.at(-1);
    if (!page) return;
    if (row === 0) this.#pages.push(page);
    for (let column = 0; column < columnCount; column += 1) {
      const name = columnNames[column];
      if (name !== undefined) page[row * columnCount + column] = call[name];
    }
    this.#size += 1;
  }

  sortCalls(ranks: readonly number[]): Uint32Array {
    const order = new Uint32Array(this.#size);
    for (let at = 0; at < order.length; at += 1) order[at] = at;
    const rank = (at: number): number => ranks[this.#read(at, sessionColumn)] ?? 0;
    return order.toSorted(
      (a, b) =>
        this.#read(a, msColumn) - this.#read(b, msColumn) ||
        rank(a) - rank(b) ||
        this.#read(a, seqColumn) - this.#read(b, seqColumn),
    );
  }

  /** Passes the same object to `visitor` each time, to avoid garbage. */
  visit(order: Uint32Array, visitor: (call: NumberedCall) => void): void {
    const call = {
      ms: 0,
      session: 0,
      kind: 0,
      seq: 0,
      input: 0,
      output: 0,
      charge: 0,
      structured: 0,
    };
    for (let step = 0; step < order.length; step += 1) {
      const at = order[step] ?? 0;
      for (let column = 0; column < columnCount; column += 1) {
        const name = columnNames[column];
        if (name !== undefined) call[name] = this.#read(at, column);
      }
      visitor(call);
    }
  }

  #read(at: number, column: number): number {
    const page = this.#pages[Math.floor(at / callsPerPage)];
    return page?.[(at % callsPerPage) * columnCount + column] ?? 0;
  }
}

// About the number of calls in two gigabytes of records. Each call takes 64 bytes of memory.
export const replayedCallsMax = 2_000_000;

type CallSession = {
  readonly number: number;
  seq: number;
  client: string | null;
  user: string; // empty if the session names none
  conversation: string;
};

type VisitedSession = Readonly<Pick<CallSession, "user" | "conversation">>;

type ReplayedSession = Pick<SessionRecord, "session_id" | "seq" | "client_name" | "user"> & {
  /** Shared by the sessions of all servers in one conversation. */
  readonly conversation?: string | undefined;
};

export class OrderedCalls {
  readonly #calls = new CallColumns();
  readonly #sessions = new Map<string, CallSession>();
  #leftOut = 0;

  get leftOut(): number {
    return this.#leftOut;
  }

  addSession({
    session_id: id,
    seq,
    client_name: client,
    user = "",
    conversation = id,
  }: ReplayedSession): void {
    const session = this.#findSession(id);
    if (!session || seq <= session.seq) return;
    Object.assign(session, { seq, client: nameClient(client), user, conversation });
  }

  add(call: ReplayedCall, kind: number, ms: number): void {
    const session = this.#findSession(call.session_id);
    if (!session || this.#calls.size >= replayedCallsMax) {
      this.#leftOut += 1;
      return;
    }
    const { seq, input_tokens: input, output_tokens: output, total_tokens: total } = call;
    const charge = call.most_tokens ?? total;
    const structured = isStructured(call) ? 1 : 0;
    this.#calls.add({ ms, session: session.number, kind, seq, input, output, charge, structured });
  }

  prepareVisit(
    clients: readonly string[],
  ): (visitor: (call: NumberedCall, session: VisitedSession) => void) => void {
    const sessions = [...this.#sessions.values()];
    const wanted = clients.map(nameClient);
    const isWanted = sessions.map(({ client }) => passesPatterns(wanted, client ?? ""));
    const ranks: number[] = [];
    const sorted = [...this.#sessions].toSorted(([a], [b]) => (a < b ? -1 : 1));
    for (const [rank, [, { number }]] of sorted.entries()) ranks[number] = rank;
    const order = this.#calls.sortCalls(ranks);
    return (visitor) =>
      this.#calls.visit(order, (call) => {
        const session = sessions[call.session];
        if (session && isWanted[call.session] === true) visitor(call, session);
      });
  }

  /** The length in tokens to which each session's client cuts errors, indexed by session number. */
  listErrorTokensMax(): readonly number[] {
    const sessions = [...this.#sessions.values()];
    return sessions.map(({ client }) => findErrorTokensMax(client) ?? Infinity);
  }

  #findSession(id: string): CallSession | undefined {
    const known = this.#sessions.get(id);
    if (known) return known;
    const number = this.#sessions.size;
    if (number >= reportSessionsMax) return undefined;
    const session = { number, seq: -1, client: null, user: "", conversation: id };
    this.#sessions.set(id, session);
    return session;
  }
}

export type ReplayedCall = Omit<AdvisedCall, "arguments_sha256" | "overhead" | "list_change"> &
  Pick<CallRecord, "input_tokens" | "most_tokens">;

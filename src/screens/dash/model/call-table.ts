import type { Outcome } from "#records/record.ts";

// A year of a busy developer, 52 bytes a call; totals of older calls stay right.
export const dashCallsMax = 1_000_000;

// Half a megabyte by which the table grows.
export const dashChunkCalls = 8_192;

const dashNamesMax = 100_000;

export type TableCall = {
  readonly ms: number;
  readonly session: string;
  readonly server: string;
  readonly tool: string;
  readonly seq: number;
  readonly input: number;
  readonly output: number;
  readonly visible: number;
  readonly wire: number;
  readonly duplicate: number;
  readonly durationMs: number;
  readonly context: number;
  readonly outcome: Outcome;
};

const amounts = [
  "seq",
  "input",
  "output",
  "visible",
  "wire",
  "duplicate",
  "durationMs",
  "context",
] as const;

const outcomes: readonly Outcome[] = [
  "ok",
  "tool_error",
  "rpc_error",
  "cancelled",
  "refused",
  "abandoned",
];

const [sessionAt, serverAt, toolAt, outcomeAt, firstAmountAt] = [0, 1, 2, 3, 4];
const columns = firstAmountAt + amounts.length;
const largest = 0xffff_ffff;

type Chunk = { readonly times: Float64Array; readonly numbers: Uint32Array };

type CallChoice = {
  readonly fromMs: number;
  readonly session?: string | undefined;
  readonly server?: string | undefined;
  readonly tool?: string | undefined;
};

/** Columns of numbers: a million calls cost the collector nothing. Rows are never removed. */
export class CallTable {
  readonly #sessions = new Names();
  readonly #servers = new Names();
  readonly #tools = new Names();
  readonly #chunks: Chunk[] = [];
  #size = 0;
  #leftOut = 0;

  get size(): number {
    return this.#size;
  }

  get leftOut(): number {
    return this.#leftOut;
  }

  add(call: TableCall): void {
    const session = this.#sessions.add(call.session);
    const server = this.#servers.add(call.server);
    const tool = this.#tools.add(call.tool);
    const hasRoom = this.#size < dashCallsMax;
    if (!hasRoom || session === undefined || server === undefined || tool === undefined) {
      this.#leftOut += 1;
      return;
    }
    const { times, numbers } = this.#chunkFor(this.#size);
    const row = this.#size % dashChunkCalls;
    times[row] = call.ms;
    const at = row * columns;
    numbers[at + sessionAt] = session;
    numbers[at + serverAt] = server;
    numbers[at + toolAt] = tool;
    numbers[at + outcomeAt] = Math.max(0, outcomes.indexOf(call.outcome));
    for (const [column, name] of amounts.entries()) {
      numbers[at + firstAmountAt + column] = Math.min(largest, Math.round(call[name]));
    }
    this.#size += 1;
  }

  *rows({ fromMs, session, server, tool }: CallChoice): Generator<number> {
    const wanted = [
      [sessionAt, session === undefined ? undefined : (this.#sessions.find(session) ?? -1)],
      [serverAt, server === undefined ? undefined : (this.#servers.find(server) ?? -1)],
      [toolAt, tool === undefined ? undefined : (this.#tools.find(tool) ?? -1)],
    ] as const;
    for (let row = 0; row < this.#size; row += 1) {
      const isChosen = wanted.every(
        ([column, name]) => name === undefined || this.#number(row, column) === name,
      );
      if (isChosen && this.msOf(row) >= fromMs) yield row;
    }
  }

  msOf(row: number): number {
    return this.#chunks[Math.floor(row / dashChunkCalls)]?.times[row % dashChunkCalls] ?? 0;
  }

  sessionOf(row: number): string {
    return this.#sessions.at(this.#number(row, sessionAt));
  }

  serverOf(row: number): string {
    return this.#servers.at(this.#number(row, serverAt));
  }

  toolOf(row: number): string {
    return this.#tools.at(this.#number(row, toolAt));
  }

  toolIdOf(row: number): number {
    return this.#number(row, serverAt) * dashNamesMax + this.#number(row, toolAt);
  }

  outcomeOf(row: number): Outcome {
    return outcomes[this.#number(row, outcomeAt)] ?? "ok";
  }

  tokensOf(row: number): number {
    return this.amountOf(row, "input") + this.amountOf(row, "output");
  }

  amountOf(row: number, name: (typeof amounts)[number]): number {
    return this.#number(row, firstAmountAt + amounts.indexOf(name));
  }

  #number(row: number, column: number): number {
    const chunk = this.#chunks[Math.floor(row / dashChunkCalls)];
    return chunk?.numbers[(row % dashChunkCalls) * columns + column] ?? 0;
  }

  #chunkFor(row: number): Chunk {
    const at = Math.floor(row / dashChunkCalls);
    const known = this.#chunks[at];
    if (known) return known;
    const times = new Float64Array(dashChunkCalls);
    const chunk = { times, numbers: new Uint32Array(dashChunkCalls * columns) };
    this.#chunks.push(chunk);
    return chunk;
  }
}

class Names {
  readonly #numbers = new Map<string, number>();
  readonly #names: string[] = [];

  add(name: string): number | undefined {
    const known = this.#numbers.get(name);
    if (known !== undefined || this.#names.length >= dashNamesMax) return known;
    this.#numbers.set(name, this.#names.length);
    return this.#names.push(name) - 1;
  }

  find(name: string): number | undefined {
    return this.#numbers.get(name);
  }

  at(number: number): string {
    return this.#names[number] ?? "";
  }
}

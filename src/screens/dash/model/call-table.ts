import type { Outcome } from "#records/record.ts";

// The calls of a busy developer in a year, at 56 bytes each. Further calls count only in totals.
export const dashCallsMax = 1_000_000;

export const dashCallsPerChunk = 8_192;

const dashNamesMax = 100_000;

// All but `seq` and `durationMs` are tokens.
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

type AmountName = (typeof amounts)[number];

export type TableCall = { readonly [name in AmountName]: number } & {
  readonly ms: number;
  readonly session: string;
  readonly server: string;
  readonly tool: string;
  readonly outcome: Outcome;
};

const outcomes: readonly Outcome[] = [
  "ok",
  "tool_error",
  "rpc_error",
  "cancelled",
  "refused",
  "abandoned",
];

const [sessionColumn, serverColumn, toolColumn, outcomeColumn, firstAmountColumn] = [0, 1, 2, 3, 4];
const columnCount = firstAmountColumn + amounts.length;
const uint32Max = 0xffff_ffff;

type Chunk = { readonly times: Float64Array; readonly numbers: Uint32Array };

type CallChoice = {
  readonly fromMs: number;
  readonly session?: string | undefined;
  readonly server?: string | undefined;
  readonly tool?: string | undefined;
};

// Stores calls in typed arrays, so that a million of them cost the garbage collector nothing.
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
    const { times, numbers } = this.#findOrAddChunk(this.#size);
    const row = this.#size % dashCallsPerChunk;
    times[row] = call.ms;
    const offset = row * columnCount;
    numbers[offset + sessionColumn] = session;
    numbers[offset + serverColumn] = server;
    numbers[offset + toolColumn] = tool;
    numbers[offset + outcomeColumn] = Math.max(0, outcomes.indexOf(call.outcome));
    for (const [column, name] of amounts.entries()) {
      numbers[offset + firstAmountColumn + column] = Math.min(uint32Max, Math.round(call[name]));
    }
    this.#size += 1;
  }

  *selectRows({ fromMs, session, server, tool }: CallChoice): Generator<number> {
    const filters = [
      [sessionColumn, session === undefined ? undefined : (this.#sessions.find(session) ?? -1)],
      [serverColumn, server === undefined ? undefined : (this.#servers.find(server) ?? -1)],
      [toolColumn, tool === undefined ? undefined : (this.#tools.find(tool) ?? -1)],
    ] as const;
    for (let row = 0; row < this.#size; row += 1) {
      const isChosen = filters.every(
        ([column, number]) => number === undefined || this.#readNumber(row, column) === number,
      );
      if (isChosen && this.readTimeMs(row) >= fromMs) yield row;
    }
  }

  readTimeMs(row: number): number {
    return this.#chunks[Math.floor(row / dashCallsPerChunk)]?.times[row % dashCallsPerChunk] ?? 0;
  }

  readSession(row: number): string {
    return this.#sessions.at(this.#readNumber(row, sessionColumn));
  }

  readServer(row: number): string {
    return this.#servers.at(this.#readNumber(row, serverColumn));
  }

  readTool(row: number): string {
    return this.#tools.at(this.#readNumber(row, toolColumn));
  }

  readToolId(row: number): number {
    return this.#readNumber(row, serverColumn) * dashNamesMax + this.#readNumber(row, toolColumn);
  }

  readOutcome(row: number): Outcome {
    return outcomes[this.#readNumber(row, outcomeColumn)] ?? "ok";
  }

  sumTokens(row: number): number {
    return this.readAmount(row, "input") + this.readAmount(row, "output");
  }

  readAmount(row: number, name: AmountName): number {
    return this.#readNumber(row, firstAmountColumn + amounts.indexOf(name));
  }

  #readNumber(row: number, column: number): number {
    const chunk = this.#chunks[Math.floor(row / dashCallsPerChunk)];
    return chunk?.numbers[(row % dashCallsPerChunk) * columnCount + column] ?? 0;
  }

  #findOrAddChunk(row: number): Chunk {
    const chunkIndex = Math.floor(row / dashCallsPerChunk);
    const existing = this.#chunks[chunkIndex];
    if (existing) return existing;
    const times = new Float64Array(dashCallsPerChunk);
    const chunk = { times, numbers: new Uint32Array(dashCallsPerChunk * columnCount) };
    this.#chunks.push(chunk);
    return chunk;
  }
}

class Names {
  readonly #numbers = new Map<string, number>();
  readonly #names: string[] = [];

  add(name: string): number | undefined {
    const existing = this.#numbers.get(name);
    if (existing !== undefined || this.#names.length >= dashNamesMax) return existing;
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

import type { Overhead } from "#tokens/cost/answer-overhead/overhead.ts";
import { makeTextPart } from "#tokens/cost/client-profiles/common.ts";
import { findKnownProfile } from "#tokens/cost/client-profiles/recognize-client.ts";
import { noBlocks } from "#tokens/cost/client-profiles/block.ts";
import type { CallRecord, CountedCall, ImportedCallRecord } from "#records/record.ts";

const possibleLimits = [1_000, 2_000, 5_000, 10_000, 20_000, 50_000] as const;

const zeroSums = {
  calls: 0,
  tokens: 0,
  answer_tokens: 0,
  duplicate_tokens: 0,
  user_only_tokens: 0,
  preamble_tokens: 0,
  json_tokens: 0,
  minified_tokens: 0,
  structure_tokens: 0,
  repeated_calls: 0,
  repeated_tokens: 0,
  calls_in_row: 0,
  shortened_answers: 0,
  answered_calls: 0,
  answered_tokens: 0,
  possible_errors: 0,
  possible_error_tokens: 0,
  reorders: 0,
  rewritten_tokens: 0,
};

type SumName = keyof typeof zeroSums;

const sumNames = Object.keys(zeroSums).filter((name): name is SumName => name in zeroSums);

/** The answered calls with more tokens than the limit, and the tokens that the limit would cut from them. */
export type LimitEffect = {
  readonly limit: number;
  readonly calls: number;
  readonly tokens: number;
};

export type ToolUsage = { readonly [name in SumName]: number } & {
  readonly limitEffects: readonly LimitEffect[];
};

// A row has the sums, then two columns for each limit: its calls and its tokens.
const columnCount = sumNames.length + 2 * possibleLimits.length;

const initialRows = 1_024;

export type AdvisedCall = Omit<
  CountedCall,
  "ts" | "input_tokens" | "output_bytes" | "model" | "confidence" | "saved_tokens"
> &
  Pick<CallRecord, "total_tokens" | "blocks" | "overhead">;

export function convertImport(
  call: ImportedCallRecord,
): AdvisedCall & Pick<CallRecord, "input_tokens"> {
  const { session_id, seq, server, tool, method, outcome, arguments_sha256 } = call;
  const [input, output] = [call.input_tokens ?? 0, call.output_tokens ?? 0];
  return {
    session_id,
    seq,
    server,
    // For a call that reads a resource, a log names a tool, but a metered record does not. So this tool is dropped.
    tool: method === "tools/call" ? tool : null,
    method,
    outcome,
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    duplicate_tokens: 0,
    wire_tokens: output,
    blocks: noBlocks,
    arguments_sha256,
    overhead: null,
  };
}

// Holds plain numbers, because garbage collection of many objects would be slow.
export class UsageRows {
  #numbers = new Float64Array(initialRows * columnCount);
  #rowCount = 0;

  get rowCount(): number {
    return this.#rowCount;
  }

  addRow(): number {
    if ((this.#rowCount + 1) * columnCount > this.#numbers.length) {
      const larger = new Float64Array(this.#numbers.length * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#rowCount += 1;
    return this.#rowCount - 1;
  }

  add(row: number, name: SumName, amount: number): void {
    this.#increase(row * columnCount + sumNames.indexOf(name), amount);
  }

  clear(row: number, name: SumName): void {
    this.#numbers[row * columnCount + sumNames.indexOf(name)] = 0;
  }

  addCall(row: number, call: AdvisedCall, errorTokensMax = Infinity): void {
    const { total_tokens: tokens, overhead } = call;
    this.add(row, "calls", 1);
    this.add(row, "tokens", tokens);
    this.add(row, "answer_tokens", call.output_tokens);
    this.add(row, "duplicate_tokens", countTwiceRead(call));
    if (overhead) this.#addOverhead(row, overhead);
    if (call.list_change?.kind === "order") {
      this.add(row, "reorders", 1);
      this.add(row, "rewritten_tokens", call.list_change.rewritten_tokens);
    }
    if (call.outcome === "refused") return;
    // A limit may turn a structured answer into an error, and some clients cut errors further.
    const wouldBeError = errorTokensMax < Infinity && isStructured(call);
    this.#addAnswered(row, call, wouldBeError ? errorTokensMax : Infinity);
  }

  sum(rows: readonly number[]): ToolUsage {
    const sums = new Float64Array(columnCount);
    for (const row of rows) {
      for (let at = 0; at < columnCount; at += 1) sums[at] = (sums[at] ?? 0) + this.#read(row, at);
    }
    const named = { ...zeroSums };
    for (const [at, name] of sumNames.entries()) named[name] = sums[at] ?? 0;
    const limitEffects = possibleLimits.map((limit, at): LimitEffect => {
      const from = sumNames.length + 2 * at;
      return { limit, calls: sums[from] ?? 0, tokens: sums[from + 1] ?? 0 };
    });
    return { ...named, limitEffects };
  }

  #addOverhead(row: number, overhead: Overhead): void {
    this.add(row, "user_only_tokens", overhead.user_only_tokens);
    this.add(row, "preamble_tokens", overhead.preamble_tokens);
    this.add(row, "json_tokens", overhead.json_tokens);
    this.add(row, "minified_tokens", overhead.minified_tokens);
    // Rounds, because a sum of integers does not depend on the order of the calls.
    const structure = Math.round(overhead.json_tokens * overhead.structure_ratio);
    this.add(row, "structure_tokens", structure);
  }

  #addAnswered(
    row: number,
    { total_tokens: tokens, output_tokens: output }: AdvisedCall,
    errorTokensMax: number,
  ): void {
    const inputTokens = tokens - output;
    this.add(row, "answered_calls", 1);
    this.add(row, "answered_tokens", tokens);
    if (errorTokensMax < Infinity) {
      this.add(row, "possible_errors", 1);
      this.add(row, "possible_error_tokens", errorTokensMax);
    }
    for (const [at, limit] of possibleLimits.entries()) {
      if (tokens <= limit) return;
      const from = row * columnCount + sumNames.length + 2 * at;
      this.#increase(from, 1);
      this.#increase(from + 1, tokens - Math.min(limit, inputTokens + errorTokensMax));
    }
  }

  #increase(at: number, amount: number): void {
    this.#numbers[at] = (this.#numbers[at] ?? 0) + amount;
  }

  #read(row: number, column: number): number {
    return this.#numbers[row * columnCount + column] ?? 0;
  }
}

// Begins the key of a row that is not for calls of a tool.
export const methodPrefix = "\n";

export function makeRowKey(method: string, tool: string | null): string {
  return method === "tools/call" && tool !== null ? tool : `${methodPrefix}${method}`;
}

export function parseToolName(key: string): string | undefined {
  return key.startsWith(methodPrefix) ? undefined : key;
}

// Guesses whether an answer had `structuredContent`, because records do not say. Two facts are hints: a text that is
// repeated on the wire, and more tokens on the wire than the model read.
export function isStructured(
  call: Pick<AdvisedCall, "output_tokens" | "wire_tokens" | "duplicate_tokens" | "blocks">,
): boolean {
  if (call.duplicate_tokens === 0 && call.wire_tokens <= call.output_tokens) return false;
  const { text: _texts, ...media } = call.blocks;
  return Object.values(media).every((count) => count === 0);
}

// Measured with Claude Code: 10,000 characters are about 2,900 tokens.
const errorCharactersPerToken = 10_000 / 2_900;

const longText = makeTextPart("x".repeat(200_000));

/** The most tokens that a client shows of an error; undefined if the client is not known to cut errors. */
export function findErrorTokensMax(client: string | null): number | undefined {
  const profile = findKnownProfile(client ?? undefined);
  const limited = profile?.limitError?.([longText], { isProtocolError: false });
  if (limited?.alert !== "would_truncate") return undefined;
  return Math.round(limited.limit / errorCharactersPerToken);
}

// An answer may carry its text twice on the wire, but most clients show their model only one copy. Counts the tokens
// that the model read a second time.
function countTwiceRead(call: AdvisedCall): number {
  const { output_tokens: read, wire_tokens: wire, duplicate_tokens: duplicate } = call;
  return Math.max(0, Math.min(duplicate, read + duplicate - wire));
}

export function computeOverhead(usage: ToolUsage): Overhead {
  const { json_tokens: json, structure_tokens: structure } = usage;
  return {
    user_only_tokens: usage.user_only_tokens,
    preamble_tokens: usage.preamble_tokens,
    json_tokens: json,
    minified_tokens: usage.minified_tokens,
    structure_ratio: json === 0 ? 0 : structure / json,
  };
}

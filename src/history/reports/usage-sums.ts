import { type CountedCall, isErrorOutcome } from "#records/record.ts";
import { isWithheld } from "#records/tool-rows.ts";

const zeroSums = {
  calls: 0,
  errors: 0,
  refused: 0,
  withheld: 0,
  cancelled: 0,
  abandoned: 0,
  repeated_calls: 0,
  repeated_tokens: 0,
  saved_tokens: 0,
  input_tokens: 0,
  output_tokens: 0,
  wire_tokens: 0,
  refused_tokens: 0,
  duplicate_tokens: 0,
  definition_lists: 0,
  listed_tokens: 0,
  resident_tokens: 0,
  loaded_tokens: 0,
  list_changes: 0,
  rewritten_tokens: 0,
  max_tokens: 0,
};

type SumName = keyof typeof zeroSums;

export type Sums = { [name in SumName]: number };

export const sumNames = Object.keys(zeroSums).filter((name): name is SumName => name in zeroSums);

export function makeSums(): Sums {
  return { ...zeroSums };
}

export function addSums(sums: Sums, addend: Readonly<Sums>, sign: 1 | -1 = 1): void {
  const max = Math.max(sums.max_tokens, addend.max_tokens);
  for (const name of sumNames) sums[name] += sign * addend[name];
  sums.max_tokens = max;
}

export function addCallSums(sums: Sums, call: CountedCall): void {
  const { outcome, input_tokens: input, output_tokens: output } = call;
  sums.calls += 1;
  sums.input_tokens += input;
  sums.output_tokens += output;
  sums.wire_tokens += call.wire_tokens;
  sums.duplicate_tokens += call.duplicate_tokens;
  sums.list_changes += call.list_change ? 1 : 0;
  sums.rewritten_tokens += call.list_change?.rewritten_tokens ?? 0;
  sums.saved_tokens += call.saved_tokens ?? 0;
  if (outcome === "refused") {
    sums.refused += 1;
    if (isWithheld(call)) sums.withheld += 1;
    sums.refused_tokens += input + output;
    return;
  }
  sums.max_tokens = Math.max(sums.max_tokens, input + output);
  if (isErrorOutcome(outcome)) sums.errors += 1;
  else if (outcome !== "ok") sums[outcome] += 1;
}

export function sumCallTokens({
  input_tokens: input,
  output_tokens: output,
}: Readonly<Sums>): number {
  return input + output;
}

export function sumContextTokens(sums: Readonly<Sums>): number {
  return sums.resident_tokens + sums.loaded_tokens + sumCallTokens(sums);
}

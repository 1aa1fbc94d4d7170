import type { CostRange } from "#records/money/price-book.ts";
import type { AssumedModel, CostSummary, ListChangeSum, UnpricedCalls } from "#records/summary.ts";
import { clip } from "#kit/text/columns.ts";
import { formatDollarRange, pluralize } from "#kit/text/numbers.ts";
import type { Note, Span } from "../document.ts";
import { joinWithCommas, recordedTextColumnsMax } from "./shared-texts.ts";
import type { TokenFormat } from "../token-ranges.ts";

type CostTotal = {
  readonly cost_usd?: CostRange | null;
  readonly calls?: number;
  readonly imported_calls?: number;
  readonly paired_calls?: number;
};

export function listCostNotes({
  cost,
  total,
  modelOption = "--model NAME",
}: {
  readonly cost?: CostSummary | undefined;
  readonly total: CostTotal;
  readonly modelOption?: string | undefined;
}): readonly Note[] {
  if (!cost) return [];
  const notes: Note[] = [];
  if (total.cost_usd) {
    const origin = clip(cost.prices, recordedTextColumnsMax);
    const amount = `${formatDollarRange(total.cost_usd)} at list prices (${origin}): an estimate of only part of a session's cost`;
    const pricedTokens = describePricedTokens(total);
    notes.push({ label: "cost", text: amount }, { label: "cost", text: pricedTokens });
  }
  notes.push(...(cost.assumed ?? []).map((assumed) => makeAssumedNote(assumed, modelOption)));
  // No option changes the model of a call that comes from a client log.
  const { calls = 0, imported_calls: imported = 0 } = total;
  const canNameModel = imported === 0 || imported < calls;
  return [...notes, ...listUnpricedNotes(cost.unpriced, canNameModel ? modelOption : undefined)];
}

export function listChangeNotes(
  { changes, rewritten_tokens: rewritten, rewrite_usd: dollars }: ListChangeSum,
  { tokens }: Pick<TokenFormat, "tokens">,
): readonly Note[] {
  if (changes === 0) return [];
  const price = typeof dollars === "number" ? `, ${formatDollars(dollars)}` : "";
  const text = `changed ${pluralize(changes, "time")} between calls, so at least ${tokens(rewritten)} of the prompt were written to the cache again${price}`;
  return [{ label: "tool list", text }];
}

// A client's log has every prompt of a conversation; the wire shows each answer once.
function describePricedTokens({
  calls = 0,
  imported_calls: imported = 0,
  paired_calls: paired = 0,
}: CostTotal): string {
  const subscription = "a subscription is not billed by token";
  const onWire = `each answer is counted once, at a price between the input price and the cache-write price, and not again in later requests; definitions are not counted; ${subscription}`;
  const inLogs =
    "in calls from client logs, the arguments and the answer are counted in every prompt that contains them";
  const loggedCalls = imported + paired;
  if (loggedCalls === 0) return onWire;
  return loggedCalls < calls
    ? `${inLogs}; in other calls, ${onWire}`
    : `${inLogs}; no row includes definitions; ${subscription}`;
}

function makeAssumedNote(
  { client, model, calls, is_default: isDefault }: AssumedModel,
  modelOption: string,
): Note {
  const name = client === null ? "an unknown client" : { name: client };
  const hint = isDefault ? `, the client's default; ${modelOption} chooses another` : "";
  const priced = [" priced as calls by ", { name: model }, hint];
  return { label: "model", text: [`${pluralize(calls, "call")} from `, name, ...priced] };
}

function listUnpricedNotes(
  unpriced: readonly UnpricedCalls[],
  modelOption: string | undefined,
): readonly Note[] {
  if (unpriced.length === 0) return [];
  const groups = unpriced.map((group) => describeUnpriced(group, modelOption));
  const hasName = unpriced.some(({ model }) => model !== null);
  const hint = hasName ? "; name the model as its maker does, or give its price with --prices" : "";
  return [{ label: "no price", text: [...joinWithCommas(groups), hint] }];
}

function describeUnpriced(
  { model, calls }: UnpricedCalls,
  modelOption: string | undefined,
): readonly Span[] {
  const count = pluralize(calls, "call");
  if (model === null) {
    const hint = modelOption === undefined ? "" : ` (name it with ${modelOption})`;
    return [`${count} by an unknown model${hint}`];
  }
  return [`${count} by `, { name: model }];
}

export function formatDollars(dollars: number): string {
  return formatDollarRange({ low: dollars, high: dollars });
}

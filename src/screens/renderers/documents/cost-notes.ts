import type { CostRange } from "#records/money/price-book.ts";
import type { AssumedModel, CostSummary, ListChangeSum, UnpricedCalls } from "#records/summary.ts";
import { clip } from "#kit/text/unsafe-text.ts";
import { formatDollarRange, pluralize } from "#kit/text/numbers.ts";
import type { Note, Span } from "../document.ts";
import { joinWithCommas } from "./shared-texts.ts";
import { type TokenFormat, statedErrorColumnsMax } from "../token-counts.ts";

type CostTotal = {
  readonly cost_usd?: CostRange | null;
  readonly calls?: number;
  readonly imported_calls?: number;
  readonly paired_calls?: number;
};

// Logs contain every prompt of a conversation; the wire shows each answer once.
function describeScope({
  calls = 0,
  imported_calls: imported = 0,
  paired_calls: paired = 0,
}: CostTotal): string {
  const end = "; no row includes definitions; a subscription is not billed by token";
  const logged = "calls from client logs: arguments and answer in every prompt of the conversation";
  const wire =
    "each answer counts once, at a price between input and a cache write; definitions, and answers sent again in later requests, are not included; a subscription is not billed by token";
  const fromLogs = imported + paired;
  if (fromLogs === 0) return wire;
  if (fromLogs >= calls) return `${logged}${end}`;
  return `${logged}; other calls: ${wire}`;
}

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
    const origin = clip(cost.prices, statedErrorColumnsMax);
    const amount = `${formatDollarRange(total.cost_usd)} at list prices (${origin}): an estimate of part of a session's cost`;
    notes.push({ label: "cost", text: amount }, { label: "cost", text: describeScope(total) });
  }
  notes.push(...(cost.assumed ?? []).map((assumed) => describeAssumed(assumed, modelOption)));
  if (cost.unpriced.length > 0) {
    const isNamed = cost.unpriced.some(({ model }) => model !== null);
    // A logged call has the model of its log, which no option changes.
    const { calls = 0, imported_calls: imported = 0 } = total;
    const isNameable = imported === 0 || imported < calls;
    const text = joinWithCommas(
      cost.unpriced.map((group) => describeUnpriced(group, isNameable ? modelOption : undefined)),
    );
    const hint = "; use the maker's name for the model, or --prices";
    notes.push({ label: "no price", text: isNamed ? [...text, hint] : text });
  }
  return notes;
}

export function listChangeNotes(
  { changes, rewritten_tokens: rewritten, rewrite_usd: dollars }: ListChangeSum,
  { tokens }: Pick<TokenFormat, "tokens">,
): readonly Note[] {
  if (changes === 0) return [];
  const price =
    typeof dollars === "number" ? `, ${formatDollarRange({ low: dollars, high: dollars })}` : "";
  const text = `changed ${pluralize(changes, "time")} between calls: at least ${tokens(rewritten)} of cached prompt written again${price}`;
  return [{ label: "tool list", text }];
}

function describeAssumed(
  { client, model, calls, is_default: isDefault }: AssumedModel,
  modelOption: string,
): Note {
  const name = client === null ? "an unknown client" : { name: client };
  const basis = isDefault ? [`, its default; ${modelOption} chooses another`] : [];
  const priced = [" priced as calls of ", { name: model }, ...basis];
  return { label: "model", text: [`${pluralize(calls, "call")} of `, name, ...priced] };
}

function describeUnpriced({ model, calls }: UnpricedCalls, modelOption?: string): readonly Span[] {
  const count = pluralize(calls, "call");
  if (model === null) {
    const hint = modelOption === undefined ? "" : ` (name it with ${modelOption})`;
    return [`${count} of an unknown model${hint}`];
  }
  return [`${count} of `, { name: model }];
}

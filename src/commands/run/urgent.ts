import { sentences } from "#errors.ts";
import { budgetLinesToldMax, refusalNameCharactersMax } from "#limits.ts";
import type { AlertRecord, BreachRecord, MeterRecord } from "#records/record.ts";
import { formatCount } from "#text/numbers.ts";
import { safeName } from "#text/safe-name.ts";
import type { Tell } from "#text/teller.ts";

/**
 * Reports at once, also without summary and records: changed tools, budgets without a tool, budgets that are
 * nearly or just used up, and calls that passed beyond a budget. About budgets at most `budgetLinesToldMax` lines a session.
 */
export class Urgent {
  readonly #tell: Tell;
  #told = 0;

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  take(record: MeterRecord): void {
    if (record.type === "alert") this.#alert(record);
    if (record.type === "breach" && !record.is_enforced) this.#tellBudget(breachSentence(record));
  }

  #alert({ alert, tool, budget, limit, value, detail }: AlertRecord): void {
    if (alert === "definitions_changed") {
      this.#tell(sentences.definitionDrifted(tool ?? "", detail));
    }
    if (alert === "unknown_tool") this.#tell(detail);
    // A budget that is exceeded already has a sentence of its own.
    if (alert !== "budget_warning" || budget === null || limit === null || value > limit) return;
    this.#tellBudget(sentences.budgetNearlySpent(budget, Math.floor((100 * value) / limit)));
  }

  #tellBudget(sentence: string): void {
    if (this.#told >= budgetLinesToldMax) return;
    this.#told += 1;
    this.#tell(sentence);
    if (this.#told === budgetLinesToldMax) this.#tell(sentences.budgetLinesEnd());
  }
}

/** `spent` of a breach is without the call itself. */
function breachSentence({ budget, limit, unit, per, spent, tokens, tool }: BreachRecord): string {
  const total = spent + (unit === "calls" ? 1 : tokens);
  const name = tool === null ? "a call" : safeName(tool, refusalNameCharactersMax);
  const use = `${formatCount(total)} of ${formatCount(limit)} ${unit} per ${per}`;
  return sentences.budgetExceeded(budget, name, use);
}

import { refusalNameCharactersMax } from "#kit/limits.ts";
import { breachUse } from "#records/breach-use.ts";
import type { AlertRecord, BreachRecord, MeterRecord } from "#records/record.ts";
import { safeName } from "#kit/text/safe-name.ts";
import type { Tell } from "#kit/text/teller.ts";
import { runSentences } from "./sentences.ts";

export const budgetLinesToldMax = 100;

/** Reported at once, even without summary and records; about budgets at most `budgetLinesToldMax` lines per session. */
export class Urgent {
  readonly #tell: Tell;
  #told = 0;

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  take(record: MeterRecord): void {
    if (record.type === "alert") this.#alert(record);
    if (record.type !== "breach") return;
    // No model reads that a pushed text was withheld.
    const isTold = !record.is_enforced || record.method !== undefined;
    if (isTold) this.#tellBudget(breachSentence(record));
  }

  #alert({ alert, tool, budget, limit, value, detail }: AlertRecord): void {
    if (alert === "definitions_changed") {
      this.#tell(runSentences.definitionDrifted(tool ?? "", detail));
    }
    if (alert === "unknown_tool") this.#tell(detail);
    // A budget that is exceeded already has a sentence of its own.
    if (alert !== "budget_warning" || budget === null || limit === null || value > limit) return;
    const percent = Math.floor((100 * value) / limit);
    this.#tellBudget(runSentences.budgetNearlySpent(budget, percent, userOf(budget, tool)));
  }

  #tellBudget(sentence: string): void {
    if (this.#told >= budgetLinesToldMax) return;
    this.#told += 1;
    this.#tell(sentence);
    if (this.#told === budgetLinesToldMax) this.#tell(runSentences.budgetLinesEnd());
  }
}

function userOf(budget: string, tool: string | null): string {
  if (tool === null || budget.startsWith(`${tool}=`)) return "";
  return safeName(tool, refusalNameCharactersMax);
}

function breachSentence(breach: BreachRecord): string {
  const { budget, tool, method, is_enforced: isWithheld } = breach;
  const use = breachUse(breach);
  if (method !== undefined) return runSentences.pushExceeded(budget, method, use, isWithheld);
  const name = tool === null ? "a call" : safeName(tool, refusalNameCharactersMax);
  return runSentences.budgetExceeded(budget, name, use);
}

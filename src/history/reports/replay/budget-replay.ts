import { actionRules } from "#meter/actions/action-rules.ts";
import { limitsTool } from "#meter/budgets/accounts.ts";
import type { Budget } from "#meter/budgets/budget.ts";
import type { NumberedCall, OrderedCalls, ReplayedCall } from "./ordered-calls.ts";
import { computeWindow } from "#meter/budgets/windows.ts";

// A refusal takes 95 tokens in Gemini CLI, which repeats the call's arguments, and fewer in other clients.
export const refusalTokensMax = 100;

// A model that reads a refusal may then make other calls; a replay cannot know them.
export class BudgetReplay {
  readonly #budgets: readonly Budget[];
  readonly #calls: OrderedCalls;
  readonly #tools: ReplayedTools;
  #hasCalls = false;

  constructor(budgets: readonly Budget[], calls: OrderedCalls) {
    this.#budgets = budgets;
    this.#calls = calls;
    this.#tools = new ReplayedTools(budgets);
  }

  get hasCalls(): boolean {
    return this.#hasCalls;
  }

  add(call: ReplayedCall, ms: number): void {
    this.#hasCalls = true;
    if (call.outcome === "refused") return;
    const kind = this.#tools.findToolNumber(call);
    if (kind !== undefined) this.#calls.add(call, kind, ms);
  }

  computeResults(clients: readonly string[] = []): ReplayedBudget[] {
    const visit = this.#calls.prepareVisit(clients);
    const errorTokensMax = this.#calls.listErrorTokensMax();
    return this.#budgets.map((budget, index) => {
      const replayer = new Replayer(budget, errorTokensMax);
      visit((call, { user }) => {
        const scope = this.#tools.findScope(call.kind, index);
        if (scope !== undefined) replayer.play(call, scope, user);
      });
      return replayer.makeResult();
    });
  }
}

type ReplayedTool = { readonly number: number; readonly scopes: readonly (number | undefined)[] };

class ReplayedTools {
  readonly #budgets: readonly Budget[];
  readonly #tools = new Map<string, ReplayedTool>();
  readonly #byNumber: ReplayedTool[] = [];
  readonly #scopes = new Map<string, number>();
  #newest: { readonly call: ReplayedCall; readonly tool: ReplayedTool } | undefined;

  constructor(budgets: readonly Budget[]) {
    this.#budgets = budgets;
  }

  findToolNumber(call: ReplayedCall): number | undefined {
    const { scopes, number } = this.#findTool(call);
    return scopes.some((scope) => scope !== undefined) ? number : undefined;
  }

  findScope(number: number, budgetIndex: number): number | undefined {
    return this.#byNumber[number]?.scopes[budgetIndex];
  }

  #findTool(call: ReplayedCall): ReplayedTool {
    const { server, method } = call;
    const last = this.#newest;
    const isSameTool =
      last?.call.tool === call.tool && last.call.server === server && last.call.method === method;
    if (isSameTool) return last.tool;
    const name = method === "tools/call" ? call.tool : null;
    const key = JSON.stringify([server, name]);
    const known = this.#tools.get(key);
    const tool = known ?? {
      number: this.#byNumber.length,
      scopes: this.#budgets.map((budget) => this.#numberScope(budget, server, name)),
    };
    if (!known) {
      this.#tools.set(key, tool);
      this.#byNumber.push(tool);
    }
    this.#newest = { call, tool };
    return tool;
  }

  #numberScope(budget: Budget, server: string, tool: string | null): number | undefined {
    const { tool: pattern, isOverall } = budget;
    if (pattern !== null && (tool === null || !limitsTool(budget, tool))) return undefined;
    const scope = JSON.stringify(isOverall ? [] : [server, ...(pattern === null ? [] : [tool])]);
    const number = this.#scopes.get(scope) ?? this.#scopes.size;
    this.#scopes.set(scope, number);
    return number;
  }
}

export type ReplayedBudget = {
  readonly budget: string;
  readonly action: string;
  readonly calls: number;
  readonly breaches: number;
  readonly tokens: number;
  /** Negative if refusals took more tokens than they spared. */
  readonly spared_tokens: number;
};

const passingActions = listActions(({ holdsAnswers }) => !holdsAnswers);

// The note after a shortened answer has about this many tokens. A call with no room for the note is not charged.
const noteTokens = new Map([
  ["truncate", 45],
  ["spill", 110],
]);

type Rules = (typeof actionRules)[keyof typeof actionRules];

function listActions(isListed: (rules: Rules) => boolean): ReadonlySet<string> {
  return new Set(
    Object.entries(actionRules).flatMap(([id, rules]) => (isListed(rules) ? [id] : [])),
  );
}

// Exceeds every scope number, so that different pairs of time and scope have different keys.
const scopesMax = 2 ** 22;

// A string only if the budget is per user: a number takes less memory.
type Key = number | string;

class Replayer {
  readonly #budget: Budget;
  readonly #errorTokensMax: readonly number[];
  readonly #spent = new Map<Key, number>();
  readonly #sums = { calls: 0, breaches: 0, tokens: 0, spared_tokens: 0 };

  constructor(budget: Budget, errorTokensMax: readonly number[]) {
    this.#budget = budget;
    this.#errorTokensMax = errorTokensMax;
  }

  play(call: NumberedCall, scope: number, user: string): void {
    const key = this.#makeKey(call, scope, user);
    const before = key === undefined ? 0 : (this.#spent.get(key) ?? 0);
    this.#sums.calls += 1;
    this.#sums.tokens += call.input + call.output;
    const charged = this.#charge(call, this.#budget.limit - before);
    if (key !== undefined) this.#spent.set(key, before + charged);
  }

  makeResult(): ReplayedBudget {
    return { budget: this.#budget.spec, action: this.#budget.action, ...this.#sums };
  }

  #makeKey({ session, ms }: NumberedCall, scope: number, user: string): Key | undefined {
    const { per, owner } = this.#budget;
    if (per === "call") return undefined;
    const time = per === "session" ? session : computeWindow(per, ms);
    const key = time * scopesMax + scope;
    return owner === "user" ? `${key} ${user}` : key;
  }

  #charge(call: NumberedCall, remaining: number): number {
    const { input, output, charge } = call;
    const { unit, action } = this.#budget;
    const cost = unit === "calls" ? 1 : charge;
    const requestCost = unit === "calls" ? 1 : Math.max(1, input);
    if (cost <= remaining && requestCost <= remaining) return cost;
    this.#sums.breaches += 1;
    if (passingActions.has(action)) return cost;
    const room = this.#findRoom(call, remaining);
    const isShortened = room >= (noteTokens.get(action) ?? Infinity);
    // Only output is spared, because the model has already written the input.
    this.#sums.spared_tokens += output - (isShortened ? Math.min(output, room) : refusalTokensMax);
    return isShortened ? input + room : 0;
  }

  #findRoom({ input, structured, session }: NumberedCall, remaining: number): number {
    // Shortening may turn a structured answer into an error, and some clients cut errors.
    const shownMax = structured === 1 ? (this.#errorTokensMax[session] ?? Infinity) : Infinity;
    return Math.max(0, Math.min(remaining - input, shownMax));
  }
}

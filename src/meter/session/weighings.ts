import type { Closed } from "../calls/transition.ts";
import { Bill } from "#tokens/cost/bill.ts";
import type { Ceiling } from "#tokens/cost/ceiling.ts";
import type { Reader } from "#tokens/cost/reader.ts";
import { type CallTokens, chargeCeiling, noTokens } from "./charge.ts";

type Weighing = { readonly closed: Closed; readonly bill: Bill; readonly tokens: CallTokens };

export class Weighings {
  readonly #waiting: Weighing[] = [];
  readonly #counted = new WeakMap<Closed, number>();

  most(closed: Closed, ceiling: () => Ceiling, reader: Reader): number | undefined {
    const most = this.#counted.get(closed);
    if (most !== undefined || this.#waiting.some((one) => one.closed === closed)) return most;
    const bill = new Bill(reader.estimator);
    const tokens = noTokens();
    bill.addLater(1, () => chargeCeiling(ceiling(), reader, { bill, tokens }));
    this.#waiting.push({ closed, bill, tokens });
    return undefined;
  }

  get backlog(): number {
    return this.#waiting.reduce((sum, { bill }) => sum + bill.charactersLeft, 0);
  }

  drop(): void {
    this.#waiting.length = 0;
  }

  advance(workMax: number): boolean {
    const [first] = this.#waiting;
    first?.bill.advance(workMax);
    if (!first || first.bill.charactersLeft > 0) return false;
    this.#waiting.shift();
    this.#counted.set(first.closed, first.tokens.most);
    return true;
  }
}

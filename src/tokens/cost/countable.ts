export type Countable = {
  readonly charactersLeft: number;
  /** Counts about `workMax` characters and returns their number, 0 when none are left. */
  advance(workMax: number): number;
  settleByLength(): boolean;
};

export const emptyBill: Countable = {
  charactersLeft: 0,
  advance: () => 0,
  settleByLength: () => false,
};

export function inTurn(first: Countable, second: Countable): Countable {
  return {
    get charactersLeft() {
      return first.charactersLeft + second.charactersLeft;
    },
    advance(workMax) {
      const done = first.advance(workMax);
      return first.charactersLeft > 0 ? done : done + second.advance(workMax - done);
    },
    settleByLength() {
      const hadRest = first.settleByLength();
      return second.settleByLength() || hadRest;
    },
  };
}

/** Text that is counted in slices. */
export type Countable = {
  /** Characters that are waiting to be counted. */
  readonly charactersLeft: number;
  /** Counts about `workMax` characters; returns how many it counted, 0 when none are left. */
  advance(workMax: number): number;
  /** Charges the rest by its length, without reading it; true when there was a rest. */
  settleByLength(): boolean;
};

/** The bill of a record that needs no counting. */
export const emptyBill: Countable = {
  charactersLeft: 0,
  advance: () => 0,
  settleByLength: () => false,
};

/** Two bills as one: the second is counted after the first. */
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

/** The answers that a client has read and that have no record. */
export type LostRecords = {
  readonly count: number;
  /** Milliseconds from the oldest of them to the kill; 0 without any, infinite in a session that was not killed. */
  readonly oldestMs: number;
};

/** When a client has read its answers, and when its meter was killed; undefined when the session ended by itself. */
export type Life = {
  readonly answersMs: readonly number[];
  readonly killedMs: number | undefined;
};

/** Records come in the order of the answers: the first answer that has none is the oldest. */
export function findLost({ answersMs, killedMs }: Life, recorded: number): LostRecords {
  const lost = answersMs.slice(recorded);
  const [oldestMs] = lost;
  return {
    count: lost.length,
    // An answer may be read from the pipe after the kill.
    oldestMs: oldestMs === undefined ? 0 : Math.max(0, (killedMs ?? Infinity) - oldestMs),
  };
}

/** The facts of a record by which its events belong together. */
export type RecordFacts = {
  readonly at: number | null;
  readonly conversation: string;
  readonly isSideChain: boolean;
  /** Id of the record, of its original where it is a copy. */
  readonly key: string | null;
  /** The session in which ids of calls are unique: that of the original where the record is a copy. */
  readonly callSession: string;
};

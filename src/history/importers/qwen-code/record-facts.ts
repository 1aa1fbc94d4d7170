export type RecordFacts = {
  readonly at: number | null;
  readonly conversation: string;
  readonly isSideChain: boolean;
  readonly key: string | null;
  readonly callSession: string;
};

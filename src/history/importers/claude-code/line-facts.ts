export type LineFacts = {
  readonly at: number | null;
  readonly conversation: string;
  readonly isSideChain: boolean;
};

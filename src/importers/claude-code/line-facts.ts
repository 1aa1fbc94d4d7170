/** The facts of a line by which its events belong together. */
export type LineFacts = {
  readonly at: number | null;
  readonly conversation: string;
  readonly isSideChain: boolean;
};

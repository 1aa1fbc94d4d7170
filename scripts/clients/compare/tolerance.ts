/** Tokens that a client read, and those that mcp-meter counted. */
export type Pair = { readonly read: number; readonly counted: number };

/** True when both differ by at most 5 tokens or 5 percent of those read. */
export function isClose({ read, counted }: Pair): boolean {
  return Math.abs(counted - read) <= Math.max(5, read * 0.05);
}

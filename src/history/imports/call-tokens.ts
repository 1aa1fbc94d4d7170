import type { LoggedCall } from "./merge-calls.ts";

type CallTokens = {
  readonly arguments: number;
  readonly answers: number;
  readonly unknown: number;
};

export type ServerTokens = {
  readonly [server: string]: { readonly [tool: string]: CallTokens };
};

export function tokensByServer(calls: readonly LoggedCall[]): ServerTokens {
  const counted = calls.filter(({ argumentTokens }) => argumentTokens !== null);
  const servers = Map.groupBy(counted, ({ server }) => server);
  return Object.fromEntries([...servers].map(([server, its]) => [server, byTool(its)]));
}

function byTool(calls: readonly LoggedCall[]): ServerTokens[string] {
  const tools = Map.groupBy(calls, ({ tool }) => tool);
  return Object.fromEntries([...tools].map(([tool, its]) => [tool, tokensOf(its)]));
}

function tokensOf(calls: readonly LoggedCall[]): CallTokens {
  return {
    arguments: sum(calls.map(({ argumentTokens }) => argumentTokens)),
    answers: sum(calls.map(({ tokens }) => tokens)),
    unknown: calls.filter(({ tokens, visible }) => tokens === null && visible !== "none").length,
  };
}

function sum(numbers: readonly (number | null)[]): number {
  return numbers.reduce((total: number, number) => total + (number ?? 0), 0);
}

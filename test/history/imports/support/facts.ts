import type { LoggedCall } from "#history/imports/merge-calls.ts";
import type { LoggedRequest } from "#history/imports/merge-requests.ts";
import type { TurnSources } from "#history/imports/conversation-turns.ts";
import { noUsage } from "#history/imports/log-event.ts";

export function requestAt(at: number | null, rest: Partial<LoggedRequest> = {}): LoggedRequest {
  return {
    at,
    conversation: "c",
    isSideChain: false,
    message: null,
    model: "m",
    usage: noUsage,
    nativeCost: null,
    count: 1,
    isLogged: true,
    ...rest,
  };
}

export function callAt(
  at: number | null,
  answeredAt: number | null,
  rest: Partial<LoggedCall> = {},
): LoggedCall {
  return {
    id: `call-${at}`,
    server: "docs",
    tool: "search",
    method: "tools/call",
    outcome: "ok",
    visible: "as_logged",
    at,
    conversation: "c",
    model: "m",
    message: null,
    argumentBytes: 10,
    argumentTokens: 3,
    argumentsHash: null,
    bytes: 400,
    tokens: 100,
    images: 0,
    durationMs: null,
    answeredAt,
    ...rest,
  };
}

export function steadyConversation(
  steps: number,
  tokens: (index: number) => number,
  native: (index: number) => number,
): TurnSources {
  const requests: LoggedRequest[] = [];
  const calls: LoggedCall[] = [];
  let size = 1_000;
  for (let index = 0; index <= steps; index += 1) {
    const cacheRead = index === 0 ? 0 : (requests.at(-1)?.usage.uncached ?? 0);
    const usage = { ...noUsage, cacheRead, uncached: size - cacheRead, output: 50 };
    requests.push(requestAt(index * 10, { usage, message: `m${index}` }));
    const id = `call-${index}`;
    calls.push(
      callAt(index * 10 + 1, index * 10 + 2, { id, message: `m${index}`, tokens: tokens(index) }),
    );
    size += 50 + native(index);
  }
  return { requests, calls, boundaries: [], entries: [] };
}

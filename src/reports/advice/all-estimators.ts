import type { ServerUsage } from "./server-usage.ts";

/** The facts of a server that do not depend on how tokens are counted. */
type ServerCalls = Pick<ServerUsage, "calls" | "called"> & { readonly isRecorded: boolean };

/**
 * The servers of one estimator, with the calls of all estimators: a tool that only sessions of another one have called was
 * called. Names in logs say nothing where any session has recorded the definitions.
 */
export function withAllCalls(
  usages: readonly ServerUsage[],
  all: readonly ServerUsage[],
): readonly ServerUsage[] {
  const byServer = Map.groupBy(all, ({ server }) => server);
  return usages.map((usage) => {
    const { calls, called, isRecorded } = callsOf(byServer.get(usage.server) ?? [usage]);
    return { ...usage, calls, called, named: isRecorded ? [] : usage.named };
  });
}

function callsOf(usages: readonly ServerUsage[]): ServerCalls {
  return {
    calls: usages.reduce((sum, { calls }) => sum + calls, 0),
    called: new Set(usages.flatMap(({ called }) => [...called])),
    isRecorded: usages.some(({ lists }) => lists.newest !== undefined),
  };
}

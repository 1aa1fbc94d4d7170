import type { ServerUsage } from "./server-usage.ts";

type ServerCalls = Pick<ServerUsage, "calls" | "called"> & { readonly isRecorded: boolean };

/** A tool that only another estimator's sessions called was called. Names in logs count only if no session recorded the definitions. */
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

import type { CallAttempt } from "#check/judge-calls.ts";
import type { PlannedCall } from "#check/planned-call.ts";
import { sentences } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import type { ServerListing } from "#lock/profile.ts";
import type { McpConnection } from "#mcp-client/connection.ts";
import { visitServer } from "#mcp-client/visit.ts";
import type { MeterRecord } from "#records/record.ts";
import { nearestName } from "#text/nearest.ts";
import { Teller } from "#text/teller.ts";
import { textAt, type JsonObject } from "#wire/json.ts";
import { serverListing } from "../server-listing.ts";
import type { ServerOptions } from "../server-options.ts";
import { CallMeter } from "./call-meter.ts";

/** A visit in which calls were made. */
export type PlayedVisit = {
  readonly listing: ServerListing;
  readonly attempts: readonly CallAttempt[];
  /** The meter's records of the calls. */
  readonly records: readonly MeterRecord[];
};

/**
 * Visits a server and makes the calls of a plan, through the meter of `run`. Definitions are not metered:
 * they are priced once, from the listing.
 */
export async function playCalls(
  plan: readonly PlannedCall[],
  options: ServerOptions,
  io: Io,
): Promise<PlayedVisit | { readonly interrupted: Ending }> {
  const meter = new CallMeter(options, new Teller(io.stderr).tell);
  const visited = await visitServer(
    {
      ...options,
      work: (server) => makeCalls(server, plan, options.timeoutMs),
      handlerForStart: () => meter.start(),
    },
    io,
  );
  if ("interrupted" in visited) return visited;
  const { visit } = visited;
  const listing = serverListing(visit);
  return {
    listing,
    attempts: nameUnknownTools(visit.result, listing.tools),
    records: await meter.finish(),
  };
}

/** Says of each call of a tool that the server does not list that it does not, with the nearest name. */
function nameUnknownTools(
  attempts: readonly CallAttempt[],
  tools: readonly JsonObject[],
): CallAttempt[] {
  const names = tools.map((tool) => textAt(tool, "name") ?? "");
  return attempts.map((attempt) => {
    const { tool } = attempt.planned;
    if (!attempt.isError || names.includes(tool)) return attempt;
    return { ...attempt, error: sentences.toolUnlisted(nearestName(tool, names)) };
  });
}

/** Makes the calls one after the other. Throws UserError when the server exits. */
export async function makeCalls(
  server: Pick<McpConnection, "call">,
  plan: readonly PlannedCall[],
  timeoutMs: number,
): Promise<CallAttempt[]> {
  const attempts: CallAttempt[] = [];
  for (const planned of plan) {
    for (let round = 1; round <= planned.repeat; round += 1) {
      const answer = await server.call(planned.tool, planned.arguments, timeoutMs);
      attempts.push({ planned, round, ...answer });
    }
  }
  return attempts;
}

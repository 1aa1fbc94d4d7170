import type { CallAttempt } from "#check/judge-calls.ts";
import type { Plan } from "#check/plan-calls.ts";
import { sentences } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import type { ServerListing } from "#lock/profile.ts";
import { visitServer } from "#mcp-client/visit.ts";
import type { MeterRecord } from "#records/record.ts";
import { nearestName } from "#text/nearest.ts";
import { Teller } from "#text/teller.ts";
import { textAt, type JsonObject } from "#wire/json.ts";
import { serverListing } from "../server-listing.ts";
import type { ServerOptions } from "../server-options.ts";
import { CallMeter } from "./call-meter.ts";
import { makeCalls } from "./make-calls.ts";

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
  plan: Plan,
  options: ServerOptions,
  io: Io,
): Promise<PlayedVisit | { readonly interrupted: Ending }> {
  const meter = new CallMeter(options, new Teller(io.stderr).tell);
  const visited = await visitServer(
    {
      ...options,
      work: (server, begin) => makeCalls(server, plan, { timeoutMs: options.timeoutMs, begin }),
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

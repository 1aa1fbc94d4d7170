import type { Plan } from "#check/plan-calls.ts";
import type { SchemaRejection } from "#check/output-schema-problems.ts";
import { createRedact } from "#check/redact.ts";
import type { ListFault } from "#check/list-fault-problems.ts";
import type { LaterLists } from "#check/list-problems.ts";
import { UserError } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import type { ServerListing } from "#lock/profile.ts";
import { findListFaults } from "#mcp-client/list-faults.ts";
import type { McpConnection } from "#mcp-client/connection.ts";
import { StructureComparer } from "#mcp-client/structures/structure-comparer.ts";
import { visitServer, type Visit } from "#mcp-client/visit.ts";
import type { MeterRecord } from "#records/record.ts";
import { Teller } from "#text/teller.ts";
import { serverListing } from "../server/server-listing.ts";
import type { NamedServer, ServerOptions } from "../server/server-options.ts";
import { CallMeter } from "./call-meter.ts";
import { makeCalls, type MadeCalls, type PlayTerms } from "./make-calls.ts";
import { rejectedSchemas } from "./output-schemas.ts";

export type PlayOptions = Omit<ServerOptions, "server"> & Pick<NamedServer, "target">;

export type PlayedVisit = MadeCalls & {
  readonly listing: ServerListing;
  readonly rejections: readonly SchemaRejection[];
  readonly listFaults: readonly ListFault[];
  readonly later: LaterLists | undefined;
  readonly records: readonly MeterRecord[];
};

/** Definitions are not metered: they are priced once, from the listing. */
export async function playCalls(
  plan: Plan,
  options: PlayOptions,
  io: Io,
): Promise<PlayedVisit | { readonly interrupted: Ending }> {
  const meter = new CallMeter(options, new Teller(io.stderr).tell);
  const { target, timeoutMs } = options;
  const clean = createRedact(plan.secrets);
  const comparer = new StructureComparer(io);
  let isListing = false;
  try {
    const visited = await visitServer(
      {
        target,
        timeoutMs,
        clean,
        work: async (server, begin, { server: { era }, offer: { tools } }) => {
          const terms = { timeoutMs, begin, clean, tools, isModern: era === "modern", comparer };
          const played = await play(server, plan, terms);
          if (!isToBeListed(played)) return { ...played, later: undefined };
          isListing = true;
          begin("reading the lists again");
          return { ...played, later: await listLater(server, timeoutMs) };
        },
        handlerForStart: () => {
          const handle = meter.start();
          return (from, line) => {
            if (!isListing) handle(from, line);
          };
        },
      },
      io,
    );
    if ("interrupted" in visited) return visited;
    const { visit } = visited;
    return { ...visit.result, ...listedIn(visit), records: await meter.finish() };
  } finally {
    comparer.close();
  }
}

function listedIn(visit: Visit<unknown>): Pick<PlayedVisit, "listing" | "listFaults"> {
  const listFaults = findListFaults(visit.offer, visit.server.era === "modern");
  return { listing: serverListing(visit), listFaults };
}

async function play(
  server: Pick<McpConnection, "call">,
  { calls }: Plan,
  terms: PlayTerms & { readonly comparer: StructureComparer },
): Promise<Pick<PlayedVisit, "rejections" | keyof MadeCalls>> {
  terms.begin("compiling the output schemas");
  const rejections = await rejectedSchemas(terms.tools, terms.isModern, terms.comparer);
  return { ...(await makeCalls(server, calls, terms)), rejections };
}

function isToBeListed({ failure, attempts }: MadeCalls): boolean {
  return failure === undefined && attempts.some(({ requestId }) => requestId !== null);
}

/** A server may change its lists without a notification, so they are read again in any case. */
async function listLater(
  server: Pick<McpConnection, "listAgain">,
  timeoutMs: number,
): Promise<LaterLists> {
  try {
    return await server.listAgain(timeoutMs);
  } catch (error) {
    if (error instanceof UserError) return { fault: error.message };
    throw error;
  }
}

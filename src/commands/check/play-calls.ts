import type { Plan } from "#check/plan-calls.ts";
import type { SchemaRejection } from "#check/output-schema-problems.ts";
import { createRedact } from "#check/redact.ts";
import type { ListFault } from "#check/list-fault-problems.ts";
import type { LaterLists } from "#check/list-problems.ts";
import { UserError } from "#kit/errors.ts";
import type { Ending, Io } from "#kit/io.ts";
import type { ServerListing } from "#lock/profile.ts";
import { findListFaults } from "#check/mcp-client/list-faults.ts";
import type { McpConnection } from "#check/mcp-client/connection.ts";
import { StructureComparer } from "#check/mcp-client/structures/structure-comparer.ts";
import { type Visit, visitServer } from "#check/mcp-client/visit.ts";
import type { MeterRecord } from "#records/record.ts";
import { type Tell, Teller } from "#kit/text/teller.ts";
import { serverListing } from "../server/server-listing.ts";
import type { NamedServer, ServerOptions } from "../server/server-options.ts";
import { type MadeCalls, makeCalls, type PlayTerms } from "./make-calls.ts";
import { rejectedSchemas } from "./output-schemas.ts";
import { basename } from "node:path";
import { createDefinitionPrices } from "#tokens/cost/definition-prices.ts";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import { isRemote } from "#check/mcp-client/server-target.ts";
import type { LineHandler } from "#check/mcp-client/traffic.ts";
import { sha256 } from "#kit/os/sha256.ts";
import { Observer } from "#transport/proxy/observer.ts";
import { Meter } from "#meter/session/meter.ts";
import { version } from "#kit/version.ts";
import { readerFor } from "../reader.ts";
import { httpSentences } from "#transport/http/sentences.ts";

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

type MeterOptions = Pick<ServerOptions, "reading" | "risk"> & Pick<NamedServer, "target">;

class CallMeter {
  readonly #options: MeterOptions;
  readonly #tell: Tell;
  #records: MeterRecord[] = [];
  #observer: Observer | undefined;

  constructor(options: MeterOptions, tell: Tell) {
    this.#options = options;
    this.#tell = tell;
  }

  start(): LineHandler {
    const { target, reading, risk } = this.#options;
    const program = isRemote(target) ? target.endpoint.host : basename(target.command[0] ?? "");
    const meter = new Meter({
      version,
      sessionId: crypto.randomUUID(),
      command: program,
      serverLabel: undefined,
      serverLabelFallback: program,
      risk: risk ?? riskThresholdsDefault,
      readerFor: readerFor(reading),
      hash: sha256,
      prices: createDefinitionPrices(),
    });
    const records: MeterRecord[] = [];
    const observer = new Observer(meter, {
      record: (record) => records.push(record),
      failed: (where, what) => this.#tell(httpSentences.observerFailed(where, what)),
    });
    this.#records = records;
    this.#observer = observer;
    return (from, line) => void observer.line(from, line);
  }

  async finish(): Promise<readonly MeterRecord[]> {
    await this.#observer?.finish({ code: 0 });
    return this.#records;
  }
}

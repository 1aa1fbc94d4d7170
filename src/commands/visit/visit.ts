import { basename } from "node:path";
import { sentences } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import { createDefinitionPrices } from "#cost/definition-prices.ts";
import { Meter } from "#session/meter.ts";
import type { DefinitionsRecord, MeterRecord, SessionRecord } from "#records/record.ts";
import type { Reader } from "#cost/reader.ts";
import { McpConnection, type ServerIdentity } from "#mcp-client/connection.ts";
import type { ServerOffer } from "#mcp-client/offer.ts";
import type { LineHandler } from "#mcp-client/transport.ts";
import { Observer } from "#proxy/observer.ts";
import { readerFor } from "../reader.ts";
import { sha256 } from "#os/sha256.ts";
import { type Tell, Teller } from "#text/teller.ts";
import { version } from "#version.ts";
import { startProgress } from "./progress.ts";
import type { ServerOptions } from "./options.ts";

/** A server that was visited, and what the same meter as in `run` recorded of the visit. */
export type Visit<T> = {
  readonly server: ServerIdentity;
  readonly offer: ServerOffer;
  readonly reader: Reader;
  readonly session: SessionRecord | undefined;
  readonly definitions: DefinitionsRecord | undefined;
  readonly records: readonly MeterRecord[];
  /** What `during` returned. */
  readonly done: T;
};

/** A visit, or the signal that ended it. */
export type Visited<T> = { readonly visit: Visit<T> } | { readonly interrupted: Ending };

type During<T> = (server: McpConnection, offer: ServerOffer) => Promise<T>;

/**
 * Starts a server, connects, lists what it offers, does what is asked, and ends it, whatever happens:
 * nothing it started is left. Throws UserError with exit code 3 when the server is not up to it.
 */
export async function visitServer<T>(
  command: readonly string[],
  options: ServerOptions,
  io: Io,
  during: During<T>,
): Promise<Visited<T>> {
  const teller = new Teller(io.stderr);
  const metered = new Metering(command, options, teller.tell);
  const server = new McpConnection(command, io, () => metered.restart());
  const interruption = Promise.withResolvers<Visited<T>>();
  const ignoreSignals = io.signals.listen((signal) => {
    if (signal === "SIGCONT" || signal === "SIGTSTP") return;
    interruption.resolve({ interrupted: { signal } });
  });
  const progress = startProgress(teller, basename(command[0] ?? ""));
  const visiting = async (): Promise<Visited<T>> => {
    const identity = await server.connect(options.timeoutMs);
    const offer = await server.offer(options.timeoutMs);
    const done = await during(server, offer);
    await server.close();
    return { visit: { ...metered.finish(), server: identity, offer, done } };
  };
  try {
    return await Promise.race([visiting(), interruption.promise]);
  } finally {
    ignoreSignals();
    progress.stop();
    await server.kill();
  }
}

/** The meter of `run`, fed by a connection of our own. */
class Metering {
  readonly #command: readonly string[];
  readonly #options: ServerOptions;
  readonly #tell: Tell;
  readonly #readerFor: (clientName: string | undefined) => Reader;
  #records: MeterRecord[] = [];
  #observer: Observer | undefined;

  constructor(command: readonly string[], options: ServerOptions, tell: Tell) {
    this.#command = command;
    this.#options = options;
    this.#tell = tell;
    this.#readerFor = readerFor(options);
  }

  /** Begins a new session and forgets the last. */
  restart(): LineHandler {
    const records: MeterRecord[] = [];
    const command = basename(this.#command[0] ?? "");
    const meter = new Meter({
      version,
      sessionId: crypto.randomUUID(),
      command,
      serverLabel: undefined,
      serverLabelFallback: command,
      risk: this.#options.risk,
      readerFor: this.#readerFor,
      hash: sha256,
      prices: createDefinitionPrices(),
    });
    const observer = new Observer(meter, {
      record: (record) => records.push(record),
      failed: (where, what) => this.#tell(sentences.observerFailed(where, what)),
    });
    this.#records = records;
    this.#observer = observer;
    return (from, line) => void observer.line(from, line);
  }

  finish(): Pick<Visit<never>, "reader" | "session" | "definitions" | "records"> {
    void this.#observer?.finish({ code: 0 });
    const records = this.#records;
    const session = records.find((record) => record.type === "session");
    const definitions = records.findLast((record) => record.type === "definitions");
    return { reader: this.#readerFor("mcp-meter"), session, definitions, records };
  }
}

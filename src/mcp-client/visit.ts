import { basename } from "node:path";
import { sentences } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import { clip } from "#text/display.ts";
import { Teller } from "#text/teller.ts";
import { McpConnection, type ServerIdentity } from "./connection.ts";
import type { Clean } from "#text/one-line.ts";
import type { ServerOffer } from "./offer.ts";
import { type Progress, startProgress } from "./progress.ts";
import type { ServerStart } from "./stdio-server.ts";
import type { LineHandler } from "./transport.ts";

/** A server that was visited. */
export type Visit<T> = {
  readonly server: ServerIdentity;
  readonly offer: ServerOffer;
  /** The result of the work that was done on the connection. */
  readonly result: T;
};

/** A visit, or the signal that interrupted it. */
export type Visited<T> = { readonly visit: Visit<T> } | { readonly interrupted: Ending };

/** The server to visit, and the work to do there. */
export type VisitOptions<T> = ServerStart & {
  /** Time for the connection, and as much for the lists. */
  readonly timeoutMs: number;
  /** Work to do on the connection once the server has listed its offer; `begin` names each part of it. */
  readonly work: (
    server: McpConnection,
    begin: Progress["begin"],
    found: Pick<Visit<unknown>, "server" | "offer">,
  ) => Promise<T>;
  /** Removes secrets from the texts of the server that a sentence or an error quotes. */
  readonly clean?: Clean | undefined;
  /** Called for each start of the server: handles the lines of the greeting and the work, not the lists. */
  readonly handlerForStart?: (() => LineHandler) | undefined;
};

const silent: Pick<Teller, "showProgress" | "clearProgress"> = {
  showProgress: () => undefined,
  clearProgress: () => undefined,
};

/**
 * Starts a server, connects, lists its offer, works on the connection and ends the server. The server has
 * exited when this returns or throws. Throws UserError with exit code 3 when the server fails.
 */
export async function visitServer<T>(
  { command, surroundings, timeoutMs, work, handlerForStart, clean }: VisitOptions<T>,
  io: Pick<Io, "platform" | "signals" | "stderr" | "env">,
): Promise<Visited<T>> {
  let isListing = false;
  const teller = new Teller(io.stderr);
  // A terminal that cannot erase a line would keep every one.
  const shown = io.env["TERM"] === "dumb" ? silent : teller;
  const progress = startProgress(shown, `waiting for ${clip(basename(command[0] ?? ""))}`);
  const handlerOfStart = (): LineHandler => {
    const handle = handlerForStart?.();
    return (from, line) => {
      if (!isListing) handle?.(from, line);
    };
  };
  const connection = new McpConnection({ command, surroundings }, io, handlerOfStart, clean);
  const visit = async (): Promise<Visited<T>> => {
    const server = await connection.connect(timeoutMs);
    isListing = true;
    const offer = await connection.offer(timeoutMs);
    isListing = false;
    // A line that follows a call may quote its arguments.
    const { firstForeignLine } = connection;
    const result = await work(connection, progress.begin, { server, offer });
    await connection.close();
    if (offer.notTools > 0) teller.tell(sentences.notTools(offer.notTools));
    noteForeignLines(connection, firstForeignLine, teller);
    return { visit: { server, offer, result } };
  };
  const interruption = Promise.withResolvers<Visited<T>>();
  const stopListening = io.signals.listen((signal) => {
    if (signal === "SIGCONT" || signal === "SIGTSTP") return;
    interruption.resolve({ interrupted: { signal } });
  });
  try {
    return await Promise.race([visit(), interruption.promise]);
  } finally {
    stopListening();
    progress.stop();
    await connection.kill();
  }
}

function noteForeignLines(
  { foreignLines }: Pick<McpConnection, "foreignLines">,
  first: string | undefined,
  { tell }: Pick<Teller, "tell">,
): void {
  if (foreignLines > 0) tell(sentences.foreignLines(foreignLines, first));
}

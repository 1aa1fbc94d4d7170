import { basename } from "node:path";
import type { Ending, Io } from "#kit/io.ts";
import { clip } from "#kit/text/columns.ts";
import { type Redactor } from "#kit/text/unsafe-text.ts";
import { Teller } from "#kit/text/teller.ts";
import { McpConnection, type ServerIdentity } from "./connection.ts";
import type { ServerLists } from "./read-lists.ts";
import { isRemote, type ServerTarget } from "./transports.ts";
import type { LineHandler } from "./traffic.ts";
import { mcpClientSentences } from "./sentences.ts";
import { commonSentences } from "#kit/sentences.ts";
import type { ServerListing } from "#lock/profile.ts";
import { createDefinitionRedactor } from "../redact-known-values.ts";

export type VisitedServer = { readonly server: ServerIdentity; readonly lists: ServerLists };

export type Visit<T> = VisitedServer & { readonly result: T };

type VisitOutcome<T> = { readonly visit: Visit<T> } | { readonly interrupted: Ending };

type VisitOptions<T> = {
  readonly target: ServerTarget;
  readonly timeoutMs: number;
  readonly work: (
    server: McpConnection,
    showStep: Progress["showStep"],
    visited: VisitedServer,
  ) => Promise<T>;
  readonly redact: Redactor | undefined;
  readonly makeLineHandler?: (() => LineHandler) | undefined;
};

export type ResolvedServer = {
  readonly target: ServerTarget;
  /** Maps a name to a value that no output may show. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly timeoutMs: number;
};

type VisitingIo = Pick<Io, "platform" | "signals" | "stderr" | "env">;

// Ends a local server or a remote session in every case. Throws UserError with exit code 3 if the server failed.
export async function visitServer<T>(
  options: VisitOptions<T>,
  io: VisitingIo,
): Promise<VisitOutcome<T>> {
  const { target, makeLineHandler, redact } = options;
  const teller = new Teller(io.stderr);
  const progress = startProgress(teller, `waiting for ${clip(nameTarget(target))}`, io.env);
  // The handler does not see the traffic of `readLists`, because callers receive the lists in a `VisitedServer`.
  const listing = { isActive: false };
  const makeHandler = (): LineHandler => {
    const handle = makeLineHandler?.();
    return (from, line) => {
      if (!listing.isActive) handle?.(from, line);
    };
  };
  const connection = new McpConnection(target, io, { makeLineHandler: makeHandler, redact });
  const interruption = Promise.withResolvers<VisitOutcome<T>>();
  const stopListening = io.signals.listen((signal) => {
    if (signal === "SIGCONT" || signal === "SIGTSTP") return;
    interruption.resolve({ interrupted: { signal } });
  });
  try {
    const visiting = visit(connection, options, { listing, showStep: progress.showStep, teller });
    return await Promise.race([visiting, interruption.promise]);
  } finally {
    stopListening();
    progress.stop();
    await connection.kill();
  }
}

export async function visitForListing(
  { target, secrets, timeoutMs }: ResolvedServer,
  io: VisitingIo,
): Promise<{ readonly redact: Redactor; readonly visited: VisitOutcome<undefined> }> {
  const redact = createDefinitionRedactor(secrets);
  const visiting = { target, timeoutMs, redact, work: async () => undefined };
  return { redact, visited: await visitServer(visiting, io) };
}

export function makeServerListing({ server, lists }: VisitedServer): ServerListing {
  return {
    ...lists,
    instructions: server.instructions,
    introduction: server.introduction,
    server: {
      name: server.name,
      version: server.version,
      protocol_version: server.protocolVersion,
      era: server.era,
    },
  };
}

type VisitContext = {
  readonly listing: { isActive: boolean };
  readonly showStep: Progress["showStep"];
  readonly teller: Teller;
};

async function visit<T>(
  connection: McpConnection,
  { target, timeoutMs, work }: VisitOptions<T>,
  { listing, showStep, teller }: VisitContext,
): Promise<VisitOutcome<T>> {
  const server = await connection.connect(timeoutMs);
  listing.isActive = true;
  const lists = await connection.readLists(timeoutMs);
  listing.isActive = false;
  // The first foreign line (not JSON-RPC) is shown to users. It is read before the calls, because a later line could
  // contain their arguments.
  const { firstForeignLine } = connection.traffic;
  const result = await work(connection, showStep, { server, lists });
  await connection.close();
  if (lists.invalidEntryCount > 0)
    teller.tell(commonSentences.invalidTools(lists.invalidEntryCount));
  const { foreignLineCount } = connection.traffic;
  if (foreignLineCount > 0) {
    const makeSentence = isRemote(target)
      ? mcpClientSentences.foreignEvents
      : mcpClientSentences.foreignLines;
    teller.tell(makeSentence(foreignLineCount, firstForeignLine));
  }
  return { visit: { server, lists, result } };
}

function nameTarget(target: ServerTarget): string {
  return isRemote(target) ? target.endpoint.host : basename(target.command[0] ?? "");
}

const progressIntervalMs = 1_000;

export type Progress = {
  readonly showStep: (activity: string) => void;
  readonly stop: () => void;
};

export function startProgress(teller: Teller, firstActivity: string, env: Io["env"]): Progress {
  let [activity, seconds] = [firstActivity, 0];
  // A terminal that cannot erase a line would keep every update.
  const canErase = env["TERM"] !== "dumb";
  const timer = setInterval(() => {
    seconds += 1;
    if (canErase) teller.showProgress(`${activity}, ${seconds} s`);
  }, progressIntervalMs);
  return {
    showStep(next) {
      [activity, seconds] = [next, 0];
    },
    stop() {
      clearInterval(timer);
      teller.clearProgress();
    },
  };
}

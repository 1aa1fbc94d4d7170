import type { Launch } from "#clients/launch.ts";
import type { Ending, Io, LenientWriter } from "#kit/io.ts";
import type { ServerListing } from "#lock/profile.ts";
import type { SetupFailure } from "#lock/setup-report.ts";
import { ServerFailure } from "#check/mcp-client/stdio-server.ts";
import { makeServerListing, startProgress, visitServer } from "#check/mcp-client/visit.ts";
import { clip } from "#kit/text/unsafe-text.ts";
import { isFolder } from "#state/storage/folders.ts";
import { pluralize } from "#kit/text/numbers.ts";
import { Teller } from "#kit/text/teller.ts";

// Few at once, because starting a server may first install it.
const serversAtOnceMax = 4;

type StartableServer = { readonly server: string; readonly launch: Launch };

export type StartResult = { readonly listing: ServerListing } | { readonly failure: SetupFailure };

type StartedServers =
  { readonly results: readonly StartResult[] } | { readonly interrupted: Ending };

// Starts a few servers at a time. Entries with the same command, variables and folder share a
// process, and start another with a larger environment only after a failure that a missing variable
// may explain. All processes have ended when this returns.
export async function startServers(
  servers: readonly StartableServer[],
  timeoutMs: number,
  io: Io,
): Promise<StartedServers> {
  const work = new SetupWork(servers, timeoutMs, io);
  return work.run();
}

// Indexes of the servers with the same command and folder, grouped by environment, smallest first.
type SharedProcess = readonly (readonly number[])[];

class SetupWork {
  readonly #servers: readonly StartableServer[];
  readonly #timeoutMs: number;
  readonly #io: Io;
  readonly #results: StartResult[] = [];
  /** A list, because several clients may have a server of the same name. */
  readonly #running: string[] = [];
  readonly #queue: SharedProcess[];
  readonly #total: number;
  #interrupted: Ending | undefined;
  #showStep: (activity: string) => void = () => undefined;

  constructor(servers: readonly StartableServer[], timeoutMs: number, io: Io) {
    this.#servers = servers;
    this.#timeoutMs = timeoutMs;
    this.#io = io;
    this.#queue = [...groupByProcess(servers)];
    this.#total = this.#queue.length;
  }

  async run(): Promise<StartedServers> {
    // Between visits, a signal would end mcp-meter at once and leave servers running.
    const stopListening = this.#io.signals.listen((signal) => {
      if (signal !== "SIGCONT" && signal !== "SIGTSTP") this.#interrupted ??= { signal };
    });
    const isPlain = this.#io.env["TERM"] === "dumb";
    const teller = new Teller(isPlain ? silent : this.#io.stderr);
    const progress = startProgress(teller, this.#describeActivity());
    this.#showStep = progress.showStep;
    try {
      await Promise.all(Array.from({ length: serversAtOnceMax }, () => this.#drainQueue()));
    } finally {
      progress.stop();
      stopListening();
    }
    return this.#interrupted
      ? { interrupted: this.#interrupted }
      : { results: this.#servers.map((_, at) => this.#results[at] ?? neverStarted) };
  }

  async #drainQueue(): Promise<void> {
    for (;;) {
      const next = this.#interrupted ? undefined : this.#queue.shift();
      if (!next) return;
      await this.#startEach(next);
    }
  }

  async #startEach(environments: SharedProcess): Promise<void> {
    for (const [at, indexes] of environments.entries()) {
      const server = this.#servers[indexes[0] ?? 0];
      if (!server || this.#interrupted) return;
      const result = await this.#start(server);
      if (!result) return;
      const holdsForAll = isSameInLargerEnvironment(result);
      const resultIndexes = holdsForAll ? environments.slice(at).flat() : indexes;
      for (const index of resultIndexes) this.#results[index] = result;
      if (holdsForAll) return;
    }
  }

  async #start({ server, launch }: StartableServer): Promise<StartResult | undefined> {
    if (launch.cwd !== undefined && !isFolder(launch.cwd)) return { failure: missingFolder };
    this.#running.push(clip(server));
    this.#showStep(this.#describeActivity());
    try {
      const { command, env, cwd } = launch;
      const visited = await visitServer(
        {
          target: { command, surroundings: { env, cwd } },
          timeoutMs: this.#timeoutMs,
          redact: undefined,
          work: async () => undefined,
        },
        { ...this.#io, stderr: silent },
      );
      if ("visit" in visited) return { listing: makeServerListing(visited.visit) };
      this.#interrupted ??= visited.interrupted;
      return undefined;
    } catch (error) {
      // The message of any other error may quote the server.
      return { failure: error instanceof ServerFailure ? error.fault : unknownFault };
    } finally {
      this.#running.splice(this.#running.indexOf(clip(server)), 1);
      this.#showStep(this.#describeActivity());
    }
  }

  #describeActivity(): string {
    const done = this.#total - this.#queue.length - this.#running.length;
    const suffix = this.#running.length === 0 ? "" : `, waiting for ${this.#running.join(", ")}`;
    return `${done} of ${pluralize(this.#total, "server")} done${suffix}`;
  }
}

const neverStarted: StartResult = {
  failure: { kind: "not_started", reason: "it was not started" },
};

const missingFolder: SetupFailure = {
  kind: "no_folder",
  reason: "its working directory does not exist",
};

const unknownFault: SetupFailure = { kind: "failed", reason: "it could not be profiled" };

// A larger environment hardly changes definitions, only failures caused by a missing variable.
function isSameInLargerEnvironment(result: StartResult): boolean {
  return (
    "listing" in result || !["exited", "refused", "invalid_answer"].includes(result.failure.kind)
  );
}

function groupByProcess(servers: readonly StartableServer[]): readonly SharedProcess[] {
  const positions = servers.map((_, at) => at);
  const findLaunch = (at: number): Launch | undefined => servers[at]?.launch;
  const byProcess = Map.groupBy(positions, (at) => makeProcessKey(findLaunch(at)));
  return [...byProcess.values()].map((same) => {
    const byEnvironment = Map.groupBy(same, (at) =>
      serializeEnvironment(findLaunch(at)?.env ?? {}),
    );
    const sized = [...byEnvironment].map(([key, indexes]) => ({ size: key.length, indexes }));
    return sized.toSorted((a, b) => a.size - b.size).map(({ indexes }) => indexes);
  });
}

export function makeProcessKey(launch: Launch | undefined): string {
  if (!launch) return "";
  return JSON.stringify([
    launch.command,
    serializeEnvironment(launch.entryEnv),
    launch.cwd ?? null,
  ]);
}

function serializeEnvironment(env: Launch["env"]): string {
  return JSON.stringify(Object.entries(env).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

// Concurrent visits would overwrite each other's notes and progress.
const silent: LenientWriter = {
  write: (_text, done) => done?.(true),
  flush: () => undefined,
  isTerminal: false,
  measureColumns: async () => undefined,
};

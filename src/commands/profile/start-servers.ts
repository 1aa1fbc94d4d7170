import type { Launch } from "#clients/launch-rules.ts";
import type { Ending, Io, LenientWriter } from "#kit/io.ts";
import type { ServerListing } from "#lock/profile.ts";
import type { SetupFailure } from "#lock/setup-report.ts";
import { ServerFailure } from "#check/mcp-client/stdio-server.ts";
import { makeServerListing, startProgress, visitServer } from "#check/mcp-client/visit.ts";
import { clip } from "#kit/text/columns.ts";
import { isFolder } from "#state/storage/folders.ts";
import { pluralize } from "#kit/text/numbers.ts";
import { Teller } from "#kit/text/teller.ts";

// Few at once, because starting a server may first install it.
const serversAtOnceMax = 4;

type StartableServer = { readonly server: string; readonly launch: Launch };

export type StartResult = { readonly listing: ServerListing } | { readonly failure: SetupFailure };

/** The keys are the objects that `startServers` received. */
export type StartResults = ReadonlyMap<{ readonly server: string }, StartResult>;

type StartedServers = { readonly results: StartResults } | { readonly interrupted: Ending };

// A server that several clients configure alike is started once, with the smallest of the clients' environments.
// A larger environment is tried only after a failure that a missing variable may explain. No process is left running.
export async function startServers(
  servers: readonly StartableServer[],
  timeoutMs: number,
  io: Io,
): Promise<StartedServers> {
  return new ServerStarter(servers, timeoutMs, io).run();
}

// Entries with the same `makeProcessKey`, grouped by environment; the smallest environment comes first.
type SharedProcess = readonly (readonly StartableServer[])[];

class ServerStarter {
  readonly #timeoutMs: number;
  readonly #io: Io;
  readonly #results = new Map<StartableServer, StartResult>();
  /** A list, because several clients may have a server of the same name. */
  readonly #running: string[] = [];
  readonly #queue: SharedProcess[];
  readonly #total: number;
  #interrupted: Ending | undefined;
  #showStep: (activity: string) => void = () => undefined;

  constructor(servers: readonly StartableServer[], timeoutMs: number, io: Io) {
    this.#timeoutMs = timeoutMs;
    this.#io = io;
    this.#queue = groupByProcess(servers);
    this.#total = this.#queue.length;
  }

  async run(): Promise<StartedServers> {
    // Without a listener, a signal would end mcp-meter at once and leave servers running.
    const stopListening = this.#io.signals.listen((signal) => {
      if (signal !== "SIGCONT" && signal !== "SIGTSTP") this.#interrupted ??= { signal };
    });
    const teller = new Teller(this.#io.stderr);
    const progress = startProgress(teller, this.#describeActivity(), this.#io.env);
    this.#showStep = progress.showStep;
    try {
      await Promise.all(Array.from({ length: serversAtOnceMax }, () => this.#drainQueue()));
    } finally {
      progress.stop();
      stopListening();
    }
    return this.#interrupted ? { interrupted: this.#interrupted } : { results: this.#results };
  }

  async #drainQueue(): Promise<void> {
    for (;;) {
      const next = this.#interrupted ? undefined : this.#queue.shift();
      if (!next) return;
      await this.#startEach(next);
    }
  }

  async #startEach(environments: SharedProcess): Promise<void> {
    for (const [at, servers] of environments.entries()) {
      const [server] = servers;
      if (!server || this.#interrupted) return;
      const result = await this.#start(server);
      if (!result) return;
      const holdsForAll = isSameInLargerEnvironment(result);
      const sharing = holdsForAll ? environments.slice(at).flat() : servers;
      for (const each of sharing) this.#results.set(each, result);
      if (holdsForAll) return;
    }
  }

  async #start({ server, launch }: StartableServer): Promise<StartResult | undefined> {
    if (launch.cwd !== undefined && !isFolder(launch.cwd)) return { failure: missingFolder };
    this.#running.push(clip(server));
    this.#showStep(this.#describeActivity());
    try {
      const { command, env, cwd } = launch;
      const outcome = await visitServer(
        {
          target: { command, surroundings: { env, cwd } },
          timeoutMs: this.#timeoutMs,
          redact: undefined,
          work: async () => undefined,
        },
        { ...this.#io, stderr: silent },
      );
      if ("visit" in outcome) return { listing: makeServerListing(outcome.visit) };
      this.#interrupted ??= outcome.interrupted;
      return undefined;
    } catch (error) {
      // Only `error.fault` is shown, because `error.message` may quote the server.
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

const missingFolder: SetupFailure = {
  kind: "no_folder",
  reason: "its working directory does not exist",
};

const unknownFault: SetupFailure = { kind: "failed", reason: "it could not be profiled" };

// A larger environment hardly ever changes definitions, but a server may fail without a variable.
function isSameInLargerEnvironment(result: StartResult): boolean {
  return (
    "listing" in result || !["exited", "refused", "invalid_answer"].includes(result.failure.kind)
  );
}

function groupByProcess(servers: readonly StartableServer[]): SharedProcess[] {
  const byProcess = Map.groupBy(servers, ({ launch }) => makeProcessKey(launch));
  return [...byProcess.values()].map((sharing) => {
    const byEnvironment = Map.groupBy(sharing, ({ launch }) => serializeEnvironment(launch.env));
    return [...byEnvironment].toSorted(([a], [b]) => a.length - b.length).map(([, same]) => same);
  });
}

export function makeProcessKey({ command, entryEnv, cwd }: Launch): string {
  return JSON.stringify([command, serializeEnvironment(entryEnv), cwd ?? null]);
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

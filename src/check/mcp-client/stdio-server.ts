import { raceTimeout } from "#kit/os/race-timeout.ts";
import { exitCodes, UserError } from "#kit/errors.ts";
import type { Io } from "#kit/io.ts";
import { type Child, type ChunkReader, spawnChild, type Surroundings } from "#kit/os/child.ts";

// After each step to end a server, such as SIGTERM, we wait at most this long.
export const serverExitMaxMs = 1_000;

export type ServerLaunch = {
  readonly command: readonly string[];
  readonly surroundings?: Surroundings | undefined;
};

// `ended-by-itself`: the server exited or closed stdout before we ended it. Both ended states are final.
export type ServerLife = "new" | "running" | "ended-by-us" | "ended-by-itself";

// Except on Windows, the server leads a process group: `close` and `kill` also end the other processes in the group.
export class StdioServer {
  readonly #launch: ServerLaunch;
  readonly #io: Pick<Io, "platform" | "signals">;
  #life: ServerLife = "new";
  #child: Child | undefined;
  #stdout: ChunkReader | undefined;
  #exited: Promise<void> = Promise.resolve();
  #ending: Promise<void> | undefined;
  #isGroupGone = false;
  #hasOutputReader = false;
  readonly #drained = Promise.withResolvers<void>();

  constructor(launch: ServerLaunch, io: Pick<Io, "platform" | "signals">) {
    this.#launch = launch;
    this.#io = io;
  }

  get life(): ServerLife {
    return this.#life;
  }

  get pid(): number | null {
    return this.#child?.subprocess.pid ?? null;
  }

  get exit(): string | undefined {
    if (!this.#child) return undefined;
    const { signalCode, exitCode } = this.#child.subprocess;
    if (signalCode !== null) return `was killed by ${signalCode}`;
    return exitCode === null ? undefined : `ended with code ${exitCode}`;
  }

  start(): void {
    if (this.#life !== "new") throw new Error(`Cannot start a server that is ${this.#life}`);
    const child = startChild(this.#launch, this.#io.platform);
    this.#life = "running";
    this.#child = child;
    this.#stdout = child.streams().stdout;
    this.#exited = child.subprocess.exited.then(() => this.#markEnded("ended-by-itself"));
  }

  async *output(): AsyncGenerator<Uint8Array> {
    this.#hasOutputReader = true;
    try {
      for (;;) {
        const chunk = await this.#read();
        if (!chunk) break;
        yield chunk;
      }
    } finally {
      this.#drained.resolve();
    }
    this.#markEnded("ended-by-itself");
  }

  // Resolves when the pipe has the bytes.
  async write(bytes: Uint8Array): Promise<void> {
    try {
      await this.#child?.streams().stdin.write(bytes);
      await this.#child?.streams().stdin.flush();
    } catch {
      // A broken pipe is ignored: if the server has ended, the end of its stdout shows this.
    }
  }

  waitForExit(): Promise<boolean> {
    const exited = this.#exited.then(() => true);
    return raceTimeout(exited, serverExitMaxMs, () => false);
  }

  // Resolves even if the server does not exit after SIGKILL.
  close(): Promise<void> {
    this.#markEnded("ended-by-us");
    this.#ending ??= this.#close();
    return this.#ending;
  }

  kill(): void {
    this.#markEnded("ended-by-us");
    this.#signal("SIGKILL");
  }

  async #close(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    void closeStdin(child);
    if (!(await this.waitForExit())) {
      this.#signal("SIGTERM");
      await this.waitForExit();
    }
    this.#signal("SIGKILL");
    // After SIGKILL and the exit, the group is empty, and its id may go to other processes.
    this.#isGroupGone = await this.waitForExit();
    await this.#drain();
    await this.#stdout?.cancel().catch(() => undefined);
  }

  // Does not wait for long, because a process outside the group may hold stdout open.
  async #drain(): Promise<void> {
    if (this.#hasOutputReader)
      await raceTimeout(this.#drained.promise, serverExitMaxMs, () => undefined);
  }

  #markEnded(life: "ended-by-us" | "ended-by-itself"): void {
    if (this.#life === "new" || this.#life === "running") this.#life = life;
  }

  #signal(signal: NodeJS.Signals): void {
    const child = this.#child;
    if (!child || this.#isGroupGone) return;
    if (this.#io.platform === "win32") child.subprocess.kill(signal);
    else this.#io.signals.send(-child.subprocess.pid, signal);
  }

  async #read(): Promise<Uint8Array | undefined> {
    try {
      return (await this.#stdout?.read())?.value;
    } catch {
      return undefined;
    }
  }
}

// May wait for the exit of a server that does not read its stdin.
async function closeStdin(child: Child): Promise<void> {
  try {
    await child.streams().stdin.end();
  } catch {
    // A broken pipe needs no closing.
  }
}

function startChild({ command, surroundings }: ServerLaunch, platform: string): Child {
  try {
    return spawnChild(command, platform, { leadsGroup: platform !== "win32", surroundings });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const isMissing = error.exitCode === exitCodes.notFound;
    const kind = isMissing ? "not_found" : "not_executable";
    throw new ServerFailure(error.message, { kind, reason: startFaults[kind] });
  }
}

const startFaults = {
  not_found: "its program was not found",
  not_executable: "its program cannot be executed",
} as const;

type FaultKind =
  "not_found" | "not_executable" | "exited" | "timeout" | "refused" | "invalid_answer";

// Safe to show, unlike the server's own texts, which may contain secrets from its settings.
export type ServerFault = {
  readonly kind: FaultKind;
  readonly reason: string;
};

export class ServerFailure extends UserError {
  readonly fault: ServerFault;

  constructor(sentence: string, fault: ServerFault) {
    super(sentence, exitCodes.serverUnreachable);
    this.fault = fault;
  }
}

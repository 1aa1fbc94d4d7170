import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { flagsOf, type OptionSet } from "./option-sets.ts";
import { ServerLink } from "./server-link.ts";
import { Stream } from "./stream.ts";
import type { Exchanged } from "./transcript.ts";

/** Where a session runs. */
export type SessionPlace = {
  readonly executable: string;
  /** Folder of the play: its state folder is shared by the sessions of the play. */
  readonly dir: string;
  /** A lock of the fake server. */
  readonly lock: string;
};

/** How mcp-meter ended. */
export type Exit = { readonly code: number | null; readonly signal: string | null };

const relay = join(import.meta.dir, "relay.ts");

/** mcp-meter between the fuzzer as its client and the fake server. */
export class LiveSession {
  readonly server: ServerLink;
  /** What the client received. */
  readonly got = new Stream();
  /** What each side has written. */
  readonly clientSent = new Stream();
  readonly serverSent = new Stream();
  readonly atClient: Exchanged[] = [];
  readonly stderrFile: string;
  readonly #child: Bun.Subprocess<"pipe", "pipe", Bun.BunFile>;
  readonly #received: Promise<void>;

  constructor(set: OptionSet, { executable, dir, lock }: SessionPlace, name: string) {
    for (const folder of ["home", "state", "temporary", "working"]) {
      mkdirSync(join(dir, folder), { recursive: true });
    }
    // The same in every session: counters that are shared belong to a command line.
    const socketPath = join(dir, "server.socket");
    rmSync(socketPath, { force: true });
    this.server = new ServerLink(socketPath);
    this.stderrFile = join(dir, `${name}.stderr`);
    const command = [process.execPath, relay, socketPath];
    this.#child = Bun.spawn([executable, ...flagsOf(set, dir, lock), "--", ...command], {
      cwd: join(dir, "working"),
      env: {
        PATH: process.env["PATH"] ?? "/usr/bin:/bin",
        HOME: join(dir, "home"),
        XDG_STATE_HOME: join(dir, "state"),
        TMPDIR: join(dir, "temporary"),
      },
      stdio: ["pipe", "pipe", Bun.file(this.stderrFile)],
    });
    this.#received = this.#receive();
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** How mcp-meter ended, when everything that it wrote was received. */
  async exit(): Promise<Exit> {
    await this.#child.exited;
    await this.#received;
    const { exitCode, signalCode } = this.#child;
    return signalCode === null
      ? { code: exitCode, signal: null }
      : { code: null, signal: String(signalCode) };
  }

  /** Writes as the client. */
  async writeAsClient(bytes: Uint8Array): Promise<void> {
    this.clientSent.add(bytes);
    this.atClient.push({ by: "client", bytes });
    try {
      await this.#child.stdin.write(bytes);
      await this.#child.stdin.flush();
    } catch {
      // mcp-meter has ended: the oracles know how.
    }
  }

  /** Writes as the server. */
  writeAsServer(bytes: Uint8Array): void {
    this.serverSent.add(bytes);
    this.server.order("data", bytes);
  }

  /** The client closes its output. */
  async closeAsClient(): Promise<void> {
    try {
      await this.#child.stdin.end();
    } catch {
      // mcp-meter has ended.
    }
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Leaves no process behind. */
  async dispose(): Promise<void> {
    this.#child.kill("SIGKILL");
    this.server.close();
    await this.#child.exited;
  }

  async #receive(): Promise<void> {
    for await (const chunk of this.#child.stdout) {
      this.atClient.push({ by: "server", bytes: chunk });
      this.got.add(chunk);
    }
    this.got.end();
  }
}

import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { encodePieces, type Ending, type Script, type Speaker, type Step } from "./messages.ts";
import type { OptionSet } from "./option-sets.ts";
import { type Exit, LiveSession, type SessionSetup } from "./session.ts";
import type { Transcript } from "./transcript.ts";

const sessionSecondsMax = 60;

const unfinishedLineMs = 3;

const disappearMaxMs = 5_000;

export async function playScript(
  script: Script,
  set: OptionSet,
  setup: SessionSetup,
  name: string,
): Promise<Transcript> {
  const startedDay = today();
  const { dir } = setup;
  rmSync(join(dir, "summary.json"), { force: true });
  const before = new Set(listFiles(dir));
  const session = new LiveSession(set, setup, name);
  const player = new Player(session);
  let exit: Exit = { code: null, signal: null };
  const isOver = await finishesInTime(async () => {
    await session.started();
    await player.play(script.steps);
    await player.end(script.ending);
    player.waitsFor = "the exit";
    exit = await session.exit();
  });
  const stalled = isOver ? undefined : player.waitsFor;
  const leftovers = isOver ? await findLeftovers(session) : [];
  await session.dispose();
  const outcome = { set, ending: script.ending, exit, stalled, leftovers, startedDay };
  return { ...outcome, endedDay: today(), ...observe(session, dir, name, before) };
}

function observe(session: LiveSession, dir: string, name: string, before: ReadonlySet<string>) {
  const files = listFiles(dir).filter((file) => !before.has(file));
  const log = files.find((file) => file.endsWith(".ndjson"));
  return {
    clientSent: session.clientSent.bytes,
    serverGot: session.serverGot.bytes,
    serverSent: session.serverSent.bytes,
    clientGot: session.clientGot.bytes,
    atClient: session.atClient,
    didServerEnd: session.serverGot.isEnded,
    stderr: readIfExists(join(dir, `${name}.stderr`)) ?? "",
    records: log === undefined ? undefined : readIfExists(join(dir, log)),
    summary: readIfExists(join(dir, "summary.json")),
    files,
  };
}

class Player {
  waitsFor = "the start of the server";
  readonly #session: LiveSession;
  #speaker: Speaker = "client";
  #count = 0;

  constructor(session: LiveSession) {
    this.#session = session;
  }

  async play(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      if (step.by !== this.#speaker) await this.#waitForArrival(this.#speaker);
      this.#speaker = step.by;
      if (this.#isDue(step)) await this.#speak(step);
    }
    await this.#waitForArrival(this.#speaker);
  }

  async end(ending: Ending): Promise<void> {
    const session = this.#session;
    if (ending.kind === "term") return session.kill("SIGTERM");
    if (ending.kind === "kill") return session.kill("SIGKILL");
    if (ending.kind === "crash") return session.order("signal", ending.signal);
    if (ending.kind === "half-close") {
      session.order("end");
      this.waitsFor = "the end of the server's output";
      await session.clientGot.ended();
    }
    if (ending.kind !== "exit") {
      await session.closeAsClient();
      this.waitsFor = "the end of the client's output";
      await session.serverGot.ended();
    }
    session.order("exit", String(ending.code));
  }

  #isDue({ by, needs }: Step): boolean {
    const { serverGot, clientGot } = this.#session;
    return needs === undefined || (by === "server" ? serverGot : clientGot).bytes.includes(needs);
  }

  async #speak({ by, pieces, cuts = [] }: Step): Promise<void> {
    const bytes = encodePieces(pieces);
    for (const [index, from] of [0, ...cuts].entries()) {
      const chunk = bytes.subarray(from, cuts[index] ?? bytes.length);
      this.waitsFor = `room for ${chunk.length} bytes of the ${by}`;
      await this.#write(by, chunk);
      if (cuts.length > 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async #write(by: Speaker, bytes: Uint8Array): Promise<void> {
    if (by === "client") await this.#session.writeAsClient(bytes);
    else this.#session.writeAsServer(bytes);
  }

  async #waitForArrival(by: Speaker): Promise<void> {
    const { serverGot, clientGot, clientSent, serverSent } = this.#session;
    const [sent, arriving] = by === "client" ? [clientSent, serverGot] : [serverSent, clientGot];
    // A mark must not land inside an unfinished line, so this only waits a moment.
    if (!sent.isAtBoundary) return Bun.sleep(unfinishedLineMs);
    this.#count += 1;
    const mark = `"sync":${this.#count}}`;
    const from = arriving.length;
    this.waitsFor = `line ${this.#count} of the ${by} to arrive`;
    const line = `{"jsonrpc":"2.0","method":"notifications/sync","params":{${mark}}\n`;
    await this.#write(by, Buffer.from(line));
    await arriving.until(mark, from);
  }
}

async function finishesInTime(work: () => Promise<void>): Promise<boolean> {
  let timer: Timer | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), sessionSecondsMax * 1_000);
  });
  try {
    return await Promise.race([work().then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

async function findLeftovers({ pid, serverPid }: LiveSession): Promise<readonly string[]> {
  const pids = { "mcp-meter": pid, "the server": serverPid };
  const living = (): string[] =>
    Object.entries(pids)
      .filter(([, process]) => process !== undefined && isAlive(process))
      .map(([name]) => name);
  const deadline = performance.now() + disappearMaxMs;
  while (living().length > 0 && performance.now() < deadline) await Bun.sleep(2);
  return living();
}

function isAlive(pid: number): boolean {
  const stat = readIfExists(`/proc/${pid}/stat`);
  return stat !== undefined && !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
}

function listFiles(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .filter((file) => !/^[^/]+\.(?:socket|stderr)$/.test(file));
}

function readIfExists(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

import { rmSync } from "node:fs";
import { join } from "node:path";
import type { OptionSet } from "./option-sets.ts";
import { bytesOf, type Ending, type Script, type Speaker, type Step } from "./script.ts";
import { type Exit, LiveSession, type SessionPlace } from "./session.ts";
import { filesOf, leftoversOf, observe } from "./observe.ts";
import type { Transcript } from "./transcript.ts";

/** Seconds after which a session counts as hung; a machine that is very busy still finishes in time. */
const sessionSecondsMax = 60;

/** Milliseconds in which an unfinished line has most likely arrived. */
const unfinishedMs = 3;

/** Plays one session and returns everything that was observed of it. */
export async function playScript(
  script: Script,
  set: OptionSet,
  place: SessionPlace,
  name: string,
): Promise<Transcript> {
  const startedDay = today();
  rmSync(join(place.dir, "summary.json"), { force: true });
  const before = new Set(filesOf(place.dir));
  const session = new LiveSession(set, place, name);
  const player = new Player(session);
  let exit: Exit = { code: null, signal: null };
  const isOver = await inTime(async () => {
    await Promise.race([session.server.started(), session.got.ended()]);
    await player.play(script.steps);
    await player.end(script.ending);
    player.waitsFor = "the exit";
    exit = await session.exit();
  });
  const stalled = isOver ? undefined : player.waitsFor;
  const leftovers = isOver ? await leftoversOf(session) : [];
  await session.dispose();
  const seen = { set, ending: script.ending, exit, stalled, leftovers, startedDay };
  return { ...seen, endedDay: today(), ...observe(session, place.dir, name, before) };
}

/** Plays the steps in order: before the other side speaks, everything that was said has arrived. */
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
      if (step.by !== this.#speaker) await this.#arrived(this.#speaker);
      this.#speaker = step.by;
      if (this.#isWanted(step)) await this.#speak(step);
    }
    await this.#arrived(this.#speaker);
  }

  async end(ending: Ending): Promise<void> {
    const { server } = this.#session;
    if (ending.kind === "term") return this.#session.kill("SIGTERM");
    if (ending.kind === "kill") return this.#session.kill("SIGKILL");
    if (ending.kind === "crash") return server.order("signal", Buffer.from(ending.signal));
    if (ending.kind === "half-close") {
      server.order("end");
      this.waitsFor = "the end of the server's output";
      await this.#session.got.ended();
    }
    if (ending.kind !== "exit") {
      await this.#session.closeAsClient();
      this.waitsFor = "the end of the client's output";
      await server.got.ended();
    }
    server.order("exit", Buffer.from(String(ending.code)));
  }

  #isWanted({ by, needs }: Step): boolean {
    const { server, got } = this.#session;
    return needs === undefined || (by === "server" ? server.got : got).includes(needs);
  }

  async #speak({ by, pieces, cuts = [] }: Step): Promise<void> {
    const bytes = bytesOf(pieces);
    for (const [index, from] of [0, ...cuts].entries()) {
      const part = bytes.subarray(from, cuts[index] ?? bytes.length);
      this.waitsFor = `room for ${part.length} bytes of the ${by}`;
      if (by === "client") await this.#session.writeAsClient(part);
      else this.#session.writeAsServer(part);
      if (cuts.length > 0) await nextTurn();
    }
  }

  /** Waits until everything that one side wrote has been forwarded: a notification after it has arrived. */
  async #arrived(by: Speaker): Promise<void> {
    const { server, got, clientSent, serverSent } = this.#session;
    const [sent, arriving] = by === "client" ? [clientSent, server.got] : [serverSent, got];
    // Nothing may be written into an unfinished line: some time must do.
    if (!sent.isAtBoundary) return Bun.sleep(unfinishedMs);
    this.#count += 1;
    const mark = `"sync":${this.#count}}`;
    const from = arriving.length;
    const line = `{"jsonrpc":"2.0","method":"notifications/sync","params":{${mark}}\n`;
    this.waitsFor = `line ${this.#count} of the ${by} to arrive`;
    if (by === "client") await this.#session.writeAsClient(Buffer.from(line));
    else this.#session.writeAsServer(Buffer.from(line));
    await arriving.until(mark, from);
  }
}

/** False when the work takes longer than any session may. */
async function inTime(work: () => Promise<void>): Promise<boolean> {
  let timer: Timer | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), sessionSecondsMax * 1_000);
  });
  const done = async (): Promise<true> => {
    await work();
    return true;
  };
  try {
    return await Promise.race([done(), late]);
  } finally {
    clearTimeout(timer);
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** The date in UTC, by which budgets per day are reset. */
function today(): string {
  return new Date().toISOString().slice(0, 10);
}

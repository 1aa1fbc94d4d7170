import { closeSync } from "node:fs";
import type { Ending, Io } from "#io.ts";
import { countingAtExitMaxMs } from "#limits.ts";
import type { Side } from "#wire/side.ts";
import type { Line } from "#wire/line.ts";
import { type Child, endingOf, spawnChild } from "#os/child.ts";
import { Lane, type Passing } from "./lane.ts";
import { Outbox } from "./outbox.ts";
import { OverflowFile } from "./overflow-file.ts";
import { pump } from "./pump.ts";
import { forwardSignals } from "./signals.ts";
import { LineScheduler } from "./line-scheduler.ts";

/** Silence after the child's exit that ends a pipe which a grandchild still holds. */
const silenceAfterExitMs = 250;

/** Sees every line and may keep it from passing. Never throws, never waits. */
export type Watcher = {
  /** Says what becomes of a line; one that `hasPassed` can only be counted. */
  line(from: Side, line: Line, hasPassed: boolean): Passing;
  /** So many held lines have gone where they go: time for what can wait. */
  passed(lines: number): void;
  /** The client has said its last. */
  eof(): void;
  /** True when lines of that side must be judged before they pass. */
  holds(from: Side): boolean;
  /** Told once, before the first line, how to put lines of ours between theirs. */
  connect(insert: (to: Side, line: Uint8Array) => void): void;
};

/** What wrapping needs from the world. */
export type WrapIo = Pick<Io, "signals" | "pid" | "platform"> & {
  /** Names a file, which does not exist yet, for a line that is too long to hold in memory. */
  readonly overflowPath: () => string;
};

/**
 * Stands between our stdin and stdout and the wrapped server's until it exits: bytes in are bytes out,
 * either end may close first, and a reader that stops, stops the writer. Resolves with how it ended;
 * rejects when we fail ourselves, and then the server is gone too.
 */
export async function wrap(
  command: readonly string[],
  watcher: Watcher,
  io: WrapIo,
): Promise<Ending> {
  const child = spawnChild(command, io.platform);
  const release = forwardSignals(child, io);
  const scheduler = new LineScheduler();
  const toServer = new Outbox(child.stdin);
  // Not Bun.stdout: its writer keeps a duplicate of the descriptor open after its end.
  const toClient = new Outbox(Bun.file(1).writer());
  let refusal: Promise<void> | undefined;
  watcher.connect((to, line) => {
    const taken = (to === "client" ? toClient : toServer).insert(line);
    if (to === "client" && taken) refusal = taken;
  });
  const lane = (from: Side, outbox: Outbox): Lane => {
    const judge = {
      line: (line: Line, hasPassed: boolean) => watcher.line(from, line, hasPassed),
      holds: () => watcher.holds(from),
      passed: (lines: number) => watcher.passed(lines),
    };
    return new Lane(outbox, scheduler, judge, new OverflowFile(io.overflowPath));
  };
  const eof = (): void => watcher.eof();
  const up = moveUp(lane("client", toServer), toServer, scheduler, { refusal: () => refusal, eof });
  const down = new Downstream(child, lane("server", toClient), toClient, scheduler);
  const moved = down.move();
  try {
    // Neither direction rejects but by a fault of ours, and then nobody would forward any more.
    await Promise.race([child.exited, failureOf(up), failureOf(moved)]);
    await Promise.race([moved, down.silence()]);
    if (scheduler.isBusy) await Promise.race([scheduler.idle(), Bun.sleep(countingAtExitMaxMs)]);
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  } finally {
    release();
  }
  return endingOf(child);
}

/**
 * Client to server. Who asks faster than it reads what is refused must wait: `refusal` is the last one
 * that the client has not taken yet.
 */
async function moveUp(
  lane: Lane,
  outbox: Outbox,
  scheduler: LineScheduler,
  { refusal, eof }: { refusal: () => Promise<void> | undefined; eof: () => void },
): Promise<void> {
  const source = Bun.stdin.stream().getReader();
  const patient = {
    push: async (chunk: Uint8Array): Promise<void> => {
      await lane.push(chunk);
      await refusal();
    },
    end: () => lane.end(),
  };
  await pump(source, patient, scheduler, () => outbox.isBroken);
  eof();
  if (outbox.isBroken) closeQuietly(0);
  await outbox.end();
}

/** Server to client. */
class Downstream {
  readonly #child: Child;
  readonly #lane: Lane;
  readonly #outbox: Outbox;
  readonly #scheduler: LineScheduler;
  #heardMs = performance.now();
  #isDelivering = false;

  constructor(child: Child, lane: Lane, outbox: Outbox, scheduler: LineScheduler) {
    this.#child = child;
    this.#lane = lane;
    this.#outbox = outbox;
    this.#scheduler = scheduler;
  }

  async move(): Promise<void> {
    const source = this.#child.stdout.getReader();
    const timed = {
      push: async (chunk: Uint8Array): Promise<void> => {
        this.#isDelivering = true;
        await this.#lane.push(chunk);
        this.#isDelivering = false;
        this.#heardMs = performance.now();
      },
      end: () => this.#lane.end(),
    };
    await pump(source, timed, this.#scheduler, () => this.#outbox.isBroken);
    // A client that reads no more: the server gets SIGPIPE from its next write, as it would alone.
    if (this.#outbox.isBroken) await source.cancel().catch(() => undefined);
    await this.#outbox.end();
    closeQuietly(1);
  }

  /** Resolves when nothing has come for a while and nothing waits to be taken by the client. */
  async silence(): Promise<void> {
    this.#heardMs = performance.now();
    for (;;) {
      const quietMs = performance.now() - this.#heardMs;
      if (!this.#isDelivering && quietMs >= silenceAfterExitMs) return;
      await Bun.sleep(this.#isDelivering ? silenceAfterExitMs : silenceAfterExitMs - quietMs + 1);
    }
  }
}

/** Settles only when the work fails. */
async function failureOf(work: Promise<void>): Promise<never> {
  await work;
  return new Promise(() => undefined);
}

/** The other end learns at once that nobody reads or writes here any more. */
function closeQuietly(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // The runtime closed it already.
  }
}

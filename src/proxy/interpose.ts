import type { Ending, Io } from "#io.ts";
import { countingAtExitMaxMs } from "#limits.ts";
import { type Child, childEnding, spawnChild } from "#os/child.ts";
import { Downstream } from "./downstream.ts";
import { Goodbye } from "./goodbye.ts";
import type { Judge } from "./judge.ts";
import { Lane } from "./lane.ts";
import type { LateJudge } from "./late-judge.ts";
import { Outbox } from "./outbox.ts";
import { OverflowFile } from "./overflow-file.ts";
import { forwardSignals } from "./signals.ts";
import { LineScheduler } from "./line-scheduler.ts";
import { moveUp } from "./upstream.ts";

/** The proxy's share of the world. */
export type InterposeIo = Pick<Io, "signals" | "pid" | "platform"> & {
  /** A path for a line that is too long to hold in memory; the file does not exist yet. */
  readonly overflowPath: () => string;
};

/**
 * Stands between our stdin and stdout and those of a server until it exits: bytes in are bytes out, either
 * end may close first, and a reader that stops, stops the writer. Resolves with how the server ended;
 * rejects when we fail ourselves, and then the server has been killed.
 */
export async function interpose(
  command: readonly string[],
  judge: LateJudge,
  io: InterposeIo,
): Promise<Ending> {
  const goodbye = new Goodbye();
  const signals = forwardSignals(io, () => {
    goodbye.signaled();
    judge.interrupted();
  });
  try {
    const child = spawnChild(command, io.platform, { like: { stdin: 0, stdout: 1 } });
    signals.to(child.subprocess);
    // Bytes wait in the pipes meanwhile.
    await judge.ready();
    await forward(child, { judge, goodbye, overflowPath: io.overflowPath });
    return childEnding(child);
  } finally {
    signals.release();
  }
}

/** Forwards both ways until the server has exited and its output is drained, or is silent. */
async function forward(child: Child, parts: Omit<Surroundings, "scheduler">): Promise<void> {
  const scheduler = new LineScheduler();
  const { up, down } = connectPipes(child, { ...parts, scheduler });
  const moved = down.move();
  try {
    // A direction rejects only by our own fault, and then it would forward no more.
    await Promise.race([child.subprocess.exited, failure(up), failure(moved)]);
    await Promise.race([moved, down.silence(parts.goodbye)]);
    if (scheduler.isBusy) await Promise.race([scheduler.idle(), Bun.sleep(countingAtExitMaxMs)]);
  } catch (error) {
    child.subprocess.kill("SIGKILL");
    throw error;
  }
}

/** Everything that the two directions share. */
type Surroundings = Pick<InterposeIo, "overflowPath"> & {
  readonly judge: Judge;
  readonly scheduler: LineScheduler;
  readonly goodbye: Goodbye;
};

/** Both directions between the client, the judge and the server; the upward one has begun. */
function connectPipes(
  child: Child,
  { judge, scheduler, goodbye, overflowPath }: Surroundings,
): { readonly up: Promise<void>; readonly down: Downstream } {
  const toServer = new Outbox(child.stdin);
  // Not Bun.stdout: its writer keeps a duplicate of the descriptor open after its end.
  const toClient = new Outbox(Bun.file(1).writer());
  let unread: Promise<void> | undefined;
  judge.connect((to, line) => {
    const taken = (to === "client" ? toClient : toServer).insert(line);
    if (to === "client" && taken) unread = taken;
  });
  const shared = { judge, scheduler };
  const upward = new Lane({
    ...shared,
    from: "client",
    outbox: toServer,
    overflow: new OverflowFile(overflowPath),
  });
  const downward = new Lane({
    ...shared,
    from: "server",
    outbox: toClient,
    overflow: new OverflowFile(overflowPath),
  });
  const up = moveUp({
    lane: upward,
    outbox: toServer,
    scheduler,
    unreadRefusal: () => unread,
    eof: () => {
      goodbye.closed();
      judge.eof();
    },
  });
  return {
    up,
    down: new Downstream({ source: child.stdout, lane: downward, outbox: toClient, scheduler }),
  };
}

/** Settles only when the work fails. */
async function failure(work: Promise<void>): Promise<never> {
  await work;
  return new Promise(() => undefined);
}

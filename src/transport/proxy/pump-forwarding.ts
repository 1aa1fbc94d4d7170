import type { ChildStreams, ChunkReader } from "#kit/os/child.ts";
import {
  type DeliveryState,
  type DeliveryDeadline,
  judgeRemaining,
  waitForSilence,
} from "./leaving-deadline.ts";
import {
  type Judge,
  type LineVerdict,
  now,
  LineScheduler,
  linesPerTurnCheck,
  Outbox,
} from "./judge.ts";
import { OverflowFile, type ScratchPaths } from "#state/storage/scratch-paths.ts";
import { closeQuietly } from "#kit/os/file-errors.ts";
import { openStdin } from "#kit/os/standard-streams.ts";
import type { Instant } from "#meter/calls/call.ts";
import { lineObservedBytesMax } from "#kit/limits.ts";
import { joinBytes, type Line, LineSplitter, lineOverheadBytes } from "#wire/line.ts";
import type { Side } from "#wire/message.ts";
import { forwardedReadBytesMax } from "#kit/os/pipe.ts";

export type ForwardingContext = {
  readonly judge: Judge;
  readonly deadline: DeliveryDeadline;
  readonly scratch: ScratchPaths;
};

export type Forwarding = {
  readonly serverOutputEnded: Promise<void>;
  readonly failed: Promise<never>; // rejects if we fail and stop forwarding
  waitForSilence(): Promise<void>;
  giveUp(): void; // no time is left: lines that wait for the judge are skipped
  saveNow(): void; // after a signal that ends the server: the client may kill us soon
  finish(): Promise<void>; // resolves when all forwarded lines are judged
};

// Forwards on the judge's thread. Used if no forwarding thread starts, for example because lines may be held.
export function forwardByPump(streams: ChildStreams, context: ForwardingContext): Forwarding {
  const scheduler = new LineScheduler();
  const { up, down, lanes } = connectPipes(streams, context, scheduler);
  const serverOutputEnded = down.move();
  return {
    serverOutputEnded,
    failed: rejectOnFailure(up, serverOutputEnded),
    waitForSilence: async () => {
      const wait = () => waitForSilence(() => down.delivery, context.deadline);
      await wait();
      if (down.delivery.kind === "idle") await Promise.race([down.endLine(), wait()]);
    },
    // The judge itself skips the lines that wait.
    giveUp: () => undefined,
    saveNow: () => context.judge.saveNow(),
    finish: async () => {
      await judgeRemaining(scheduler.whenIdle(), context.judge);
      for (const lane of lanes) lane.skipUnfinished();
    },
  };
}

export async function rejectOnFailure(...tasks: readonly Promise<void>[]): Promise<never> {
  return Promise.race(
    tasks.map(async (task): Promise<never> => {
      await task;
      return new Promise(() => undefined);
    }),
  );
}

function connectPipes(
  streams: ChildStreams,
  { judge, deadline, scratch }: ForwardingContext,
  scheduler: LineScheduler,
): { readonly up: Promise<void>; readonly down: Downstream; readonly lanes: readonly Lane[] } {
  const toServer = new Outbox(streams.stdin);
  // Not Bun.stdout: its writer keeps a duplicate of the descriptor open after `end()`.
  const toClient = new Outbox(Bun.file(1).writer());
  let unreadRefusal: Promise<void> | undefined;
  judge.connect((to, line) => {
    const writing = (to === "client" ? toClient : toServer).insert(line);
    if (to === "client" && writing) unreadRefusal = writing;
  });
  const makeLane = (pipe: Pick<LaneContext, "outbox" | "from">): Lane =>
    new Lane({ ...pipe, judge, scheduler, overflow: new OverflowFile(scratch.overflow) });
  const upLane = makeLane({ from: "client", outbox: toServer });
  const up = moveUp({
    lane: upLane,
    outbox: toServer,
    scheduler,
    unreadRefusal: () => unreadRefusal,
    whenDecided: () => judge.whenDecided(),
    onEof: () => {
      deadline.noteEof();
      judge.noteEof();
    },
  });
  const downLane = makeLane({ from: "server", outbox: toClient });
  return {
    up,
    lanes: [upLane, downLane],
    down: new Downstream({
      source: streams.stdout,
      lane: downLane,
      outbox: toClient,
      scheduler,
      whenDecided: () => judge.whenDecided(),
    }),
  };
}

type UpstreamContext = {
  readonly lane: Lane;
  readonly outbox: Outbox;
  readonly scheduler: LineScheduler;
  readonly unreadRefusal: () => Promise<void> | undefined;
  readonly whenDecided: () => Promise<void> | undefined;
  readonly onEof: () => void;
};

async function moveUp(context: UpstreamContext): Promise<void> {
  const { lane, outbox, scheduler, unreadRefusal, whenDecided, onEof } = context;
  const source = openStdin();
  const target = {
    // Slows down a client that sends calls faster than it reads their refusals.
    push: async (chunk: Uint8Array): Promise<void> => {
      await lane.push(chunk);
      await unreadRefusal();
    },
    end: () => lane.end(),
  };
  await pump(source, target, scheduler, () => outbox.isBroken);
  await whenDecided();
  onEof();
  await whenDecided();
  if (outbox.isBroken) closeQuietly(0);
  await outbox.end();
}

type DownstreamContext = {
  readonly source: ChunkReader;
  readonly lane: Pick<Lane, "push" | "end">;
  readonly outbox: Outbox;
  readonly scheduler: LineScheduler;
  readonly whenDecided: () => Promise<void> | undefined;
};

export class Downstream {
  readonly #context: DownstreamContext;
  #deliveredMs = performance.now();
  #isDelivering = false;

  constructor(context: DownstreamContext) {
    this.#context = context;
  }

  async move(): Promise<void> {
    const { source, lane, outbox, scheduler, whenDecided } = this.#context;
    const target = {
      push: (chunk: Uint8Array) => this.#deliver(() => lane.push(chunk)),
      end: () => this.#deliver(() => lane.end()),
    };
    await pump(source, target, scheduler, () => outbox.isBroken);
    // If the client stopped reading, the server's next write gets SIGPIPE, as it would without us.
    if (outbox.isBroken) await source.cancel().catch(() => undefined);
    await this.#deliver(whenDecided);
    await this.#deliver(() => outbox.end());
    closeQuietly(1);
  }

  /** Delivers a line without a newline, because its end will not come. */
  async endLine(): Promise<void> {
    await this.#deliver(() => this.#context.lane.end());
  }

  async #deliver(act: () => Promise<void> | undefined): Promise<void> {
    this.#isDelivering = true;
    await act();
    this.#isDelivering = false;
    this.#deliveredMs = performance.now();
  }

  get delivery(): DeliveryState {
    const { isWaiting, lastProgressMs } = this.#context.outbox;
    const waiting = isWaiting ? "waits-for-client" : "waits-for-judge";
    return {
      kind: this.#isDelivering ? waiting : "idle",
      lastProgressMs: Math.max(this.#deliveredMs, lastProgressMs),
    };
  }
}

// `pump` yields after this number of chunks, not after a time: a clock cannot distinguish work from waiting.
const turnChunksMax = 16;

export type ChunkSource = {
  read(): Promise<{ readonly value?: Uint8Array | undefined }>;
};

type ChunkTarget = {
  push(chunk: Uint8Array): Promise<void> | undefined;
  end(): Promise<void> | undefined;
};

export async function pump(
  source: ChunkSource,
  target: ChunkTarget,
  scheduler: LineScheduler,
  isBroken: () => boolean,
): Promise<void> {
  let moved = 0;
  for (let chunk = await readNext(source); chunk; chunk = await readNext(source)) {
    await target.push(chunk);
    if (isBroken()) return;
    moved += 1;
    if (moved % turnChunksMax === 0) await scheduler.nextTurn();
  }
  await target.end();
}

async function readNext(source: ChunkSource): Promise<Uint8Array | undefined> {
  try {
    const { value } = await source.read();
    return value;
  } catch {
    return undefined;
  }
}

export type LaneContext = {
  readonly from: Side;
  readonly outbox: Outbox;
  readonly judge: Pick<Judge, "judgeLine" | "holds" | "countPassed" | "whenCaughtUp" | "skip">;
  readonly scheduler: LineScheduler;
  readonly overflow: OverflowFile;
};

type JudgedLine = { readonly line: Line; readonly verdict: LineVerdict };

// An open lane forwards, then judges; a holding lane judges first. A lane changes its state only between two lines.
export class Lane {
  readonly #from: Side;
  readonly #outbox: Outbox;
  readonly #scheduler: LineScheduler;
  readonly #judge: LaneContext["judge"];
  readonly #overflow: OverflowFile;
  readonly #splitter: LineSplitter;
  #isHolding = false;

  constructor({ from, outbox, scheduler, judge, overflow }: LaneContext) {
    this.#from = from;
    this.#outbox = outbox;
    this.#scheduler = scheduler;
    this.#judge = judge;
    this.#overflow = overflow;
    // Only a held line goes to the overflow file, because an open lane forwards each chunk as it arrives.
    const append = (bytes: Uint8Array): void => {
      if (this.#isHolding) overflow.append(bytes);
    };
    this.#splitter = new LineSplitter(lineObservedBytesMax, { append });
  }

  push(chunk: Uint8Array): Promise<void> | undefined {
    if (this.#splitter.isAtBoundary) this.#isHolding = this.#judge.holds(this.#from);
    return this.#isHolding
      ? this.#pushHeld(this.#splitter.pushGrouped(chunk))
      : this.#pushOpen(chunk, this.#splitter.pushGrouped(chunk));
  }

  end(): Promise<void> | undefined {
    const last = this.#splitter.end();
    if (!last) return undefined;
    if (this.#isHolding) return this.#pushHeld([last]);
    const at = now();
    if (this.#mustDefer([last])) void this.#scheduler.defer(() => this.#judgeMany([last], at));
    else this.#judge.judgeLine(this.#from, last, true);
    return undefined;
  }

  // Nothing more is read, so the forwarded part of an unfinished line is not judged.
  skipUnfinished(): void {
    const unfinished = this.#splitter.end();
    if (unfinished && !this.#isHolding) this.#judge.skip(unfinished.size);
  }

  #pushOpen(chunk: Uint8Array, lines: readonly Line[]): Promise<void> | undefined {
    const writing = this.#outbox.write(chunk);
    if (this.#mustDefer(lines)) {
      const forwarded = { from: this.#from, bytes: sumMemory(lines) };
      const at = now();
      void this.#scheduler.defer(() => this.#judgeMany(lines, at), forwarded);
    } else {
      for (const line of lines) this.#judge.judgeLine(this.#from, line, true);
    }
    // A burst passes at once and is judged later; only a flood waits.
    return waitForBoth(writing, this.#scheduler.whenCaughtUp(this.#from));
  }

  #mustDefer(lines: readonly Line[]): boolean {
    if (lines.length === 0) return false;
    if (lines.length > linesPerTurnCheck || this.#scheduler.isBusy) return true;
    return this.#judge.whenCaughtUp() !== undefined;
  }

  async #judgeMany(lines: readonly Line[], at: Instant): Promise<void> {
    for (const [index, line] of lines.entries()) {
      const caughtUp = this.#judge.whenCaughtUp();
      if (caughtUp) await caughtUp;
      this.#judge.judgeLine(this.#from, line, true, at);
      if (index % linesPerTurnCheck === 0 && this.#scheduler.shouldYield)
        await this.#scheduler.nextTurn();
    }
  }

  #pushHeld(lines: readonly Line[]): Promise<void> | undefined {
    if (this.#mustDefer(lines) || lines.some((line) => !line.bytes)) {
      return this.#passMany(lines);
    }
    const writing = this.#outbox.write(
      joinBytes(lines.flatMap((line) => listForwardedBytes(this.#judgeHeld(line)))),
    );
    this.#judge.countPassed(lines.length);
    return waitForBoth(writing, this.#judge.whenCaughtUp());
  }

  // Judges in the scheduler's queue, but writes outside it, so that a slow reader does not block the other direction.
  async #passMany(lines: readonly Line[]): Promise<void> {
    const judged: JudgedLine[] = [];
    await this.#scheduler.defer(async () => {
      for (const [index, line] of lines.entries()) {
        judged.push(this.#judgeHeld(line));
        if (index % linesPerTurnCheck === 0 && this.#scheduler.shouldYield)
          await this.#scheduler.nextTurn();
      }
    });
    for (const group of groupForWriting(judged)) {
      for (const { line, verdict } of group) {
        // A line without `bytes` is in the overflow file. The file must be emptied even if the line does not pass.
        if (!line.bytes) await this.#overflow.drain(verdict === true ? this.#outbox : undefined);
      }
      const bytes = group.flatMap(listForwardedBytes);
      if (bytes.length > 0) await this.#outbox.write(joinBytes(bytes));
      this.#judge.countPassed(group.length);
    }
    await this.#judge.whenCaughtUp();
  }

  #judgeHeld(line: Line): JudgedLine {
    return { line, verdict: this.#judge.judgeLine(this.#from, line, false) };
  }
}

function* groupForWriting(judged: readonly JudgedLine[]): Generator<readonly JudgedLine[]> {
  let group: JudgedLine[] = [];
  let size = 0;
  for (const entry of judged) {
    const isInFile = entry.line.bytes === undefined;
    if (group.length > 0 && (isInFile || size >= forwardedReadBytesMax)) {
      yield group;
      group = [];
      size = 0;
    }
    group.push(entry);
    size += isInFile ? Infinity : entry.line.size;
  }
  if (group.length > 0) yield group;
}

function listForwardedBytes({ line, verdict }: JudgedLine): readonly Uint8Array[] {
  if (verdict === true) return line.bytes ? [line.bytes] : [];
  return verdict === false ? [] : verdict;
}

function sumMemory(lines: readonly Line[]): number {
  return lines.reduce(
    (sum, { bytes }) => sum + (bytes?.length ?? 0),
    lines.length * lineOverheadBytes,
  );
}

function waitForBoth(
  a: Promise<void> | undefined,
  b: Promise<void> | undefined,
): Promise<void> | undefined {
  return a && b ? Promise.all([a, b]).then(() => undefined) : (a ?? b);
}

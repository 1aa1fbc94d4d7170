import { closePipe, openPipe, isSocket, reopenPipe } from "#kit/os/pipe.ts";
import { loadC } from "#kit/os/c-library.ts";
import type { Child } from "#kit/os/child.ts";
import { closeQuietly } from "#kit/os/file-errors.ts";
import type { ForwarderMessage, ForwarderSetup } from "../forwarder/thread.ts";
import {
  type DeliveryState,
  type DeliveryDeadline,
  judgeRemaining,
  waitForSilence,
} from "./leaving-deadline.ts";
import {
  readMonotonicMs,
  deliveryState,
  makeSharedMemory,
  threadState,
  wordIndex,
  type SharedMemory,
} from "../forwarder/shared-memory.ts";
import { PublishedReader, type PublishedRecord } from "../forwarder/published-reader.ts";
import type { PortDescriptors } from "../forwarder/publisher.ts";
import type { Forwarding, ForwardingContext } from "./pump-forwarding.ts";
import type { Instant } from "#meter/calls/call.ts";
import { lineObservedBytesMax } from "#kit/limits.ts";
import { nameError } from "#kit/errors.ts";
import { type Line, LineSplitter } from "#wire/line.ts";
import type { Side } from "#wire/message.ts";
import { type Judge, linesPerTurnCheck, now, Turn } from "./judge.ts";

export const saveCatchUpMaxMs = 50;

export const threadStartMaxMs = 2_000;

const threadStopMaxMs = 1_000;

// Five pipes take ten descriptors, twice as many as a thread needs.
const probePipes = 5;

export type StartingThread = {
  readonly begun: Promise<Forwarding | undefined>;
  abandon(): void; // prevents the thread from forwarding, unless forwarding has begun
};

// Forwards on a separate thread, so that the judge cannot delay the traffic. Undefined if no thread can be used.
export function startForwardingThread(
  { ends }: Pick<Child, "ends">,
  context: ForwardingContext,
): StartingThread | undefined {
  if (!ends || !hasSpareDescriptors()) return undefined;
  const [fromClient, toClient] = [reopen(0, "read"), reopen(1, "write")];
  const stop = openPipe("linux");
  const release = (): void => {
    for (const end of [fromClient, toClient]) {
      if (end && end.ownFd !== end.fd) closeQuietly(end.ownFd);
    }
    if (stop) closePipe(stop);
  };
  if (!fromClient || !toClient || !stop) {
    release();
    return undefined;
  }
  const setup = {
    fromClient,
    toClient,
    toServer: makePortDescriptors(ends.stdin),
    fromServer: makePortDescriptors(ends.stdout),
    stopFd: stop.readEnd,
    spoolPath: context.scratch.spool(),
    clockOffsetMs: performance.now() - readMonotonicMs(loadC()),
  };
  return new ForwardingThread(setup, context, {
    stop: () => closeQuietly(stop.writeEnd),
    release,
  });
}

// The runtime aborts the process if it lacks descriptors for a thread.
function hasSpareDescriptors(): boolean {
  const pipes = Array.from({ length: probePipes }, () => openPipe("linux"));
  for (const pipe of pipes) if (pipe) closePipe(pipe);
  return !pipes.includes(undefined);
}

function makePortDescriptors(end: {
  readonly fd: number;
  readonly isSocket: boolean;
}): PortDescriptors {
  return { ...end, ownFd: end.fd };
}

// Opens a pipe again, because O_NONBLOCK on `fd` would affect all processes that share `fd`. A socket is not opened
// again: each call on a socket can be non-blocking by itself.
export function reopen(fd: number, access: "read" | "write"): PortDescriptors | undefined {
  if (isSocket(fd)) return { fd, ownFd: fd, isSocket: true };
  const ownFd = reopenPipe(fd, access);
  return ownFd === undefined ? undefined : { fd, ownFd, isSocket: false };
}

type DescriptorActions = {
  readonly stop: () => void;
  // Closes the descriptors of a thread that never began.
  readonly release: () => void;
};

class ForwardingThread implements StartingThread, Forwarding {
  readonly #memory = makeSharedMemory();
  readonly #context: ForwardingContext;
  readonly #descriptors: DescriptorActions;
  readonly #feed: JudgeFeed;
  readonly #begun = Promise.withResolvers<Forwarding | undefined>();
  readonly #serverOutputEnded = Promise.withResolvers<void>();
  readonly #failed = Promise.withResolvers<never>();
  readonly #stopped = Promise.withResolvers<void>();
  #hasClientEnded = false;
  #isServerSilent = false;

  constructor(
    setup: Omit<ForwarderSetup, "buffer">,
    context: ForwardingContext,
    descriptors: DescriptorActions,
  ) {
    this.#context = context;
    this.#descriptors = descriptors;
    this.#feed = new JudgeFeed({
      memory: this.#memory,
      reader: new PublishedReader(this.#memory),
      judge: context.judge,
    });
    this.#failed.promise.catch(() => undefined);
    const worker = new Worker(resolveThreadUrl());
    worker.addEventListener("message", ({ data }: { readonly data: ForwarderMessage }) =>
      this.#take(data),
    );
    worker.addEventListener("error", ({ message }) => this.#failWith(new Error(message)));
    // A thread that hangs at its start must not stop the traffic.
    const startTimer = setTimeout(() => this.abandon(), threadStartMaxMs);
    void this.#begun.promise.then(() => clearTimeout(startTimer));
    const completeSetup: ForwarderSetup = { ...setup, buffer: this.#memory.buffer };
    worker.postMessage(completeSetup, []);
  }

  get begun(): Promise<Forwarding | undefined> {
    return this.#begun.promise;
  }

  get serverOutputEnded(): Promise<void> {
    return this.#serverOutputEnded.promise;
  }

  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  abandon(): void {
    const { words } = this.#memory;
    const { starting, abandoned } = threadState;
    const before = Atomics.compareExchange(words, wordIndex.state, starting, abandoned);
    if (before !== starting) return;
    this.#descriptors.release();
    this.#begun.resolve(undefined);
  }

  async waitForSilence(): Promise<void> {
    await waitForSilence(() => this.#delivery, this.#context.deadline);
    this.#isServerSilent = this.#delivery.kind === "idle";
  }

  giveUp(): void {
    this.#feed.giveUp();
  }

  saveNow(): void {
    void this.#saveAll();
  }

  async finish(): Promise<void> {
    this.#descriptors.stop();
    await Promise.race([this.#stopped.promise, Bun.sleep(threadStopMaxMs)]);
    const { deadline, judge } = this.#context;
    const { isClientLeaving } = deadline;
    const isServerSilent = this.#isServerSilent;
    await judgeRemaining(this.#feed.finish({ isClientLeaving, isServerSilent }), judge);
  }

  #take(message: ForwarderMessage): void {
    if (message === "forwards") this.#begun.resolve(this);
    if (message === "stopped") this.#stopped.resolve();
    if (message === "wake") this.#feed.wake();
    if (message === "ended") this.#noteEndedSides();
  }

  #noteEndedSides(): void {
    const { words } = this.#memory;
    this.#feed.wake();
    if (Atomics.load(words, wordIndex.clientEnded) === 1 && !this.#hasClientEnded) {
      this.#hasClientEnded = true;
      this.#context.deadline.noteEof();
      // After the client has closed our input, it may kill us at any time.
      void this.#saveAll();
    }
    if (Atomics.load(words, wordIndex.serverEnded) === 1) this.#serverOutputEnded.resolve();
  }

  async #saveAll(): Promise<void> {
    await this.#feed.catchUp(saveCatchUpMaxMs);
    this.#context.judge.saveNow();
  }

  #failWith(error: Error): void {
    this.abandon();
    this.#failed.reject(error);
    this.#stopped.resolve();
  }

  get #delivery(): DeliveryState {
    const { words, lastProgressMs } = this.#memory;
    const state = Atomics.load(words, wordIndex.delivery);
    const waiting = state === deliveryState.waitsForJudge ? "waits-for-judge" : "waits-for-client";
    return {
      kind: state === deliveryState.idle ? "idle" : waiting,
      lastProgressMs: lastProgressMs[0] ?? 0,
    };
  }
}

// In the compiled executable, this module is at the root of `/$bunfs`. `thread.js` is an entry point, so it keeps its
// folder.
function resolveThreadUrl(): URL {
  const isBundled = import.meta.url.includes("/$bunfs/");
  const path = isBundled ? "./transport/forwarder/thread.js" : "../forwarder/thread.ts";
  return new URL(path, import.meta.url);
}

type FeedContext = {
  readonly memory: SharedMemory;
  readonly reader: Pick<PublishedReader, "next" | "truncateSpool">;
  readonly judge: Pick<Judge, "judgeLine" | "whenCaughtUp" | "noteEof" | "skip" | "noteFault">;
};

type FeedEnd = Pick<DeliveryDeadline, "isClientLeaving"> & {
  readonly isServerSilent?: boolean; // the server has ended: no more bytes of its last line will come
};

export class JudgeFeed {
  readonly #context: FeedContext;
  readonly #turn = new Turn();
  readonly #splitters: Readonly<Record<Side, LineSplitter>> = {
    client: new LineSplitter(lineObservedBytesMax),
    server: new LineSplitter(lineObservedBytesMax),
  };
  #isJudging = false;
  #isGivingUp = false;
  #judging: Promise<void> | undefined;

  constructor(context: FeedContext) {
    this.#context = context;
    this.#store(wordIndex.wantsWakeUp, 1);
  }

  wake(): void {
    if (!this.#isJudging) this.#judging = this.#judgeAll();
  }

  async catchUp(maxMs: number): Promise<void> {
    this.wake();
    await Promise.race([this.#judging, Bun.sleep(maxMs)]);
  }

  giveUp(): void {
    this.#isGivingUp = true;
  }

  // Call this when nothing more is published.
  async finish({ isClientLeaving, isServerSilent = false }: FeedEnd): Promise<void> {
    while (this.#isJudging) await this.#judging;
    // Records may have been published between the last read and the thread's stop.
    await this.#judgeAll();
    const last = isServerSilent ? this.#splitters.server.end() : undefined;
    if (last) await this.#judgeLines("server", [last], now());
    // If the client is leaving, we may have stopped in the middle of a line. The bytes read from it count as skipped.
    if (!isClientLeaving) return;
    for (const splitter of Object.values(this.#splitters)) this.#skip(splitter.end()?.size);
  }

  #skip(bytes: number = 0): void {
    if (bytes > 0) this.#context.judge.skip(bytes);
  }

  async #judgeAll(): Promise<void> {
    this.#isJudging = true;
    this.#turn.begin();
    try {
      for (let record = this.#next(); record; record = this.#next()) {
        await this.#judge(record);
        if (this.#turn.isLong) await this.#turn.next();
      }
      this.#context.reader.truncateSpool();
    } catch (error) {
      // The forwarding thread must not wait for a failed judge.
      this.#store(wordIndex.hasJudgeFailed, 1);
      this.#context.judge.noteFault("the forwarded lines", nameError(error));
    } finally {
      this.#isJudging = false;
    }
  }

  // If there is no record, asks to be woken, then reads again: a record may have arrived in the meantime.
  #next(): PublishedRecord | undefined {
    const { reader } = this.#context;
    const record = reader.next();
    if (record) return record;
    this.#store(wordIndex.wantsWakeUp, 1);
    const late = reader.next();
    if (late) this.#store(wordIndex.wantsWakeUp, 0);
    return late;
  }

  async #judge({ from, bytes, isCut, atMs }: PublishedRecord): Promise<void> {
    const at = { monoMs: atMs, wallMs: Date.now() - (performance.now() - atMs) };
    const splitter = this.#splitters[from];
    if (this.#isGivingUp) {
      this.#skip((splitter.end()?.size ?? 0) + (bytes?.length ?? 0));
      return;
    }
    if (bytes) {
      await this.#judgeLines(from, splitter.pushGrouped(bytes), at);
      return;
    }
    const last = isCut ? undefined : splitter.end();
    if (last) await this.#judgeLines(from, [last], at);
    if (from === "client") this.#context.judge.noteEof();
  }

  async #judgeLines(from: Side, lines: readonly Line[], at: Instant): Promise<void> {
    const { judge } = this.#context;
    for (const [index, line] of lines.entries()) {
      const caughtUp = judge.whenCaughtUp();
      if (caughtUp) await caughtUp;
      judge.judgeLine(from, line, true, at);
      if (index % linesPerTurnCheck === 0 && this.#turn.isLong) await this.#turn.next();
    }
  }

  #store(index: number, value: number): void {
    Atomics.store(this.#context.memory.words, index, value);
  }
}

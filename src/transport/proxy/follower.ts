import type { Instant } from "#meter/calls/call.ts";
import { lineObservedBytesMax } from "#kit/limits.ts";
import { turnCheckLines } from "../limits.ts";
import { type Line, LineSplitter } from "#wire/line.ts";
import type { Side } from "#wire/message.ts";
import type { Judge } from "./judge.ts";
import type { Passed, PassedReader } from "../forwarder/passed-reader.ts";
import { type SharedMemory, word } from "../forwarder/shared-memory.ts";
import { Turn } from "./turn.ts";

type FollowerContext = {
  readonly memory: SharedMemory;
  readonly reader: Pick<PassedReader, "next" | "truncateSpool">;
  readonly judge: Pick<Judge, "line" | "room" | "eof" | "skip" | "note">;
};

// Judges lines in order, some milliseconds after they were forwarded.
export class Follower {
  readonly #context: FollowerContext;
  readonly #turn = new Turn();
  readonly #splitters: Readonly<Record<Side, LineSplitter>> = {
    client: new LineSplitter(lineObservedBytesMax),
    server: new LineSplitter(lineObservedBytesMax),
  };
  #isTaking = false;
  #isGivingUp = false;
  #taken: Promise<void> | undefined;

  constructor(context: FollowerContext) {
    this.#context = context;
    this.#store(word.isAsleep, 1);
  }

  wake(): void {
    if (!this.#isTaking) this.#taken = this.#takeAll();
  }

  async catchUp(maxMs: number): Promise<void> {
    this.wake();
    await Promise.race([this.#taken, Bun.sleep(maxMs)]);
  }

  // Skips everything forwarded from now on.
  giveUp(): void {
    this.#isGivingUp = true;
  }

  // Resolves when everything is judged. Nothing may be published any more.
  async finish({ isLeaving }: { readonly isLeaving: boolean }): Promise<void> {
    while (this.#isTaking) await this.#taken;
    // Published between the last read and the thread's stop.
    await this.#takeAll();
    // If the client stays, it will learn that its server took half a line.
    if (!isLeaving) return;
    for (const splitter of Object.values(this.#splitters)) this.#skip(splitter.end()?.size);
  }

  #skip(bytes: number = 0): void {
    if (bytes > 0) this.#context.judge.skip(bytes);
  }

  async #takeAll(): Promise<void> {
    this.#isTaking = true;
    this.#turn.begin();
    try {
      for (let passed = this.#next(); passed; passed = this.#next()) {
        await this.#judge(passed);
        if (this.#turn.isLong) await this.#turn.next();
      }
      this.#context.reader.truncateSpool();
    } catch (error) {
      // Otherwise the traffic would wait for space that is never freed.
      this.#store(word.hasJudgeFailed, 1);
      this.#context.judge.note(
        "the forwarded lines",
        error instanceof Error ? error.name : "unknown",
      );
    } finally {
      this.#isTaking = false;
    }
  }

  // Asks the thread to wake us, then checks again: it may have published a record before it could know.
  #next(): Passed | undefined {
    const { reader } = this.#context;
    const passed = reader.next();
    if (passed) return passed;
    this.#store(word.isAsleep, 1);
    const late = reader.next();
    if (late) this.#store(word.isAsleep, 0);
    return late;
  }

  async #judge({ from, bytes, isCut, atMs }: Passed): Promise<void> {
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
    if (from === "client") this.#context.judge.eof();
  }

  async #judgeLines(from: Side, lines: readonly Line[], at: Instant): Promise<void> {
    const { judge } = this.#context;
    for (const [index, line] of lines.entries()) {
      const room = judge.room();
      if (room) await room;
      judge.line(from, line, true, at);
      if (index % turnCheckLines === 0 && this.#turn.isLong) await this.#turn.next();
    }
  }

  #store(index: number, value: number): void {
    Atomics.store(this.#context.memory.words, index, value);
  }
}

import type { MeterEvent } from "#meter/session/event.ts";
import { Meter } from "#meter/session/meter.ts";
import type { MeterRecord } from "#records/record.ts";
import { LineSplitter } from "#wire/line.ts";
import type { Side } from "#wire/message.ts";
import { chunksOf, concat } from "../support/bytes.ts";
import { plainReader } from "../support/plain-reader.ts";
import { meterOptions } from "../support/play.ts";
import { Random } from "../../scripts/fuzz/contents.ts";
import { Script, type Spoken } from "./script.ts";
import { Truth } from "./truth.ts";

export type Session = {
  readonly events: readonly MeterEvent[];
  readonly records: readonly MeterRecord[];
  readonly truth: Truth;
};

export function play(seed: number, cutSeed: number = seed): Session {
  const random = new Random(seed);
  const observedMax = random.chance(0.3) ? 300 + random.below(2_000) : 8 * 1024 * 1024;
  const script = new Script(random);
  const truth = new Truth();
  const stage = new Stage(new Random(cutSeed ^ 0x5f5f), observedMax);
  for (const run of runsOf(script.spoken)) {
    const lines = run.map(bytesOfSpoken);
    for (const line of lines) truth.hear(run[0]?.from ?? "client", line, observedMax);
    stage.deliver(run[0]?.from ?? "client", concat(lines));
  }
  stage.end();
  truth.end();
  return { events: stage.events, records: stage.records, truth };
}

export function replay(events: readonly MeterEvent[]): readonly MeterRecord[] {
  const meter = newMeter();
  return events.flatMap((event) => meter.judge(event).records);
}

function newMeter(): Meter {
  return new Meter(meterOptions({ readerFor: (client) => plainReader(client, "words") }));
}

class Stage {
  readonly events: MeterEvent[] = [];
  readonly records: MeterRecord[] = [];
  readonly #meter = newMeter();
  readonly #random: Random;
  #lines = 0;
  readonly #splitters: { readonly client: LineSplitter; readonly server: LineSplitter };

  constructor(random: Random, observedMax: number) {
    this.#random = random;
    this.#splitters = {
      client: new LineSplitter(observedMax),
      server: new LineSplitter(observedMax),
    };
  }

  deliver(from: Side, bytes: Uint8Array): void {
    const cuts = Array.from({ length: this.#random.below(6) }, () =>
      this.#random.below(bytes.length),
    );
    for (const chunk of chunksOf(bytes, cuts)) {
      for (const line of this.#splitters[from].push(chunk))
        this.#step({ kind: "line", from, line });
      if (this.#random.chance(0.3)) this.#step({ kind: "work" });
    }
  }

  end(): void {
    for (let turns = 0; this.#meter.backlog > 0 && turns < 10_000; turns += 1)
      this.#step({ kind: "work" });
    this.#step({ kind: "end", exitCode: 0, signal: null, droppedRecords: 0, observerFaults: 0 });
  }

  #step(event: Untimed): void {
    if (event.kind === "line") this.#lines += 1;
    const monoMs = this.#lines;
    const timed = { ...event, at: { monoMs, wallMs: Date.UTC(2026, 8, 1) + monoMs } };
    this.events.push(timed);
    this.records.push(...this.#meter.judge(timed).records);
  }
}

type Untimed = MeterEvent extends infer One
  ? One extends MeterEvent
    ? Omit<One, "at">
    : never
  : never;

function runsOf(spoken: readonly Spoken[]): Spoken[][] {
  const runs: Spoken[][] = [];
  for (const one of spoken) {
    const last = runs.at(-1);
    if (last?.[0]?.from === one.from) last.push(one);
    else runs.push([one]);
  }
  return runs;
}

function bytesOfSpoken(spoken: Spoken): Uint8Array {
  if (spoken.kind === "noise") return spoken.bytes;
  const value = spoken.kind === "batch" ? spoken.messages : spoken.message;
  return new TextEncoder().encode(`${JSON.stringify(value)}\n`);
}

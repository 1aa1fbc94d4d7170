/** How many megabytes a second pass in one direction, down to the client and up to the server. */
import type { Bench } from "../bench.ts";
import { comparedOf, type Contestant, contestantsOf, fixture } from "../contestants.ts";
import { interleave } from "../interleave.ts";
import type { Measurement } from "../measurement.ts";
import { notificationLine, pingAnswerLine, pingLine } from "../messages.ts";
import { type Peer, withPeer } from "../peer.ts";
import { peakResidentMb } from "../procfs.ts";
import { newLog } from "../scratch-log.ts";
import { median } from "../statistics.ts";
import { atLeast } from "../verdict.ts";

const LINE_BYTES = 60_000;
const LINES = 5000;
const MB = (LINE_BYTES * LINES) / 1e6;
const LINES_PER_WRITE = 4;
const MB_PER_SECOND_MIN = 150;

interface Flow {
  readonly seconds: number;
  readonly peakMb: number;
}

interface Streamed {
  readonly contestant: Contestant;
  readonly down: number;
  readonly up: number;
  readonly peakMb: number;
}

export async function benchStream(bench: Bench): Promise<Measurement> {
  const rounds = bench.quick ? 1 : 5;
  const series = await interleave(contestantsOf(bench), rounds, async (contestant) => ({
    down: await flowDown(bench, contestant),
    up: await flowUp(bench, contestant),
  }));
  const streamed = series.map(({ contestant, samples }) => ({
    contestant,
    down: MB / median(samples.map(({ down }) => down.seconds)),
    up: MB / median(samples.map(({ up }) => up.seconds)),
    peakMb: Math.max(...samples.flatMap(({ down, up }) => [down.peakMb, up.peakMb])),
  }));
  return measurementOf(streamed, rounds);
}

async function flowDown(bench: Bench, contestant: Contestant): Promise<Flow> {
  const server = fixture("flooding", LINES, LINE_BYTES);
  return timed(bench, contestant, server, async (peer) => {
    await peer.send(Buffer.from(pingLine(1)));
    await peer.drain(LINES * LINE_BYTES);
  });
}

async function flowUp(bench: Bench, contestant: Contestant): Promise<Flow> {
  const server = fixture("swallowing", LINES * LINE_BYTES);
  const block = Buffer.from(notificationLine(LINE_BYTES).repeat(LINES_PER_WRITE));
  return timed(bench, contestant, server, async (peer) => {
    for (let sent = 0; sent < LINES; sent += LINES_PER_WRITE) await peer.send(block);
    await peer.expect(Buffer.from(pingAnswerLine(1)));
  });
}

/** Starts the server, waits until it is ready, and times what `work` does with it. */
async function timed(
  bench: Bench,
  contestant: Contestant,
  server: readonly string[],
  work: (peer: Peer) => Promise<void>,
): Promise<Flow> {
  return withPeer(bench, contestant.wrap(server, newLog(bench)), async (peer) => {
    await peer.line();
    const startedMs = performance.now();
    await work(peer);
    const seconds = (performance.now() - startedMs) / 1000;
    return { seconds, peakMb: peakResidentMb(peer.pid) ?? Number.NaN };
  });
}

function measurementOf(streamed: readonly Streamed[], rounds: number): Measurement {
  const { direct, meter } = comparedOf(streamed);
  return {
    load: "stream",
    caption: `${MB} MB each way in notifications of ${LINE_BYTES / 1000} kB, ${rounds} rounds each, interleaved; medians.`,
    columns: ["down", "of bare", "up", "of bare", "peak memory"],
    rows: streamed.map(({ contestant, down, up, peakMb }) => ({
      contestant: contestant.name,
      figures: [
        { value: down, unit: "MB/s" },
        { value: down / direct.down, unit: "×" },
        { value: up, unit: "MB/s" },
        { value: up / direct.up, unit: "×" },
        { value: peakMb, unit: "MB" },
      ],
    })),
    verdicts: [
      atLeast("down", meter.down, MB_PER_SECOND_MIN, "MB/s"),
      atLeast("up", meter.up, MB_PER_SECOND_MIN, "MB/s"),
    ],
  };
}

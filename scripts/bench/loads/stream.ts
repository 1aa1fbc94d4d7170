/** How many megabytes a second pass in one direction, down to the client and up to the server. */
import type { Bench } from "../bench.ts";
import { type Contestant, fixture, everyRole, listContestants, pick } from "../contestants.ts";
import { interleave } from "../interleave.ts";
import type { Measurement } from "../measurement.ts";
import { notificationLine, pingAnswerLine, pingBytes, pingLine } from "../messages.ts";
import { type Peer, withPeer } from "../peer.ts";
import { peakResidentMb } from "../procfs.ts";
import { newLog } from "../scratch-log.ts";
import { median } from "../statistics.ts";
import { atLeast, atMost } from "../verdict.ts";

const lineBytes = 60_000;
const lineCount = 5000;
const flowMb = (lineBytes * lineCount) / 1e6;
const linesPerWrite = 4;
const mbPerSecondMin = 150;
const peakMbMax = 150;

type Flow = {
  readonly seconds: number;
  readonly peakMb: number;
};

type Streamed = {
  readonly contestant: Contestant;
  readonly down: number;
  readonly up: number;
  readonly peakMb: number;
};

export async function benchStream(bench: Bench): Promise<Measurement> {
  const rounds = bench.quick ? 1 : 5;
  const series = await interleave(
    listContestants(bench, everyRole),
    rounds,
    async (contestant) => ({
      down: await flowDown(bench, contestant),
      up: await flowUp(bench, contestant),
    }),
  );
  const streamed = series.map(({ contestant, samples }) => ({
    contestant,
    down: flowMb / median(samples.map(({ down }) => down.seconds)),
    up: flowMb / median(samples.map(({ up }) => up.seconds)),
    peakMb: Math.max(...samples.flatMap(({ down, up }) => [down.peakMb, up.peakMb])),
  }));
  return summarize(streamed, rounds);
}

async function flowDown(bench: Bench, contestant: Contestant): Promise<Flow> {
  const server = fixture("flooding", lineCount, lineBytes);
  return timed(bench, contestant, server, async (peer) => {
    await peer.send(Buffer.from(pingLine(1)));
    await peer.drain(lineCount * lineBytes);
  });
}

/** A ping at the end asks for the answer: a gated lane keeps back one that nothing has asked for. */
async function flowUp(bench: Bench, contestant: Contestant): Promise<Flow> {
  const server = fixture("swallowing", lineCount * lineBytes + pingBytes);
  const block = Buffer.from(notificationLine(lineBytes).repeat(linesPerWrite));
  return timed(bench, contestant, server, async (peer) => {
    for (let sent = 0; sent < lineCount; sent += linesPerWrite) await peer.send(block);
    await peer.send(Buffer.from(pingLine(1)));
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

function summarize(streamed: readonly Streamed[], rounds: number): Measurement {
  const [direct, meter] = [pick(streamed, "bare"), pick(streamed, "meter")];
  return {
    load: "stream",
    caption: `${flowMb} MB each way in notifications of ${lineBytes / 1000} kB, ${rounds} rounds each, interleaved; medians.`,
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
      atLeast("down", meter.down, mbPerSecondMin, "MB/s"),
      atLeast("up", meter.up, mbPerSecondMin, "MB/s"),
      atMost("peak memory", meter.peakMb, peakMbMax, "MB"),
    ],
  };
}

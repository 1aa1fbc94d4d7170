/** What a wrapper adds to a whole short session, and whether one leaves a process behind. */
import type { Bench } from "../bench.ts";
import { type Contestant, fixture, listContestants, pick, type Role } from "../contestants.ts";
import { interleave } from "../interleave.ts";
import type { Measurement } from "../measurement.ts";
import { listAnswer, linePrefix, listLine } from "../messages.ts";
import { withPeer } from "../peer.ts";
import { isAlive } from "../procfs.ts";
import { dropLog, newLog } from "../scratch-log.ts";
import { median, percentile } from "../statistics.ts";
import { atMost, exactly } from "../verdict.ts";

const roles: readonly Role[] = ["bare", "pipe", "tee", "meter", "unlogged", "older"];
const addedMsMax = 30;
const orphanGraceMs = 500;

type Cycle = {
  /** From spawn to the handshake's answer. */
  readonly connectMs: number;
  /** From spawn to exit. */
  readonly wholeMs: number;
  readonly serverPid: number;
};

type Connected = {
  readonly contestant: Contestant;
  readonly connectMs: number;
  readonly connectP95Ms: number;
  readonly wholeMs: number;
  readonly orphans: number;
};

export async function benchConnect(bench: Bench): Promise<Measurement> {
  const cycles = bench.quick ? 50 : 500;
  const series = await interleave(listContestants(bench, roles), cycles, (one) =>
    cycle(bench, one),
  );
  await Bun.sleep(orphanGraceMs);
  const connected = series.map(({ contestant, samples }) => ({
    contestant,
    connectMs: median(samples.map((sample) => sample.connectMs)),
    connectP95Ms: percentile(
      samples.map((sample) => sample.connectMs),
      95,
    ),
    wholeMs: median(samples.map((sample) => sample.wholeMs)),
    orphans: samples.filter(({ serverPid }) => isAlive(serverPid)).length,
  }));
  return summarize(connected, cycles);
}

/** Spawn, initialize, list the tools, close standard input, wait for the end. */
async function cycle(bench: Bench, contestant: Contestant): Promise<Cycle> {
  const log = newLog(bench);
  const startedMs = performance.now();
  const session = await withPeer(
    bench,
    contestant.wrap(fixture("answering"), log),
    async (peer) => {
      const serverPid = await peer.handshake();
      const connectMs = performance.now() - startedMs;
      await peer.send(Buffer.from(listLine(1)));
      await peer.expect(Buffer.from(`${linePrefix}1${listAnswer}`));
      return { serverPid, connectMs };
    },
  );
  const wholeMs = performance.now() - startedMs;
  dropLog(log);
  return { ...session, wholeMs };
}

function summarize(connected: readonly Connected[], cycles: number): Measurement {
  const [direct, meter] = [pick(connected, "bare"), pick(connected, "meter")];
  return {
    load: "connect",
    caption: `${cycles} sessions each (initialize, list, close), interleaved; medians.`,
    columns: [
      "connect",
      "connect p95",
      "connect added",
      "whole session",
      "session added",
      "orphans",
    ],
    rows: connected.map(({ contestant, connectMs, connectP95Ms, wholeMs, orphans }) => ({
      contestant: contestant.name,
      figures: [
        { value: connectMs, unit: "ms" },
        { value: connectP95Ms, unit: "ms" },
        { value: connectMs - direct.connectMs, unit: "ms" },
        { value: wholeMs, unit: "ms" },
        { value: wholeMs - direct.wholeMs, unit: "ms" },
        { value: orphans, unit: "" },
      ],
    })),
    verdicts: [
      atMost("connect added", meter.connectMs - direct.connectMs, addedMsMax, "ms"),
      exactly("orphans", meter.orphans, 0),
    ],
  };
}

/** Whether twenty meters on one record file keep every line whole, and how much processor each takes. */
import type { Bench } from "../bench.ts";
import { type Contestant, fixture, metered, nodePipe } from "../contestants.ts";
import type { Measurement } from "../measurement.ts";
import { pacedCalls } from "../pace.ts";
import { type Peer, withPeers } from "../peer.ts";
import { peakResidentMb, watchProcessor } from "../procfs.ts";
import { countRecords } from "../records.ts";
import { newLog } from "../scratch-log.ts";
import { median } from "../statistics.ts";
import { exactly, under } from "../verdict.ts";

const peerCount = 20;
/** 100 calls and their 100 answers: 200 messages. */
const callsPerSecond = 100;
const warmSeconds = 1;
const cpuPercentMax = 3;

type Crowd = {
  readonly contestant: Contestant;
  readonly cpuPercents: readonly number[];
  readonly peakMb: number;
};

/** There is no row for the bare server: nothing stands there whose processor time could be read. */
export async function benchSharedLog(bench: Bench): Promise<Measurement> {
  const seconds = bench.quick ? 5 : 20;
  const log = newLog(bench);
  const pipes = await runCrowd(bench, nodePipe, log, seconds);
  const meters = await runCrowd(bench, metered(bench), log, seconds);
  const records = await countRecords(log);
  return {
    load: "shared-log",
    caption: `${peerCount} sessions at once, ${2 * callsPerSecond} messages a second each, for ${seconds} s; the meters on one record file.`,
    columns: ["processor, median", "processor, highest", "peak memory"],
    rows: [pipes, meters].map(({ contestant, cpuPercents, peakMb }) => ({
      contestant: contestant.name,
      figures: [
        { value: median(cpuPercents), unit: "%" },
        { value: Math.max(...cpuPercents), unit: "%" },
        { value: peakMb, unit: "MB" },
      ],
    })),
    verdicts: [
      under("processor of each", Math.max(...meters.cpuPercents), cpuPercentMax, "%"),
      exactly("torn lines", records.torn, 0),
      exactly(
        "calls recorded exactly once",
        records.once,
        peerCount * callsPerSecond * (seconds + warmSeconds),
      ),
    ],
  };
}

async function runCrowd(
  bench: Bench,
  contestant: Contestant,
  log: string,
  seconds: number,
): Promise<Crowd> {
  const command = contestant.wrap(fixture("answering"), log);
  return withPeers(bench, Array<readonly string[]>(peerCount).fill(command), async (peers) => {
    await Promise.all(peers.map((peer) => peer.handshake()));
    const cpuPercents = await Promise.all(peers.map((peer, at) => cpuPercentOf(peer, at, seconds)));
    const peaks = peers.map((peer) => peakResidentMb(peer.pid) ?? Number.NaN);
    return {
      contestant,
      cpuPercents,
      peakMb: Math.max(...peaks),
    };
  });
}

/** The processor of one wrapper, in percent of one core, after a second to warm up; the sessions are out of step. */
async function cpuPercentOf(peer: Peer, at: number, seconds: number): Promise<number> {
  await Bun.sleep((at * 1000) / callsPerSecond / peerCount);
  await pacedCalls(peer, { perSecond: callsPerSecond, seconds: warmSeconds });
  const cpuPercent = watchProcessor(peer.pid);
  await pacedCalls(peer, {
    perSecond: callsPerSecond,
    seconds,
    firstId: callsPerSecond * warmSeconds + 1,
  });
  return cpuPercent();
}

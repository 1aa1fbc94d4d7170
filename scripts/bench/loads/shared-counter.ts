/** Whether a hundred meters that start at once, and twenty of which half are killed, keep one shared limit. */
import type { Bench } from "../bench.ts";
import { fixture } from "../contestants.ts";
import type { Measurement } from "../measurement.ts";
import { callLine } from "../messages.ts";
import { Peer, withPeers } from "../peer.ts";
import { median, sum } from "../statistics.ts";
import { atMost, exactly } from "../verdict.ts";

const startedCount = 100;
const startLimit = 60;
const crowdCount = 20;
const crowdLimit = 1_000;
const callsPerPeer = 100;
/** Of each killed meter one call is open and one advance may be taken: an eighth of the room at most. */
const lostMax = crowdLimit / 4;
const lifetimeMaxMs = 60_000;

type Run = { readonly passed: number; readonly seconds: number };

export async function benchSharedCounter(bench: Bench): Promise<Measurement> {
  const rounds = bench.quick ? 2 : 10;
  const starts: Run[] = [];
  const crowds: Run[] = [];
  for (let round = 0; round < rounds; round += 1) {
    starts.push(await startAtOnce(bench, `start ${round}`));
    crowds.push(await killHalf(bench, `crowd ${round}`));
  }
  const passedOf = (runs: readonly Run[]): number[] => runs.map(({ passed }) => passed);
  return {
    load: "shared-counter",
    caption: `${startedCount} meters that start at once with ${startLimit} calls per day, ${crowdCount} with ${crowdLimit.toLocaleString("en-US")} of which half are killed; ${rounds} rounds each.`,
    columns: ["median", "slowest", "fewest calls", "most calls"],
    rows: [
      { contestant: `${startedCount} starts`, figures: figuresOf(starts) },
      { contestant: `${crowdCount} meters, half killed`, figures: figuresOf(crowds) },
    ],
    verdicts: [
      exactly("fewest calls after the starts", Math.min(...passedOf(starts)), startLimit),
      exactly("most calls after the starts", Math.max(...passedOf(starts)), startLimit),
      atMost("most calls of a crowd", Math.max(...passedOf(crowds)), crowdLimit, ""),
      atMost("calls lost by kills", crowdLimit - Math.min(...passedOf(crowds)), lostMax, ""),
    ],
  };
}

function figuresOf(runs: readonly Run[]): Measurement["rows"][number]["figures"] {
  const seconds = runs.map((run) => run.seconds);
  const passed = runs.map((run) => run.passed);
  return [
    { value: median(seconds), unit: "s" },
    { value: Math.max(...seconds), unit: "s" },
    { value: Math.min(...passed), unit: "" },
    { value: Math.max(...passed), unit: "" },
  ];
}

/** The command of a meter whose counter is shared by all with that server name. */
function command(bench: Bench, server: string, limit: number): readonly string[] {
  const options = ["--log", "off", "--summary", "off", "--exit-code", "child", "--server", server];
  const budget = ["--budget", `${limit}calls/day`];
  return [bench.meter, ...options, ...budget, "--", ...fixture("answering")];
}

async function startAtOnce(bench: Bench, server: string): Promise<Run> {
  const startedMs = performance.now();
  const commands = Array<readonly string[]>(startedCount).fill(command(bench, server, startLimit));
  const passed = await withPeers(
    bench,
    commands,
    async (peers) => sum(await Promise.all(peers.map((peer) => callOften(peer, 1)))),
    lifetimeMaxMs,
  );
  return { passed, seconds: (performance.now() - startedMs) / 1000 };
}

async function killHalf(bench: Bench, server: string): Promise<Run> {
  const startedMs = performance.now();
  const one = command(bench, server, crowdLimit);
  const victims = Array.from({ length: crowdCount / 2 }, () => new Peer(bench, one, lifetimeMaxMs));
  const commands = Array<readonly string[]>(crowdCount / 2).fill(one);
  const passed = await withPeers(
    bench,
    commands,
    async (peers) => {
      const first = Promise.all(victims.map((victim) => killAfter(victim, callsPerPeer / 4)));
      const others = Promise.all(peers.map((peer) => callOften(peer, callsPerPeer)));
      return sum(await first) + sum(await others);
    },
    lifetimeMaxMs,
  );
  return { passed, seconds: (performance.now() - startedMs) / 1000 };
}

/** Kills a meter in the middle of a call. */
async function killAfter(peer: Peer, calls: number): Promise<number> {
  const passed = await callOften(peer, calls);
  await peer.send(Buffer.from(callLine(calls + 1)));
  peer.kill();
  return passed;
}

/** Makes calls one after the other, and returns how many were not refused. */
async function callOften(peer: Peer, calls: number): Promise<number> {
  let passed = 0;
  for (let id = 1; id <= calls; id += 1) {
    await peer.send(Buffer.from(callLine(id)));
    const answer = await peer.line();
    if (!answer.includes('"isError":true')) passed += 1;
  }
  return passed;
}

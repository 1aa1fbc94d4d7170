/**
 * Simulates a fleet that shares counters in one Redis, and extrapolates to a larger one:
 * `bun scripts/simulate-fleet.ts [--meters 200] [--seconds 30] [--redis redis://HOST:PORT]`. Without `--redis` it starts
 * `redis-server` on a free port of the loopback.
 */
import { parseArgs } from "node:util";
import type { Need } from "#budgets/counter.ts";
import { parseRedisAddress } from "#stores/redis/address.ts";
import { RedisConnection } from "#stores/redis/connection.ts";
import { openRedisCounters } from "#stores/redis.ts";
import { RedisServer } from "../test/support/redis.ts";
import { fleet, rounded } from "./simulation/fleet.ts";

/** Assumptions that concern counters alone. */
const assumptions = {
  ...fleet,
  budgetsPerCall: 1,
  /** Milliseconds from a forwarded request to its answer. */
  answerMs: 100,
  tokensPerAnswer: 800,
} as const;

/** Between an answer and the next call of a meter, on average; much less than a person's, to have more calls. */
const pauseMs = 400;

/** People do not begin at the same moment. */
const rampMs = 2_000;

const inputTokens = 50;

const counter = {
  key: JSON.stringify(["simulated", null, null, "tokens", "day", "error"]),
  per: "day",
  limit: 1e12,
} as const;

type Load = { readonly calls: number; readonly refused: number };

function report(sentence: string): void {
  console.error(sentence);
}

/** One session: its counters, and the decisions that wait for their answers. */
class SimulatedSession {
  readonly #stores: ReturnType<typeof openRedisCounters>;
  readonly #waiting = new Set<() => void>();

  constructor(url: string) {
    const place = { address: parseRedisAddress(url), fleet: "simulation" };
    const holder = crypto.randomUUID();
    this.#stores = openRedisCounters(place, { holder, policy: "local", report });
    this.#stores.connect(() => {
      for (const decide of this.#waiting) decide();
    });
  }

  /** One call, from its request to its answer; false when it is refused. */
  async call(): Promise<boolean> {
    const { shared } = this.#stores;
    const { answerMs, tokensPerAnswer } = assumptions;
    await this.#asked({ counter, hold: undefined, amount: inputTokens, isSpent: false });
    const hold = shared.hold(counter, inputTokens, Date.now(), false);
    if (!hold) return false;
    await Bun.sleep(answerMs);
    // An answer is charged by its bytes before it is counted.
    const most = inputTokens + 4 * tokensPerAnswer;
    await this.#asked({ counter, hold, amount: most, isSpent: true });
    const isGranted = shared.resize(hold, most, Date.now(), { isForced: false, isSpent: true });
    if (isGranted) shared.settle(hold, inputTokens + tokensPerAnswer);
    else shared.release(hold);
    return isGranted;
  }

  async close(): Promise<void> {
    await this.#stores.close();
  }

  #asked(need: Need): Promise<void> {
    return new Promise((resolve) => {
      const decide = (): void => {
        if (this.#stores.shared.ask?.(need, Date.now()) === true) return;
        this.#waiting.delete(decide);
        resolve();
      };
      this.#waiting.add(decide);
      decide();
    });
  }
}

/** One session after the other, each with its calls. */
async function simulateMeter(url: string, untilMs: number): Promise<Load> {
  const load = { calls: 0, refused: 0 };
  while (performance.now() < untilMs) {
    const session = new SimulatedSession(url);
    for (let call = 0; call < assumptions.callsPerSession; call += 1) {
      if (performance.now() >= untilMs) break;
      load[(await session.call()) ? "calls" : "refused"] += 1;
      await Bun.sleep(pauseMs * (0.5 + Math.random()));
    }
    await session.close();
  }
  return load;
}

/** Numbers of Redis's own report, by name; of a command, how often it was run for a client. */
async function infoOf(connection: RedisConnection): Promise<(name: string) => number> {
  const text = String(await connection.send(["INFO", "all"]));
  const rows = new Map(
    text.split("\r\n").map((line) => {
      const [name = "", value = ""] = line.split(":");
      return [name, Number(/^calls=(\d+)/.exec(value)?.[1] ?? value)];
    }),
  );
  // A command that was never run has no row.
  return (name) => rows.get(name) ?? 0;
}

type Measured = {
  readonly calls: number;
  readonly refused: number;
  readonly seconds: number;
  /** Runs of the script. */
  readonly changes: number;
  readonly processorSeconds: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly memory: number;
};

async function measure(url: string, meters: number, seconds: number): Promise<Measured> {
  const connection = await RedisConnection.open(parseRedisAddress(url));
  const before = await infoOf(connection);
  const untilMs = performance.now() + seconds * 1000;
  const startedMs = performance.now();
  const played = Array.from({ length: meters }, async (_, index) => {
    await Bun.sleep((index * rampMs) / meters);
    return simulateMeter(url, untilMs);
  });
  const loads = await Promise.all(played);
  const after = await infoOf(connection);
  connection.close();
  const grown = (name: string): number => after(name) - before(name);
  return {
    calls: loads.reduce((sum, load) => sum + load.calls, 0),
    refused: loads.reduce((sum, load) => sum + load.refused, 0),
    seconds: (performance.now() - startedMs) / 1000,
    changes: grown("cmdstat_evalsha"),
    processorSeconds: grown("used_cpu_sys") + grown("used_cpu_user"),
    bytesIn: grown("total_net_input_bytes"),
    bytesOut: grown("total_net_output_bytes"),
    memory: grown("used_memory"),
  };
}

function extrapolate({ calls, changes, processorSeconds, bytesIn, bytesOut }: Measured) {
  const { developers, sessionsPerDay, callsPerSession, workingHours, peakFactor } = assumptions;
  const callsPerDay = developers * sessionsPerDay * callsPerSession;
  const averagePerSecond = callsPerDay / (workingHours * 3600);
  const peakPerSecond = averagePerSecond * peakFactor;
  const perCall = (value: number): number => value / calls;
  return {
    "calls per day": callsPerDay,
    "calls per second, average": averagePerSecond,
    "calls per second, peak": peakPerSecond,
    "changes per second, peak": peakPerSecond * perCall(changes),
    "processor of Redis at the peak, cores": peakPerSecond * perCall(processorSeconds),
    "GB to and from Redis per day": (callsPerDay * perCall(bytesIn + bytesOut)) / 1e9,
  };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      meters: { type: "string", default: "200" },
      seconds: { type: "string", default: "30" },
      redis: { type: "string" },
    },
  });
  const own = values.redis === undefined ? await RedisServer.start() : undefined;
  const measured = await measure(
    own?.url ?? values.redis ?? "",
    Number(values.meters),
    Number(values.seconds),
  );
  await own?.[Symbol.asyncDispose]();
  console.log(`assumed\n${rounded(assumptions)}\n\nmeasured with ${values.meters} meters`);
  console.log(rounded({ ...measured, "changes per call": measured.changes / measured.calls }));
  console.log(`\nextrapolated\n${rounded(extrapolate(measured))}`);
}

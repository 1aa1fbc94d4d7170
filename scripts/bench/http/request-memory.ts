import type { Bench } from "../bench.ts";
import { median } from "../figures.ts";
import { residentMb } from "../processes.ts";
import type { Endpoint } from "./endpoints.ts";
import { callMany } from "./exchanges.ts";
import { HttpSession } from "./http-session.ts";

const callsPerSession = 100;
const settleMs = 1_000;
const readingsEach = 7;

export type RequestMemory = {
  readonly endpoint: Endpoint;
  readonly residentMb: readonly number[];
  readonly calls: number;
};

export function callMarks({ quick }: Bench): readonly [number, number, number] {
  return quick ? [1_000, 5_000, 20_000] : [1_000, 10_000, 100_000];
}

export async function measureMemory(
  bench: Bench,
  endpoints: readonly Endpoint[],
): Promise<readonly RequestMemory[]> {
  const measured: RequestMemory[] = [];
  for (const endpoint of endpoints) {
    const resident: number[] = [];
    let calls = 0;
    for (const mark of callMarks(bench)) {
      for (; calls < mark; calls += callsPerSession) await sessionOfCalls(endpoint.url);
      resident.push(await settledMb(endpoint));
      calls += readingsEach * callsPerSession;
    }
    measured.push({ endpoint, residentMb: resident, calls });
  }
  return measured;
}

async function settledMb({ url, pid }: Endpoint): Promise<number> {
  const readings: number[] = [];
  for (let reading = 0; reading < readingsEach; reading += 1) {
    await sessionOfCalls(url);
    await Bun.sleep(settleMs);
    readings.push(residentMb(pid) ?? Number.NaN);
  }
  return median(readings);
}

async function sessionOfCalls(url: string): Promise<void> {
  const session = await HttpSession.begin(url);
  await callMany(session, callsPerSession);
  await session.end();
}

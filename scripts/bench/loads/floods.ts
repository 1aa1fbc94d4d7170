import { type Bench, makeServerCommand, listContestants, makeLogPath, withPeer } from "../bench.ts";
import { atLeast, type Measurement, median, type Verdict } from "../figures.ts";
import { type Endpoint, withEndpoints } from "../http/endpoints.ts";
import { HttpSession, makeRequestBody } from "../http/http-session.ts";
import { callAnswerLine, floods, floodText } from "../messages.ts";
import { processorMs } from "../processes.ts";
import { watchCalls } from "../records.ts";

const rateMin = 20;

type Front = { readonly name: string; readonly rates: readonly (readonly number[])[] };

type Meter = { readonly pid: number; readonly log: string };

export async function benchFloods(bench: Bench): Promise<Measurement> {
  const fronts = [...(await measureOnStdio(bench)), ...(await measureOverHttp(bench))];
  return {
    caption: `${chooseBytes(bench) / 1e6} MB of each form before the answer to a call, until the record of the call is written; megabytes per second of the meter's processor time, and as a ratio to prose.`,
    columns: fronts.flatMap(({ name }) => [name, "of prose"]),
    rows: floods.map(({ name }, at) => ({
      contestant: name,
      figures: fronts.flatMap((front) => [
        { value: rate(front, at), unit: "MB/s" },
        { value: rate(front, at) / rate(front, 0), unit: "×" },
      ]),
    })),
    verdicts: fronts.map((front): Verdict => {
      const rates = floods.map(({ kind }, at) => (kind === "bytes" ? Infinity : rate(front, at)));
      return atLeast(`${front.name}: slowest form`, Math.min(...rates), rateMin, "MB/s");
    }),
  };
}

function rate({ rates }: Front, at: number): number {
  return median(rates[at] ?? []);
}

const chooseBytes = ({ quick }: Bench): number => (quick ? 1_000_000 : 4_000_000);

async function measureOnStdio(bench: Bench): Promise<readonly Front[]> {
  const fronts: Front[] = [];
  for (const { name, wrap } of listContestants(bench, ["meter", "gated", "older"])) {
    const log = makeLogPath(bench);
    const rates = await withPeer(bench, wrap(makeServerCommand("flood"), log), async (peer) => {
      await peer.handshake();
      return measureRates(bench, { pid: peer.pid, log }, async (id, flood) => {
        const wanted = { flood, bytes: chooseBytes(bench) };
        await peer.send(Buffer.from(`${makeRequestBody(id, wanted)}\n`));
        await peer.drain(floodText(flood, wanted.bytes).length + callAnswerLine(id).length + 1);
      });
    });
    fronts.push({ name, rates });
  }
  return fronts;
}

async function measureOverHttp(bench: Bench): Promise<readonly Front[]> {
  const work = async (endpoints: readonly Endpoint[]): Promise<readonly Front[]> => {
    const fronts: Front[] = [];
    for (const endpoint of endpoints.filter(({ meters }) => meters)) {
      const session = await HttpSession.begin(endpoint.url);
      const rates = await measureRates(bench, endpoint, (_, flood) =>
        session.floodCall({ flood, bytes: chooseBytes(bench) }),
      );
      fronts.push({ name: endpoint.name.replace("mcp-meter", "serve"), rates });
    }
    return fronts;
  };
  return withEndpoints(bench, work, makeServerCommand("flood", 1));
}

async function measureRates(
  bench: Bench,
  { pid, log }: Meter,
  call: (id: number, flood: number) => Promise<void>,
): Promise<Front["rates"]> {
  const rates = floods.map(() => new Array<number>());
  let id = 0;
  for (let round = 0; round < (bench.quick ? 1 : 3); round += 1) {
    for (const [flood, samples] of rates.entries()) {
      id += 1;
      const before = processorMs(pid);
      await call(id, flood);
      await watchCalls(log, id);
      samples.push(chooseBytes(bench) / 1e3 / (processorMs(pid) - before));
    }
  }
  return rates;
}

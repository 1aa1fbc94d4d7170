import { describe, expect, test } from "bun:test";
import { withBench } from "../../../scripts/bench/bench.ts";
import { type Endpoint, withEndpoints } from "../../../scripts/bench/http/endpoints.ts";
import { callMany } from "../../../scripts/bench/http/exchanges.ts";
import { HttpSession } from "../../../scripts/bench/http/http-session.ts";
import { progressEvent, readProgress } from "../../../scripts/bench/http/messages.ts";
import { longAnswerLine } from "../../../scripts/bench/messages.ts";
import { isAlive } from "../../../scripts/bench/procfs.ts";
import { benchOptions } from "../../support/bench.ts";

/** The smallest proxies stand in for the executable, which unit tests do not start. */
const withFixtures = (work: (endpoints: readonly Endpoint[]) => Promise<void>) =>
  withBench(benchOptions, async (bench) => withEndpoints({ ...bench, meter: undefined }, work));

describe("the server behind a URL and the proxies in front of it", () => {
  test("answer calls, long calls and streams of events, and end", async () => {
    const pids: number[] = [];
    await withFixtures(async (endpoints) => {
      // Without a compiler there is no relay in C.
      const roles = endpoints.map(({ role }) => role).filter((role) => role !== "relay");
      expect(roles).toEqual(["bare", "node", "bun"]);
      for (const { url, pid } of endpoints) {
        pids.push(pid);
        const session = await HttpSession.begin(url);
        const long = longAnswerLine(1, 300_000);
        expect(await session.longCall(long, false)).toBeGreaterThan(0);
        expect(await session.streamCall({ events: 3, everyMs: 1 })).toHaveLength(3);
        await callMany(session, 70);
        expect(session.calls).toBe(72);
        await session.end();
      }
    });
    expect(pids.filter((pid) => isAlive(pid))).toEqual([]);
  });

  test("an answer that differs ends the load, and every process", async () => {
    const pids: number[] = [];
    const failing = withFixtures(async ([server]) => {
      const session = await HttpSession.begin(server?.url ?? "");
      pids.push(server?.pid ?? 0);
      await session.longCall(longAnswerLine(2, 300_000), true);
    });
    expect(failing).rejects.toThrow("Call 1 has another long answer");
    await failing.catch(() => undefined);
    while (pids.some((pid) => isAlive(pid))) await Bun.sleep(1);
  });
});

test("an event says its number and when it was sent", () => {
  expect(readProgress(progressEvent(7, 3, 1_795_408_930_077.5))).toEqual({
    at: 3,
    sentMs: 1_795_408_930_077.5,
  });
  expect(readProgress('data: {"jsonrpc":"2.0","id":7,"result":{}}')).toBeUndefined();
});

import { afterAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { benchOptions } from "../../support/bench.ts";
import { Folder } from "../../support/folder.ts";
import { withBench } from "../../../scripts/bench/bench.ts";
import { type Contestant, fixture } from "../../../scripts/bench/contestants.ts";
import { callAnswerLine, callLine, joinLines } from "../../../scripts/bench/messages.ts";
import { type Burst, passBurst } from "../../../scripts/bench/passage.ts";
import type { Peer } from "../../../scripts/bench/peer.ts";
import { sideBySide } from "../../../scripts/bench/side-by-side.ts";

const folder = new Folder();
afterAll(() => folder[Symbol.dispose]());

/** There when all answers are read. */
const answered = folder.at("answered");

const calls = 20;
const burst: Burst = {
  server: fixture("answering"),
  calls,
  exchange: async (peer) => {
    await Promise.all([
      peer.send(joinLines(callLine, 1, calls + 1)),
      peer.expect(joinLines(callAnswerLine, 1, calls + 1)),
    ]);
    writeFileSync(answered, "");
  },
  lifetimeMaxMs: 20_000,
};

/** Runs the server as it is and writes `records` records when all answers are read. */
function scribe(records: number): Contestant {
  const record = JSON.stringify({ session_id: "s", type: "call", outcome: "ok" });
  const script = `(while kill -0 $$ 2>/dev/null && [ ! -e "$ANSWERED" ]; do sleep 0.01; done; i=0
while [ $i -lt ${records} ]; do i=$((i + 1)); printf '{"request_id":%d,%s\\n' $i "$RECORD"; done >> "$0") &
exec "$@"`;
  const env = ["env", `RECORD=${record.slice(1)}`, `ANSWERED=${answered}`];
  return {
    role: "meter",
    name: "scribe",
    meters: true,
    wrap: (server, log) => [...env, "sh", "-c", script, log, ...server],
  };
}

const introduce = async (peer: Peer, _: string, place: number) => [place, await peer.handshake()];

const bare: Contestant = { ...scribe(0), meters: false, wrap: (server) => server };

test("a burst is timed until its last answer, and until its last record", async () => {
  const passage = await withBench(benchOptions, (bench) => passBurst(bench, scribe(calls), burst));
  expect(passage.passedSeconds).toBeGreaterThan(0);
  expect(passage.countedSeconds).toBeGreaterThan(passage.passedSeconds);
  expect(passage.lagSeconds).toBeCloseTo(passage.countedSeconds - passage.passedSeconds, 6);
  expect(passage.records).toMatchObject({ calls, once: calls, torn: 0 });
  expect(passage.peakMb).toBeGreaterThan(1);
});

test("without a record file there is nothing to wait for", async () => {
  const passage = await withBench(benchOptions, (bench) => passBurst(bench, bare, burst));
  expect([passage.countedSeconds, passage.lagSeconds]).toEqual([Number.NaN, Number.NaN]);
  expect(passage.records).toBeUndefined();
});

test("contestants side by side have a file each, and their results stay with them", async () => {
  const setting = { server: fixture("answering"), lifetimeMaxMs: 20_000 };
  const all = await withBench(benchOptions, (bench) =>
    sideBySide(bench, [bare, { ...bare, name: "again" }], setting, introduce),
  );
  expect(all.map(({ contestant }) => contestant.name)).toEqual(["scribe", "again"]);
  expect(all.map(({ result }) => result[0])).toEqual([0, 1]);
  expect(new Set(all.map(({ log }) => log)).size).toBe(2);
});

import { expect, test, setDefaultTimeout } from "bun:test";
import { resolve } from "node:path";

import { call, initialize } from "../support/rpc.ts";
import { bare, fixture, testMaxMs } from "../support/session.ts";

setDefaultTimeout(testMaxMs);

const root = resolve(import.meta.dir, "../..");
const saboteur = resolve(root, "test/fixtures/throws-in-the-meter.ts");

// The program from its sources, since the built one has no door through which to sabotage its meter.
const sabotaged = [process.execPath, "--preload", saboteur, resolve(root, "src/main.ts")];

test("row 51: the meter throws at some lines → all traffic passes, counted, one line on stderr", async () => {
  const command = [...sabotaged, "--summary", "off", "--", ...fixture("honest")];
  await using session = bare(command);
  await session.ask(initialize(), 15_000);
  await session.ask(call(1, "echo", { text: "fine" }));
  for (const id of [2, 3]) await session.ask(call(id, "echo", { text: "sabotage" }));
  await session.ask(call(4, "echo", { text: "fine again" }));
  expect(await session.finish()).toEqual({ code: 0, signal: null });
  expect(session.messages.map(({ id }) => id)).toEqual(["init", 1, 2, 3, 4]);
  const calls = session.records("call");
  expect(calls.map(({ request_id: id, outcome }) => [id, outcome])).toEqual([
    [1, "ok"],
    [4, "ok"],
  ]);
  expect(session.records("fault").length).toBeGreaterThan(0);
  expect(session.records("end")).toMatchObject([{ observer_faults: 4 }]);
  expect(session.stderr.lines.filter((line) => !line.includes("Records are in"))).toHaveLength(1);
  expect(session.stderr.text + session.log().raw.toString()).not.toContain("CANARY");
});

import { expect, test } from "bun:test";
import { Teller } from "#kit/text/teller.ts";
import { eventually } from "../../support/wait.ts";
import { startProgress } from "#check/mcp-client/visit.ts";

test("startProgress counts seconds on a terminal, and cleans up", async () => {
  const written: string[] = [];
  const teller = new Teller({ isTerminal: true, write: (text) => written.push(text) });
  const progress = startProgress(teller, "waiting for srv\u001b", {});
  await eventually("a second", () => written.length > 0);
  progress.stop();
  await Bun.sleep(1_100);
  expect(written).toEqual(["\r\u001b[2Kmcp-meter: waiting for srv\\u001b, 1 s", "\r\u001b[2K"]);
});

test("startProgress writes nothing about a server that answers within a second", () => {
  const written: string[] = [];
  const teller = new Teller({ isTerminal: true, write: (text) => written.push(text) });
  startProgress(teller, "srv", {}).stop();
  expect(written).toEqual([]);
});

test("startProgress counts the seconds of each activity", async () => {
  const written: string[] = [];
  const teller = new Teller({ isTerminal: true, write: (text) => written.push(text) });
  const progress = startProgress(teller, "waiting", {});
  await eventually("a second", () => written.length > 0);
  progress.showStep("call 1 of 2");
  await eventually("another second", () => written.length > 1);
  progress.stop();
  expect(written[1]).toContain("call 1 of 2, 1 s");
});

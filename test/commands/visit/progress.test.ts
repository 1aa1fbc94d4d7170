import { expect, test } from "bun:test";
import { showProgress } from "#commands/visit/progress.ts";

test("showProgress tells a terminal once a second, and cleans up", async () => {
  const said: string[] = [];
  const progress = showProgress(
    { isTerminal: true, write: (text) => said.push(text) },
    "srv\u001b",
  );
  await Bun.sleep(1_100);
  progress.stop();
  await Bun.sleep(1_100);
  expect(said).toEqual(["\r\u001b[2Kmcp-meter: waiting for srv\\u001b, 1 s", "\r\u001b[2K"]);
});

test("showProgress says nothing to a pipe, nor about a server that is quick", () => {
  const said: string[] = [];
  const write = (text: string): unknown => said.push(text);
  showProgress({ isTerminal: false, write }, "srv").stop();
  showProgress({ isTerminal: true, write }, "srv").stop();
  expect(said).toEqual([]);
});

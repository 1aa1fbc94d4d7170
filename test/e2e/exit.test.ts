import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { legacyInput } from "./lines.ts";
import { makeHome, runMeter, waitMaxMs } from "./run.ts";

setDefaultTimeout(waitMaxMs);

const home = makeHome();

afterAll(() => home.remove());

describe("the child's own ending", () => {
  test.each([
    ["exit 0", 0],
    ["exit 7", 7],
    ["exit 255", 255],
    ["kill -9 $$", 137],
    ["kill -TERM $$", 143],
    ["read line; exit 3", 3],
  ])("sh -c '%s' ends with %i", async (script, status) => {
    const words = ["--", "sh", "-c", script];
    const run = await runMeter(home, words, { input: legacyInput([]) });
    expect([run.status, run.stdout]).toEqual([status, ""]);
  });

  test("and `run` may be written out", async () => {
    expect((await runMeter(home, ["run", "--", "sh", "-c", "exit 7"])).status).toBe(7);
  });
});

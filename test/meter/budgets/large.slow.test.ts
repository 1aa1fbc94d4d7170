import { expect, setDefaultTimeout, test } from "bun:test";
import { memoryOf } from "../../support/processes.ts";
import { call } from "../../support/rpc.ts";
import { fixture, metered } from "../../support/session.ts";
import { lineObservedBytesMax } from "#kit/limits.ts";

setDefaultTimeout(120_000);

const megabyte = 1_000_000;
const size = 20 * megabyte;
const words = "roses need water and patience, and so do long answers; ";

const answerOf = (id: number, bytes: number): string =>
  `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"${words.repeat(bytes / words.length + 1).slice(0, bytes)}"}]}}\n`;

for (const [budget, passes] of [
  ["big=900M", true],
  ["big=5k", false],
  ["big=5k:truncate", false],
  ["big=5k:spill", false],
] as const) {
  const becomes = passes ? "passes as it is" : "is withheld";
  test(`${size / megabyte} MB under ${budget} ${becomes}, in bounded memory`, async () => {
    const flags = ["--log", "off", "--summary", "off", "--budget", budget];
    await using session = metered(fixture("answers-at-length"), { flags });
    await session.ask(call(1, "big", { bytes: 10 }));
    const before = memoryOf(session.pid).peak;
    const seen = session.stdout.length;
    await session.send(call(2, "big", { bytes: size }));
    await session.grows(seen, "}\n", 100_000);
    const { peak } = memoryOf(session.pid);
    const arrived = session.stdout.bytes.subarray(seen);
    if (passes) {
      expect(arrived.equals(Buffer.from(answerOf(2, size)))).toBe(true);
    } else {
      expect(arrived.toString()).toContain("ran, but its answer was withheld");
      expect(arrived.length).toBeLessThan(400);
    }
    // The observed part, the same once more while it is let go, and what a runtime needs to breathe.
    expect(peak - before).toBeLessThan(2 * lineObservedBytesMax + 40 * megabyte);
    expect(await session.finish()).toEqual({ code: passes ? 0 : 1, signal: null });
  });
}

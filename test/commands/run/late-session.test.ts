import { describe, expect, test } from "bun:test";
import { openLateSession } from "#commands/run/command.ts";
import { parseRunOptions } from "#commands/run/options.ts";
import type { RawOptions } from "#commands/command.ts";
import { LineSplitter } from "#wire/line.ts";
import { bytesOf } from "../../support/bytes.ts";
import { Folder } from "../../support/folder.ts";
import { capturedIo } from "../../support/io.ts";

function sessionIn(folder: Folder, raw: RawOptions = {}) {
  const io = capturedIo({ XDG_STATE_HOME: folder.path });
  const options = parseRunOptions({ options: raw, operands: [], child: ["garden"] });
  const told: string[] = [];
  const preparation = {
    lock: undefined,
    namedFile: undefined,
    spillFolder: undefined,
    namedPrices: undefined,
    callPrices: undefined,
    calibration: undefined,
  };
  return {
    told,
    ...openLateSession(options, preparation, io, (sentence) => void told.push(sentence)),
  };
}

describe("openLateSession", () => {
  test("is never opened without a line, and has no result", async () => {
    using folder = new Folder();
    const { judge, close, told } = sessionIn(folder);
    expect(judge.whenReady()).toBeUndefined();
    judge.noteEof();
    judge.saveNow();
    expect(await close({ code: 0 })).toBeUndefined();
    expect(told).toEqual([]);
  });

  test("has the summary of a session after a line", async () => {
    using folder = new Folder();
    const { judge, close } = sessionIn(folder, { log: "off" });
    await judge.whenCaughtUp();
    const [line] = new LineSplitter(1_000, { append: () => undefined }).push(
      bytesOf('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search"}}\n'),
    );
    if (line) judge.judgeLine("client", line, true);
    const result = await close({ code: 0 });
    expect(result?.summaries).toMatchObject([{ sessions: 1, total: { calls: 1 } }]);
  });

  test.each([
    { budget: ["20/session"] },
    { "max-repeats": "2" },
    { lock: "x", "enforce-lock": true },
    { annotate: true },
  ])("with %j waits for its gate before the first byte", async (raw) => {
    using folder = new Folder();
    const { judge, close } = sessionIn(folder, raw);
    const ready = judge.whenReady();
    expect(ready).toBeDefined();
    await ready;
    expect(judge.holds("client") || judge.holds("server")).toBe(true);
    await close({ code: 0 });
  });
});

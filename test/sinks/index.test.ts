import { expect, test } from "bun:test";
import { createSink } from "#sinks/index.ts";
import type { LenientWriter } from "#io.ts";
import { callRecord } from "../support/made-records.ts";

function deps() {
  const written: string[] = [];
  const asked: (string | undefined)[] = [];
  const stderr: LenientWriter = {
    write: (text) => written.push(text),
    flush: () => undefined,
    isTerminal: false,
    columns: undefined,
  };
  const recordFile = (log: string | undefined) => {
    asked.push(log);
    return () => undefined;
  };
  return { written, asked, given: { stderr, recordFile } };
}

test("createSink: - is stderr, off discards, anything else names a file, and without a value it is a new one", () => {
  const { written, asked, given } = deps();
  const logs = ["-", "off", "calls.ndjson", undefined, "__proto__", "toString"];
  for (const log of logs) createSink(log, given).take(callRecord());
  expect(written).toHaveLength(1);
  expect(asked).toEqual(["calls.ndjson", undefined, "__proto__", "toString"]);
});

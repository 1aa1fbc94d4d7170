import { expect, test } from "bun:test";
import { createSink } from "#state/sinks/index.ts";
import type { LenientWriter } from "#kit/io.ts";
import { callRecord } from "../../support/made-records.ts";

function deps() {
  const written: string[] = [];
  const opened: string[] = [];
  const stderr: LenientWriter = {
    write: (text) => written.push(text),
    flush: () => undefined,
    isTerminal: false,
    measureColumns: async () => undefined,
  };
  const makeFile = (name: string) => ({
    stderr,
    recordFile: () => {
      opened.push(name);
      return () => undefined;
    },
  });
  return { written, asked: opened, given: makeFile };
}

test("createSink: - is stderr, off discards, anything else names a file, and without a value it is a new one", () => {
  const { written, asked: opened, given: makeFile } = deps();
  const logs = ["-", "off", "calls.ndjson", undefined, "__proto__", "toString"];
  for (const log of logs) createSink(log, makeFile(String(log))).take(callRecord());
  expect(written).toHaveLength(1);
  expect(opened).toEqual(["calls.ndjson", "undefined", "__proto__", "toString"]);
});

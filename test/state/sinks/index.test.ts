import { expect, test } from "bun:test";
import { createSink } from "#state/sinks/index.ts";
import type { LenientWriter } from "#kit/io.ts";
import { callRecord } from "../../support/made-records.ts";

function deps() {
  const written: string[] = [];
  const asked: string[] = [];
  const stderr: LenientWriter = {
    write: (text) => written.push(text),
    flush: () => undefined,
    isTerminal: false,
    measureColumns: async () => undefined,
  };
  const given = (name: string) => ({
    stderr,
    recordFile: () => {
      asked.push(name);
      return () => undefined;
    },
  });
  return { written, asked, given };
}

test("createSink: - is stderr, off discards, anything else names a file, and without a value it is a new one", () => {
  const { written, asked, given } = deps();
  const logs = ["-", "off", "calls.ndjson", undefined, "__proto__", "toString"];
  for (const log of logs) createSink(log, given(String(log))).take(callRecord());
  expect(written).toHaveLength(1);
  expect(asked).toEqual(["calls.ndjson", "undefined", "__proto__", "toString"]);
});

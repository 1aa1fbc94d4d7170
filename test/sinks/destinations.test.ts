import { expect, test } from "bun:test";
import { namesFile } from "#sinks/destinations.ts";
import { createSink } from "#sinks/index.ts";
import { capturedIo } from "../support/io.ts";

test("namesFile is true for every value of --log for which a sink opens a file", () => {
  for (const log of ["-", "off", "calls.ndjson", "OFF", "toString", "__proto__", ""]) {
    let isOpened = false;
    const recordFile = () => {
      isOpened = true;
      return () => undefined;
    };
    createSink(log, { stderr: capturedIo().stderr, recordFile });
    expect([log, namesFile(log)]).toEqual([log, isOpened]);
  }
});

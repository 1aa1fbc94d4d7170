import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { formatRecordLine } from "#state/sinks/record-queue.ts";
import { hostileText, findUnsafeText } from "../../support/hostile.ts";
import { callRecord } from "../../support/made-records.ts";

test("recordLine is one line, safe on a terminal, and parses to the same record", () => {
  fc.assert(
    fc.property(hostileText, hostileText, (tool, server) => {
      const record = callRecord({ tool, server });
      const line = formatRecordLine(record);
      expect(line.indexOf("\n")).toBe(line.length - 1);
      expect(findUnsafeText(line.slice(0, -1))).toEqual([]);
      expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(record)));
    }),
  );
});

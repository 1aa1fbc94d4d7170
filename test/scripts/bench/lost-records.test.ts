import { expect, test } from "bun:test";
import { findLost } from "../../../scripts/bench/lost-records.ts";

const answersMs = [100, 110, 120];

test.each([
  ["all have one", 130, 3, { count: 0, oldestMs: 0 }],
  ["one more has one, whose answer was not read", 130, 4, { count: 0, oldestMs: 0 }],
  ["the last two have none", 130, 1, { count: 2, oldestMs: 20 }],
  ["the last has none, and was read after the kill", 115, 2, { count: 1, oldestMs: 0 }],
  ["none of a session that ended by itself", undefined, 0, { count: 3, oldestMs: Infinity }],
  ["all of a session that ended by itself", undefined, 3, { count: 0, oldestMs: 0 }],
])("records: %s", (_, killedMs, recorded, lost) => {
  expect(findLost({ answersMs, killedMs }, recorded)).toEqual(lost);
});

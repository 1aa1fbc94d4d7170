import { expect, test } from "bun:test";
import { isRecord } from "#state/storage/read-records.ts";
import { callRecord, everyRecord } from "../../support/made-records.ts";

for (const record of everyRecord) {
  test(`accepts a ${record.type}, also of a newer minor version, and requires each of its members`, () => {
    expect(isRecord(record)).toBe(true);
    expect(isRecord({ ...record, schema_version: "1.9", something_new: 1 })).toBe(true);
    expect(isRecord({ ...record, schema_version: "2.0" })).toBe(false);
    for (const name of Object.keys(record)) {
      const others = Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));
      expect([name, isRecord(others)]).toEqual([name, false]);
    }
  });
}

test("rejects anything else", () => {
  for (const value of [null, 7, "call", [], {}, { type: "call" }, { type: "__proto__" }]) {
    expect(isRecord(value)).toBe(false);
  }
});

test("members of __proto__ are none of the record", () => {
  const { seq: _seq, ...others } = callRecord();
  expect(isRecord(JSON.parse(`{"__proto__":${JSON.stringify(callRecord())}}`))).toBe(false);
  const text = `${JSON.stringify(others).slice(0, -1)},"__proto__":{"seq":1}}`;
  expect(isRecord(JSON.parse(text))).toBe(false);
  expect(isRecord(JSON.parse(text.replace('"__proto__":{"seq":1}', '"seq":1')))).toBe(true);
});

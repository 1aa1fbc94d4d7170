import { describe, expect, test } from "bun:test";
import { lineAt, nameAt, type Place, rawIdAt } from "#meter/place.ts";
import { skimBytes } from "#wire/skim.ts";
import { bytesOf, textOf } from "../support/bytes.ts";

/** Where a message stands in a line that was kept. */
function placeIn(text: string, item?: number): Place {
  const bytes = bytesOf(text);
  return { line: { bytes, size: bytes.length, skim: undefined }, item, hasPassed: false };
}

describe("rawIdAt", () => {
  for (const [text, item, id] of [
    ['{"id":9007199254740993,"method":"x"}', undefined, "9007199254740993"],
    ['{"id" : 1.0 }', undefined, "1.0"],
    ['{"id":"\\u0041"}', undefined, '"\\u0041"'],
    ['[{"id":1},{"id":"two"}]', 1, '"two"'],
    ['{"method":"x"}', undefined, "null"],
  ] as const) {
    test(`of ${text}${item === undefined ? "" : ` at ${item}`} is ${id}`, () => {
      expect(rawIdAt(placeIn(text, item))).toBe(id);
    });
  }

  test("of a line that was not kept comes from its skim", () => {
    const skim = skimBytes(bytesOf('{"result":{},"id":7}'));
    const line = { bytes: undefined, size: 20, skim };
    expect(rawIdAt({ line, item: undefined, hasPassed: false })).toBe("7");
  });
});

describe("lineAt", () => {
  test("is the message as a line of its own, its bytes as they were", () => {
    const text = (place: Place): string => textOf(lineAt(place) ?? new Uint8Array());
    expect(text(placeIn('{"a" : 1}\n'))).toBe('{"a" : 1}\n');
    expect(text(placeIn('{"a":1}'))).toBe('{"a":1}\n');
    expect(text(placeIn('[{"a":1}, {"b":2}]\n', 1)).trim()).toBe('{"b":2}');
  });

  test("is none for a line that was not kept", () => {
    const line = { bytes: undefined, size: 9, skim: undefined };
    expect(lineAt({ line, item: undefined, hasPassed: false })).toBeUndefined();
  });
});

describe("nameAt", () => {
  test("finds the tool of a call that is too deep to parse", () => {
    const deep = "[".repeat(300) + "]".repeat(300);
    expect(nameAt(placeIn(`{"params":{"name":"t\\u0061","arguments":${deep}}}`))).toBe("ta");
    expect(nameAt(placeIn('{"params":{"name":7}}'))).toBeUndefined();
    expect(nameAt(placeIn('{"params":{}}'))).toBeUndefined();
    expect(nameAt(placeIn("{}"))).toBeUndefined();
  });
});

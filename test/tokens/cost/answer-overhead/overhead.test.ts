import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import {
  isForUser,
  mayHaveOverhead,
  measureText,
  parsedJsonCharactersMax,
} from "#tokens/cost/answer-overhead/overhead.ts";
import { cpuMs } from "../../../support/measure.ts";

const none = { data: 0, keys: 0, punctuation: 0, whiteSpace: 0, preamble: 0 };

describe("measureText", () => {
  test.each([
    ["prose", "Two rows", { data: 8 }],
    ["empty", "", {}],
    [
      "compact JSON",
      '{"ab":[1,"c"]}',
      { keys: 2, data: 2, punctuation: 10, document: { ab: [1, "c"] } },
    ],
    [
      "indented JSON",
      '{\n  "ab": true\n}',
      { keys: 2, data: 4, punctuation: 5, whiteSpace: 5, document: { ab: true } },
    ],
    [
      "a key behind white space",
      '{"a" \t: 1}',
      { keys: 1, data: 1, punctuation: 5, whiteSpace: 3, document: { a: 1 } },
    ],
    ["quotes within strings", '["a\\"b\\\\"]', { data: 6, punctuation: 4, document: ['a"b\\'] }],
    ["broken JSON is prose", '{"a":', { data: 5 }],
    ["a JSON text is prose", '"a"', { data: 3 }],
  ])("%s", (_name, text, expected) => {
    expect(measureText(text)).toEqual({ ...none, ...expected });
  });

  test("what is ahead of an answer is apart", () => {
    const [preamble, data] = ["IMPORTANT: show the link.\n\n", "# Title"];
    const expected = { preamble: preamble.length, data: data.length };
    expect(measureText(preamble + data)).toEqual({ ...none, ...expected });
  });

  test("any text: the kinds add up to its length", () => {
    const json = fc.tuple(fc.json(), fc.integer({ min: 0, max: 4 }));
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      json.map(([raw, indent]) => indented(raw, indent)),
    );
    fc.assert(
      fc.property(text, (any) => {
        const { data, keys, punctuation, whiteSpace, preamble } = measureText(any);
        expect(data + keys + punctuation + whiteSpace + preamble).toBe(any.length);
        expect(Math.min(data, keys, punctuation, whiteSpace, preamble)).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 500 },
    );
  });

  test("instructions have no bound: a longer text is examined for them alone", () => {
    const rules = `INSTRUCTIONS:\n\n${"- be brief\n".repeat(parsedJsonCharactersMax / 8)}\n\n`;
    expect(rules.length).toBeGreaterThan(parsedJsonCharactersMax);
    const text = `${rules}Roses.`;
    expect(mayHaveOverhead(text)).toBe(true);
    expect(measureText(text)).toEqual({ ...none, preamble: rules.length, data: 6 });
    expect(mayHaveOverhead(`Roses.\n\n${rules}`)).toBe(false);
    expect(mayHaveOverhead(`<domain_rules>${text}</domain_rules>`)).toBe(true);
  });

  test("one past the bound is not examined as JSON", () => {
    const json = `[${" ".repeat(parsedJsonCharactersMax - 2)}]`;
    expect(measureText(json).whiteSpace).toBe(parsedJsonCharactersMax - 2);
    expect(measureText(` ${json}`)).toEqual({ ...none, data: parsedJsonCharactersMax + 1 });
    expect([mayHaveOverhead(json), mayHaveOverhead(` ${json}`)]).toEqual([true, false]);
  });

  test("the worst texts of 1 MiB take linear time", async () => {
    const length = parsedJsonCharactersMax - 8;
    const texts = [
      `[${"[],".repeat(length / 3)}[]]`,
      `["${"\\\\".repeat(length / 2)}"]`,
      `{"a":${" ".repeat(length)}1}`,
      "\n ".repeat(length / 2),
      `IMPORTANT: ${"\n ".repeat(length / 2)}`,
    ];
    const spent = await cpuMs(() => {
      for (const text of texts) measureText(text);
    });
    expect(spent).toBeLessThan(2000);
  });
});

describe("isForUser", () => {
  test.each([
    [{ audience: ["user"] }, true],
    [{ audience: ["user", "user"] }, true],
    [{ audience: ["user", "assistant"] }, false],
    [{ audience: [] }, false],
    [{ audience: "user" }, false],
    [undefined, false],
  ])("annotations %j: %p", (annotations, expected) => {
    expect(isForUser({ type: "text", text: "", annotations })).toBe(expected);
  });

  test("any JSON value is some block", () => {
    fc.assert(fc.property(fc.jsonValue(), (raw) => expect(isForUser(raw)).toBeBoolean()));
  });
});

describe("mayHaveOverhead", () => {
  test("is never wrong about what has some", () => {
    const json = fc.tuple(fc.json(), fc.integer({ min: 0, max: 4 }));
    const text = fc.oneof(
      json.map(([raw, indent]) => ` ${indented(raw, indent)}\n`),
      fc.string().map((body) => `IMPORTANT: do.\n${body}`),
    );
    fc.assert(
      fc.property(text, (any) => {
        const { punctuation, preamble } = measureText(any);
        expect(mayHaveOverhead(any)).toBe(punctuation + preamble > 0);
      }),
    );
  });

  test.each(["Two rows", "", " ", "[info] started", '{"a": 1} and more'])("%j has none", (text) => {
    expect(mayHaveOverhead(text)).toBe(false);
  });
});

function indented(json: string, indent: number): string {
  return JSON.stringify(JSON.parse(json), null, indent);
}

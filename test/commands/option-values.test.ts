import { describe, expect, test } from "bun:test";
import type { RawOptions } from "#commands/command.ts";
import {
  parseChoice,
  parseCount,
  readFlag,
  parseGrowth,
  readList,
  parseWholePercent,
  parseDurationMs,
  readText,
  parseTokens,
  expandPaths,
} from "#commands/option-values.ts";
import { thrownBy } from "../support/folder.ts";

type Raw = RawOptions[string];

test.each<[Raw, Raw]>([
  ["~/l", "/h/l"],
  [
    ["~", "a", "~/l", "~u/l"],
    ["/h", "a", "/h/l", "~u/l"],
  ],
  [true, true],
])("expandPaths: %j becomes %j", (raw, expanded) => {
  const specs = { x: { description: "", isPath: true }, y: { description: "" } };
  const options = expandPaths(specs, { x: raw, y: "~" }, { HOME: "/h" });
  expect(options).toEqual({ x: expanded, y: "~" });
});

test("expandPaths names a path that needs a home", () => {
  const specs = { x: { description: "", isPath: true } };
  expect(thrownBy(() => expandPaths(specs, { x: ["a", "~/l"] }, {}))).toBe(
    'Cannot expand "~/l" in --x: set HOME, or write the full path',
  );
});

describe("readText", () => {
  const rows: readonly (readonly [raw: Raw, text: string | undefined])[] = [
    [undefined, undefined],
    ["a", "a"],
    [["a", "b"], "b"],
    [true, undefined],
    [[], undefined],
  ];
  for (const [raw, text] of rows) {
    test(`${JSON.stringify(raw)} is ${text}`, () => {
      expect(readText({ x: raw }, "x")).toBe(text);
    });
  }

  test("an empty value is none", () => {
    expect(thrownBy(() => readText({ x: "" }, "x"))).toBe("--x requires a value");
  });
});

describe("readFlag", () => {
  test("an empty value is an error, as it is for any option", () => {
    expect(thrownBy(() => readFlag({ x: "" }, "x"))).toBe("--x requires a value");
  });

  const rows: readonly (readonly [raw: Raw, isSet: boolean])[] = [
    [undefined, false],
    [true, true],
    [false, false],
    ["true", true],
    ["1", true],
    ["yes", true],
    ["false", false],
    ["0", false],
    ["no", false],
    [["true", "false"], false],
    [[], true],
  ];
  for (const [raw, isSet] of rows) {
    test(`${JSON.stringify(raw)} is ${isSet}`, () => {
      expect(readFlag({ x: raw }, "x")).toBe(isSet);
    });
  }

  test("anything else is neither", () => {
    expect(thrownBy(() => readFlag({ x: "maybe" }, "x"))).toBe(
      '--x must be true or false, not "maybe"',
    );
  });
});

test("readList returns all values", () => {
  const lists = [undefined, true, "a", ["a", "b"]].map((x) => readList({ x }, "x"));
  expect(lists).toEqual([[], [], ["a"], ["a", "b"]]);
  for (const x of ["", ["a", ""]]) {
    expect(thrownBy(() => readList({ x }, "x"))).toBe("--x requires a value");
  }
});

test("parseChoice takes one of the choices, as written", () => {
  expect(parseChoice({ x: "b" }, "x", ["a", "b"])).toBe("b");
  expect(parseChoice({}, "x", ["a", "b"])).toBeUndefined();
  expect(thrownBy(() => parseChoice({ x: "B" }, "x", ["a", "b"]))).toBe(
    '--x must be one of a, b, not "B"',
  );
});

describe("parseCount", () => {
  for (const [text, count] of [
    ["1", 1],
    ["007", 7],
    ["20k", 20_000],
    ["1.5M", 1_500_000],
    [String(Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER],
  ] as const) {
    test(`${text} is ${count}`, () => {
      expect(parseCount({ x: text }, "x", 1)).toBe(count);
    });
  }

  for (const text of [
    "0",
    "-1",
    "1.5",
    "1e3",
    " 1",
    "0x1",
    "Infinity",
    "99999999999999999999",
    "١",
  ]) {
    test(`${text} is none`, () => {
      expect(thrownBy(() => parseCount({ x: text }, "x", 1))).toBe(
        `--x must be a whole number of at least 1, not "${text}"`,
      );
    });
  }
});

test("parseTokens reads amounts", () => {
  expect(parseTokens({}, "x")).toBeUndefined();
  expect(parseTokens({ x: "20k" }, "x")).toBe(20_000);
  expect(thrownBy(() => parseTokens({ x: "5%" }, "x"))).toBe(
    '--x must be a number of tokens such as 2000 or 20k, not "5%"',
  );
});

test("parseGrowth reads a share or tokens", () => {
  expect(parseGrowth({}, "x")).toBeUndefined();
  expect(parseGrowth({ x: "5%" }, "x")).toEqual({ share: 0.05 });
  expect(parseGrowth({ x: "1.5k" }, "x")).toEqual({ tokens: 1_500 });
  expect(thrownBy(() => parseGrowth({ x: "lots" }, "x"))).toBe(
    '--x must be a percentage such as 5%, or tokens such as 200, not "lots"',
  );
});

describe("parseDurationMs", () => {
  test("returns milliseconds, and undefined if not set", () => {
    expect(parseDurationMs({ x: "1.5" }, "x")).toBe(1_500);
    expect(parseDurationMs({ x: "86400" }, "x")).toBe(86_400_000);
    expect(parseDurationMs({ x: "30s" }, "x")).toBe(30_000);
    expect(parseDurationMs({ x: "2m" }, "x")).toBe(120_000);
    expect(parseDurationMs({ x: "1d" }, "x")).toBe(86_400_000);
    expect(parseDurationMs({}, "x")).toBeUndefined();
  });

  test.each(["0", "-1", "86401", "soon", "1e3", "2d", "0s"])("%j is refused", (text) => {
    expect(thrownBy(() => parseDurationMs({ x: text }, "x"))).toBe(
      `--x must be more than 0 and at most 86400 seconds, such as 30 or 2m, not "${text}"`,
    );
  });
});

test("parseWholePercent takes a number with or without the percent sign", () => {
  expect(["1", "80", "80%", "100%"].map((x) => parseWholePercent({ x }, "x"))).toEqual([
    1, 80, 80, 100,
  ]);
  expect(parseWholePercent({}, "x")).toBeUndefined();
  for (const x of ["0", "101", "8.5", "%", "80 %", "-1"]) {
    expect(thrownBy(() => parseWholePercent({ x }, "x"))).toBe(
      `--x must be a whole percentage from 1 to 100, not "${x}"`,
    );
  }
});

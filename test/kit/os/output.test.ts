import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { mayColor, writeSummary } from "#kit/os/standard-streams.ts";
import { Folder } from "../../support/folder.ts";

const writer = (isTerminal: boolean, written: string[] = []) => ({
  write: (text: string) => written.push(text),
  isTerminal,
  measureColumns: async () => undefined,
});

describe("writeSummary", () => {
  test("goes to stderr, or to the file and nowhere else", () => {
    using folder = new Folder();
    const [written, reported]: [string[], string[]] = [[], []];
    const tell = (sentence: string) => reported.push(sentence);
    writeSummary("table", undefined, writer(false, written), tell);
    writeSummary("markdown", folder.at("s.md"), writer(false, written), tell);
    expect([written, reported]).toEqual([["table"], []]);
    expect(readFileSync(folder.at("s.md"), "utf8")).toBe("markdown");
  });

  test("a file that cannot be written is told and throws nothing", () => {
    using folder = new Folder();
    const reported: string[] = [];
    writeSummary("x", folder.at("no", "s.md"), writer(false), (sentence) =>
      reported.push(sentence),
    );
    expect(reported).toEqual([
      `Cannot write the summary to "${folder.at("no", "s.md")}": no such file or directory`,
    ]);
  });
});

describe("mayColor", () => {
  const rows: readonly (readonly [
    isTerminal: boolean,
    env: { [name: string]: string },
    color: boolean,
  ])[] = [
    [true, {}, true],
    [false, {}, false],
    [true, { TERM: "dumb" }, false],
    [true, { NO_COLOR: "1" }, false],
    [true, { NO_COLOR: "" }, true],
    [false, { FORCE_COLOR: "1" }, true],
    [false, { FORCE_COLOR: "" }, true],
    [true, { FORCE_COLOR: "0" }, false],
    [false, { FORCE_COLOR: "1", NO_COLOR: "1" }, false],
    [false, { FORCE_COLOR: "1", TERM: "dumb" }, true],
  ];
  for (const [isTerminal, env, color] of rows) {
    test(`${isTerminal ? "a terminal" : "a pipe"} with ${JSON.stringify(env)}: ${color ? "colour" : "none"}`, () => {
      expect(mayColor(writer(isTerminal), env)).toBe(color);
    });
  }
});

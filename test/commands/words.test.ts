import { describe, expect, test } from "bun:test";
import type { OptionSpecs } from "#commands/command.ts";
import { readWords } from "#commands/words.ts";

const specs: OptionSpecs = {
  log: { value: "FILE", describe: "records" },
  budget: { value: "SPEC", describe: "limits", isRepeatable: true },
  sync: { describe: "a flag" },
  help: { describe: "help" },
};

const read = (...words: string[]) => readWords(words, specs, "run");

describe("readWords", () => {
  test.each([
    ["nothing", [], {}, []],
    ["a value", ["--log", "a"], { log: "a" }, []],
    ["a value after =", ["--log=a=b"], { log: "a=b" }, []],
    ["an empty value", ["--log="], { log: "" }, []],
    ["- as a value", ["--log", "-"], { log: "-" }, []],
    ["a value with a dash", ["--log=-x"], { log: "-x" }, []],
    ["a number as text", ["--log", "007"], { log: "007" }, []],
    ["the last of several", ["--log", "a", "--log", "b"], { log: "b" }, []],
    ["all of several", ["--budget", "a", "--budget=b"], { budget: ["a", "b"] }, []],
    ["one of several", ["--budget", "a"], { budget: ["a"] }, []],
    ["a flag", ["--sync", "true"], { sync: true }, ["true"]],
    ["a flag that is unset", ["--sync=false"], { sync: "false" }, []],
    ["-h", ["-h"], { help: true }, []],
    ["operands between options", ["a", "--sync", "-", ""], { sync: true }, ["a", "-", ""]],
  ])("reads %s", (_what, words, flags, operands) => {
    expect(read(...words)).toEqual({ flags, operands });
  });

  test.each([
    ["--nope", 'unknown option "--nope"; see "mcp-meter run --help"'],
    ["--nope=1", 'unknown option "--nope"; see "mcp-meter run --help"'],
    ["-x", 'unknown option "-x"; see "mcp-meter run --help"'],
    ["-log", 'unknown option "-log"; see "mcp-meter run --help"'],
    ["--__proto__", 'unknown option "--__proto__"; see'],
    ["--log", "--log requires a value"],
  ])("refuses %s", (word, sentence) => {
    expect(() => read(word)).toThrow(sentence);
  });

  test("takes no option for a value", () => {
    expect(() => read("--log", "--sync")).toThrow("--log requires a value");
  });
});

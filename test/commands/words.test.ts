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
    ["--nope", 'Cannot read option "--nope": run has no such option, see "mcp-meter run --help"'],
    ["--nope=1", 'Cannot read option "--nope": run has no such option, see "mcp-meter run --help"'],
    ["-x", 'Cannot read option "-x": run has no such option, see "mcp-meter run --help"'],
    ["-log", 'Cannot read option "-log": run has no such option, see "mcp-meter run --help"'],
    ["--__proto__", 'Cannot read option "--__proto__": run has no such option, see'],
    ["--log", "Cannot read --log: it has no value, it must have one"],
  ])("refuses %s", (word, sentence) => {
    expect(() => read(word)).toThrow(sentence);
  });

  test("takes no option for a value", () => {
    expect(() => read("--log", "--sync")).toThrow("Cannot read --log: it has no value");
  });
});

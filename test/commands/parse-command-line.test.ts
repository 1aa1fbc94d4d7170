import { describe, expect, test } from "bun:test";
import type { OptionSpecs } from "#commands/command.ts";
import { readWords } from "#commands/parse-command-line.ts";
import { thrownBy } from "../support/folder.ts";

const specs: OptionSpecs = {
  log: { value: "FILE", description: "records" },
  budget: { value: "SPEC", description: "limits", isRepeatable: true },
  action: { value: "ACTION", description: "an action", choices: ["warn", "spill"] },
  sync: { description: "a flag" },
  help: { description: "help", short: "h" },
  otlp: { value: "URL", description: "telemetry", followingValue: /^https?:/ },
};

const read = (...words: string[]) => readWords(words, specs, "run");

describe("readWords", () => {
  test.each([
    ["nothing", [], {}, []],
    ["a value", ["--log", "a"], { log: "a" }, []],
    ["a value after =", ["--log=a=b"], { log: "a=b" }, []],
    ["- as a value", ["--log", "-"], { log: "-" }, []],
    ["a value with a dash", ["--log=-x"], { log: "-x" }, []],
    ["a negative number", ["--log", "-1"], { log: "-1" }, []],
    ["a negative share", ["--log", "-.5%"], { log: "-.5%" }, []],
    ["a number as text", ["--log", "007"], { log: "007" }, []],
    ["all of several", ["--budget", "a", "--budget=b"], { budget: ["a", "b"] }, []],
    ["one of several", ["--budget", "a"], { budget: ["a"] }, []],
    ["a flag", ["--sync", "true"], { sync: true }, ["true"]],
    ["a flag that is unset", ["--sync=false"], { sync: "false" }, []],
    ["-h", ["-h"], { help: true }, []],
    ["a value that is left out", ["--otlp", "--sync"], { otlp: true, sync: true }, []],
    ["one that is left out at the end", ["--otlp"], { otlp: true }, []],
    ["one that is left out before an operand", ["--otlp", "a"], { otlp: true }, ["a"]],
    ["one that is there", ["--otlp", "http://a", "b"], { otlp: "http://a" }, ["b"]],
    ["one after =", ["--otlp=b"], { otlp: "b" }, []],
    ["operands between options", ["a", "--sync", "-", ""], { sync: true }, ["a", "-", ""]],
  ])("reads %s", (_what, words, flags, operands) => {
    expect(read(...words)).toEqual({ flags, operands });
  });

  test.each([
    ["--nope", 'unknown option "--nope"; see "mcp-meter run --help"'],
    ["--nope=1", 'unknown option "--nope"; see "mcp-meter run --help"'],
    ["-x", 'unknown option "-x"; see "mcp-meter run --help"'],
    ["-H", 'unknown option "-H"; did you mean -h?'],
    ["--spill", 'unknown option "--spill"; did you mean --action spill?'],
    ["--budegt=1", 'unknown option "--budegt"; did you mean --budget?'],
    ["-log", 'unknown option "-log"; did you mean --log?'],
    ["--__proto__", 'unknown option "--__proto__"; see "mcp-meter run --help"'],
    ["--log", "--log requires a value"],
  ])("refuses %s", (word, sentence) => {
    expect(thrownBy(() => read(word))).toBe(sentence);
  });

  test.each([
    ["with two values", ["--log", "a", "--log", "b"]],
    ["with one value twice", ["--log=a", "--log", "a"]],
    ["around others", ["--log", "a", "--budget", "b", "--log=c"]],
  ])("refuses an option of one value that is given twice, %s", (_, words) => {
    expect(thrownBy(() => read(...words))).toBe("--log is given twice; it takes one value");
  });

  test.each([[["--log="]], [["--log", ""]], [["--budget", "a", "--budget="]]])(
    "refuses an empty value: %j",
    (words) => {
      expect(thrownBy(() => read(...words))).toMatch(/^--(?:log|budget) requires a value$/);
    },
  );

  test("reads a flag that is given twice", () => {
    expect(read("--sync", "--sync", "-h", "--help").flags).toEqual({ sync: true, help: true });
  });

  test("does not take an option for a value", () => {
    expect(() => read("--log", "--sync")).toThrow("--log requires a value");
  });
});

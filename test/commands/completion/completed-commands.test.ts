import { describe, expect, test } from "bun:test";
import {
  type CompletableOption,
  describeCommands,
  groupOptions,
} from "#commands/completion/shell-scripts.ts";
import { commands } from "#commands/index.ts";

const all = describeCommands(Object.values(commands));

function findOption(command: string, option: string): CompletableOption {
  const found = all
    .find(({ name }) => name === command)
    ?.options.find(({ name }) => name === option);
  return found ?? expect.unreachable();
}

describe("completedCommands", () => {
  test("has every command in the order of help, and help itself with their names", () => {
    const names = Object.keys(commands);
    expect(all.map(({ name }) => name)).toEqual([...names, "help"]);
    expect(all.at(-1)?.words).toEqual(names);
  });

  test("has the options of each command, and those of all", () => {
    for (const { name, options } of all) {
      expect(options.map((option) => option.name)).toEqual([
        ...(name === "help" ? ["all"] : Object.keys(commands[name]?.options ?? {})),
        "help",
        "version",
      ]);
    }
  });

  test.each([
    ["run", "annotate", undefined],
    ["run", "window", { placeholder: "N", isOptional: false, words: [], paths: undefined }],
    ["run", "otlp", { placeholder: "[URL]", isOptional: true }],
    ["run", "exit-code", { placeholder: "RULE", words: ["auto", "child"] }],
    ["run", "lock", { placeholder: "FILE", paths: "files" }],
    ["run", "log", { words: ["-", "off"], paths: "files" }],
    ["run", "spill-dir", { paths: "folders" }],
    ["tail", "tool", { paths: undefined }],
  ])("of %s has the value of --%s", (command, option, value) => {
    const found = findOption(command, option).value;
    if (value === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(value);
  });

  test("describes an option as help does", () => {
    expect(findOption("tail", "lines")).toMatchObject({
      short: "n",
      description: "start with the last N calls (default: 10)",
      isRepeatable: false,
    });
    expect(findOption("tail", "server").isRepeatable).toBe(true);
  });
});

test("groupOptions lists each option once, with the commands that share it", () => {
  const shared = groupOptions(all);
  const wide = shared.filter(({ option }) => option.name === "wide");
  expect(wide.map((option) => option.commands.includes("run"))).toEqual([true, false]);
  const count = all.flatMap(({ options }) => options).length;
  expect(shared.flatMap((option) => option.commands)).toHaveLength(count);
  expect(shared.length).toBeLessThan(count / 2);
});

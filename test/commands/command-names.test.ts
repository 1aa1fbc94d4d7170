import { expect, test } from "bun:test";
import { commandNames, findCommandByMeaning } from "#commands/command-names.ts";

test("a command's name is never taken for another command", () => {
  expect(commandNames.map(findCommandByMeaning)).toEqual(commandNames.map(() => undefined));
});

test("each word has one meaning, which is a command", () => {
  for (const word of ["stats", "usage", "cost", "list", "uninstall", "dashboard", "quota"]) {
    const [name] = (findCommandByMeaning(word) ?? "").split(" ");
    expect([word, commandNames.some((known) => known === name)]).toEqual([word, true]);
  }
  expect(findCommandByMeaning("npx")).toBeUndefined();
});

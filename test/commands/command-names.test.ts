import { expect, test } from "bun:test";
import { commandNames, findGuessedCommand } from "#commands/command-names.ts";

test("a command's name is never taken for another command", () => {
  expect(commandNames.map(findGuessedCommand)).toEqual(commandNames.map(() => undefined));
});

test("each word has one meaning, which is a command", () => {
  for (const word of ["stats", "usage", "cost", "list", "uninstall", "dashboard", "quota"]) {
    const [name] = (findGuessedCommand(word) ?? "").split(" ");
    expect([word, commandNames.some((known) => known === name)]).toEqual([word, true]);
  }
  expect(findGuessedCommand("npx")).toBeUndefined();
});

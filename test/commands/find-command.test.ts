import { expect, test } from "bun:test";
import { findCommand } from "#commands/find-command.ts";
import { commands } from "#commands/index.ts";
import { commandNames } from "#commands/names.ts";

test("findCommand finds each command by its name, and nothing else", async () => {
  for (const name of commandNames) expect(await findCommand(name)).toBe(commands[name]);
  for (const name of ["", "Run", "help", "constructor", "__proto__"]) {
    expect(await findCommand(name)).toBeUndefined();
  }
});

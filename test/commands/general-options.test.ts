import { expect, test } from "bun:test";
import { generalOptions } from "#commands/general-options.ts";
import { commands } from "#commands/index.ts";

test("no command has an option of every command", () => {
  for (const { options } of Object.values(commands)) {
    for (const name of Object.keys(generalOptions)) expect(options).not.toHaveProperty(name);
  }
});

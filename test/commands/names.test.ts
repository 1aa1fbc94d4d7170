import { expect, test } from "bun:test";
import { commands } from "#commands/index.ts";
import { commandNames } from "#commands/names.ts";

test("the names are those of the commands, in their order", () => {
  expect(Object.values(commands).map(({ name }) => name)).toEqual([...commandNames]);
});

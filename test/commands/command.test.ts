import { expect, test } from "bun:test";
import { defineCommand } from "#commands/command.ts";
import { fakeIo } from "../support/fake-io.ts";

const facts = {
  name: "grow",
  summary: "Grow",
  usage: "mcp-meter grow",
  groups: [
    { heading: "One", options: { a: { description: "a" } } },
    { heading: "Other", options: { b: { description: "b" } } },
  ],
  examples: [],
  exits: [],
};
const args = { options: { a: true }, operands: ["x"], child: undefined };

test("defineCommand joins the options of all groups", () => {
  const command = defineCommand({ ...facts, parse: () => 0, load: async () => grow });
  expect(Object.keys(command.options)).toEqual(["a", "b"]);
});

test("defineCommand parses, then loads and runs", async () => {
  const command = defineCommand({
    ...facts,
    parse: ({ operands }) => operands.length,
    load: async () => grow,
  });
  expect(await command.run(args, fakeIo().io)).toEqual({ code: 1 });
});

test("defineCommand loads nothing after a mistake", async () => {
  const command = defineCommand({
    ...facts,
    parse: (): number => {
      throw new Error("mistake");
    },
    load: async () => expect.unreachable(),
  });
  expect(await command.run(args, fakeIo().io).catch(String)).toBe("Error: mistake");
});

async function grow(size: number) {
  return { code: size };
}

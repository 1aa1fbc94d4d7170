import { expect, test } from "bun:test";
import { NameSplitter } from "#imports/name-splitter.ts";

test("a name is split as before each time, by its form", () => {
  const splitter = new NameSplitter(["my_server"]);
  const name = { joined: "mcp_my_server_tool", form: "single" } as const;
  expect(splitter.split(name)).toEqual({ server: "my_server", tool: "tool" });
  expect(splitter.split(name)).toBe(splitter.split({ ...name }));
  expect(splitter.split({ ...name, form: "double" })).toBeUndefined();
});

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { printCompletion } from "#commands/completion/command.ts";
import { commands } from "#commands/index.ts";
import { fakeIo } from "../../support/fake-io.ts";
import { Folder } from "../../support/folder.ts";

const all = Object.values(commands);

test("printCompletion prints the script of a shell, or writes it to a file", async () => {
  using folder = new Folder();
  const { io, stdout } = fakeIo();
  expect(await printCompletion(all, { shell: "fish", output: undefined }, io)).toEqual({ code: 0 });
  expect(stdout()).toContain("complete -c mcp-meter");
  await printCompletion(all, { shell: "fish", output: folder.at("fish") }, io);
  expect(readFileSync(folder.at("fish"), "utf8")).toBe(stdout());
});

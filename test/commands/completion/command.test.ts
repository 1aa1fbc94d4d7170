import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { printCompletion } from "#commands/completion/command.ts";
import { commands } from "#commands/index.ts";
import { fakeIo } from "../../support/fake-io.ts";
import { Folder } from "../../support/folder.ts";

const all = Object.values(commands);

test("printCompletion prints the script of a shell, or writes it to a file", () => {
  using folder = new Folder();
  const { io, stdout } = fakeIo();
  expect(printCompletion(all, { shell: "fish", output: undefined }, io)).toEqual({ code: 0 });
  expect(stdout()).toContain("complete -c mcp-meter");
  printCompletion(all, { shell: "fish", output: folder.at("fish") }, io);
  expect(readFileSync(folder.at("fish"), "utf8")).toBe(stdout());
});

test("printCompletion prints names of the records of this user, and nothing without any", () => {
  using folder = new Folder();
  const day = folder.at("mcp-meter", "sessions", "2026-11-22");
  mkdirSync(day, { recursive: true });
  writeFileSync(`${day}/a.ndjson`, '{"server":"b","tool":"t"}\n{"server":"a"}\n');
  for (const [env, text] of [
    [{ XDG_STATE_HOME: folder.path }, "a\nb\n"],
    [{ XDG_STATE_HOME: folder.at("missing") }, ""],
    [{}, ""],
  ] as const) {
    const { io, stdout } = fakeIo({ env });
    expect(printCompletion(all, { names: "server" }, io)).toEqual({ code: 0 });
    expect(stdout()).toBe(text);
  }
});

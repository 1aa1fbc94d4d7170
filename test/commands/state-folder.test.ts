import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { runCli } from "../../src/cli.ts";
import { prepareRecordPath } from "#state/storage/record-file.ts";
import { fakeIo } from "../support/fake-io.ts";
import { Folder } from "../support/folder.ts";

const sentence = (folder: string, part = "it") =>
  `Cannot use the state folder "${folder}": ${part} is a file; rename or remove it`;

test.each([
  [["report"]],
  [["report", "--sequences"]],
  [["tail"]],
  [["budgets"]],
  [["metrics"]],
  [["import"]],
  [["prune", "--older-than", "1h"]],
  [["dash", "--port", "0"]],
  [["wrap", "notes", "--yes"]],
  [["unwrap", "--all", "--yes"]],
])("%j with a file as state folder says so, and ends", async (argv) => {
  using home = new Folder();
  const meter = home.file("mcp-meter", "");
  mkdirSync(home.at(".local/state"), { recursive: true });
  const state = home.file(".local/state/mcp-meter", "a file");
  const mcpServers = {
    notes: { command: "./notes" },
    mail: { command: meter, args: ["--", "./mail"] },
  };
  home.file(".claude.json", JSON.stringify({ mcpServers }));
  const { io, stderr } = fakeIo({ argv, env: { HOME: home.path } });
  expect(await runCli({ ...io, validatorCommand: [meter] })).toEqual({ code: 2 });
  expect(stderr()).toEndWith(`mcp-meter: ${sentence(state)}\n`);
});

test("a session has no records where a file is above its state folder", () => {
  using home = new Folder();
  const file = home.file(".local", "a file");
  const prepare = () =>
    prepareRecordPath({ HOME: home.path }, { at: new Date(0), server: "a", random: "b" });
  expect(prepare).toThrow(sentence(home.at(".local/state/mcp-meter"), `"${file}"`));
});

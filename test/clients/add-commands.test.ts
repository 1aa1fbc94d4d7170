import { expect, test } from "bun:test";
import { addCommand } from "#clients/add-commands.ts";
import { type ClientId, clientIds } from "#clients/ids.ts";
import { shellWord } from "#text/shell-word.ts";

type AddedServer = Parameters<NonNullable<ReturnType<typeof addCommand>>["commands"]>[0];

const words = ["/opt/my tools/mcp-meter", "--server", "it's", "--", "npx", "$(id)", '"q"'];
const server: AddedServer = { name: "it's", words, variables: ["KEY"], scope: "user" };

const commandsOf = (id: ClientId, more: Partial<AddedServer> = {}) =>
  addCommand(id)?.commands({ ...server, ...more });

test("five clients have a command of their own", () => {
  const ids = clientIds.filter((id) => addCommand(id) !== undefined);
  expect(ids).toEqual(["claude-code", "codex", "vs-code", "gemini-cli", "qwen-code"]);
  expect(ids.filter((id) => addCommand(id)?.rewrites)).toEqual(["codex"]);
});

test("Claude Code gets the entry as JSON, once the old one is gone", () => {
  const [remove, add] = commandsOf("claude-code") ?? [];
  expect(remove).toEqual(["claude", "mcp", "remove", "it's", "--scope", "user"]);
  expect(add?.slice(0, 4)).toEqual(["claude", "mcp", "add-json", "it's"]);
  expect(JSON.parse(add?.[4] ?? "")).toEqual({
    type: "stdio",
    command: words[0],
    args: words.slice(1),
    env: { KEY: "VALUE" },
  });
});

test("VS Code gets the name in the JSON, and writes for the user alone", () => {
  const [[program, option, json = ""] = []] = commandsOf("vs-code", { variables: [] }) ?? [];
  expect([program, option, JSON.parse(json)]).toEqual([
    "code",
    "--add-mcp",
    { name: "it's", type: "stdio", command: words[0], args: words.slice(1) },
  ]);
  expect(commandsOf("vs-code", { scope: "project" })).toEqual([]);
  expect(commandsOf("codex", { scope: "project" })).toEqual([]);
});

test("Gemini CLI and Qwen Code drop the first --, which stands behind the program", () => {
  for (const [id, program] of [
    ["gemini-cli", "gemini"],
    ["qwen-code", "qwen"],
  ] as const) {
    expect(commandsOf(id)).toEqual([
      [
        program,
        "mcp",
        "add",
        "--scope",
        "user",
        "-e",
        "KEY=VALUE",
        "it's",
        words[0] ?? "",
        "--",
        ...words.slice(1),
      ],
    ]);
  }
});

test("a shell reads the words of every line as they are", () => {
  for (const id of clientIds) {
    for (const command of commandsOf(id) ?? []) {
      const line = command.map(shellWord).join(" ");
      const { stdout } = Bun.spawnSync(["sh", "-c", `printf '%s\\0' ${line}`]);
      expect(stdout.toString().split("\0").slice(0, -1)).toEqual([...command]);
    }
  }
});

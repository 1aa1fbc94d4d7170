import { describe, expect, test } from "bun:test";
import { renderCompletion } from "#commands/completion/command.ts";
import { describeCommands } from "#commands/completion/shell-scripts.ts";
import { readEnvironment } from "#commands/environment-variables.ts";
import { renderCommandHelp } from "#commands/help.ts";
import { commands } from "#commands/index.ts";
import { parseProfileChoice } from "#commands/profile/options.ts";
import { readWords } from "#commands/parse-command-line.ts";

const rows: readonly (readonly [command: string, former: string, name: string])[] = [
  ...["run", "serve", "lock", "check"].map((name) => [name, "client", "as-client"] as const),
  ...["wrap", "unwrap"].map((name) => [name, "client", "settings-of"] as const),
  ...["lock", "check"].map((name) => [name, "file", "lock"] as const),
  ...["import", "validate"].map((name) => [name, "server", "server-name"] as const),
  ["check", "max-growth", "max-call-increase"],
  ["count", "limit", "max-total"],
  ["import", "projects", "names"],
];

describe("the former name of an option", () => {
  test.each(rows)("%s --%s is read as --%s, and shown nowhere", async (command, former, name) => {
    const spec = commands[command] ?? expect.unreachable();
    const [option] = [spec.options[name] ?? expect.unreachable()];
    const words = option.value === undefined ? [`--${former}`] : [`--${former}`, "x"];
    const [byFormer, byName] = [words, [`--${name}`, ...words.slice(1)]].map(
      (line) => readWords(line, spec.options, command).flags,
    );
    expect(byFormer).toEqual(byName ?? expect.unreachable());
    const variable = `MCP_METER_${former.toUpperCase().replaceAll("-", "_")}`;
    const isSettable = option.isCommandLineOnly !== true;
    const read = readEnvironment(spec.options, { [variable]: "x" });
    expect(read).toEqual(isSettable ? { [name]: "x" } : {});
    const help = await renderCommandHelp(spec, { columns: 80, color: false }, true);
    const script = renderCompletion("bash", describeCommands([spec]), "1");
    for (const shown of [help, script])
      expect(shown).not.toMatch(new RegExp(`--${former}(?![\\w-])`));
  });

  test("profile --client is whose settings, or else whose way of counting", () => {
    const spec = commands["profile"] ?? expect.unreachable();
    const parse = (words: readonly string[], child?: readonly string[]) => {
      const { flags, operands } = readWords(words, spec.options, "profile");
      return parseProfileChoice({ options: flags, operands, child });
    };
    const client = ["--client", "codex"];
    expect(parse(["--configured", ...client])).toMatchObject({ setup: { clients: ["codex"] } });
    expect(parse(client, ["s"])).toMatchObject({ server: { reading: { client: "codex" } } });
    expect(() => parse(["--configured", "--as-client", "codex"])).toThrow(
      "Cannot combine --configured with --as-client",
    );
  });
});

const changing = ["wrap", "unwrap", "trim", "budgets", "lock", "check", "prune", "import"];

test("each command that changes something has --dry-run", () => {
  const dry = Object.values(commands).filter(({ options }) => Object.hasOwn(options, "dry-run"));
  expect(dry.map(({ name }) => name).toSorted()).toEqual(changing.toSorted());
});

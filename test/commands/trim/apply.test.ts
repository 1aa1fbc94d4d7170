import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { findEntries } from "#clients/configured-entries.ts";
import type { ClientId } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import { hideCharactersMax } from "#commands/trim/choose-tools.ts";
import { listHidden } from "#commands/wrap/change-entry-options.ts";
import { resolveEntry } from "#commands/wrap/configured-limits.ts";
import { parseTrimRules } from "#commands/run/options.ts";
import { isHiddenTool } from "#lock/hidden-tools.ts";
import { readClientFile } from "#state/storage/clients/read-settings.ts";
import { wrapFixtures } from "../../support/wrapping.ts";
import { madeSessions, TrimHome } from "./cast.ts";

const tools = ["search", "water", "plant", "-grow", "a=b", "größe"];
const unused = tools.slice(1);
const made = (server = "memory", client = "claude-code") =>
  madeSessions(3, { server, client, tools, called: ["search"] });

const clientsOfFixtures: { readonly [beginning: string]: ClientId } = {
  "01": "claude-desktop",
  "02": "cursor",
  "03": "vs-code",
  "04": "zed",
  "05": "opencode",
  "06": "claude-code",
  "07": "codex",
  "08": "codex",
  "09": "goose",
  "10": "continue",
};

const shapes: readonly (readonly [name: string, client: ClientId, text: string])[] = [
  ...wrapFixtures.map(({ name, text }) => {
    const client = clientsOfFixtures[name.slice(0, 2)] ?? expect.unreachable();
    return [name, client, text] as const;
  }),
  ["one line", "cursor", '{"mcpServers":{"memory":{"command":"x"}}}'],
  ["one line with arguments", "cursor", '{"mcpServers":{"memory":{"command":"x","args":["y"]}}}'],
  [
    "lines",
    "cursor",
    JSON.stringify({ mcpServers: { memory: { command: "x", args: ["y"] } } }, null, 2),
  ],
  [
    "comments",
    "vs-code",
    '{ // mine\r\n  "servers": { "memory": { /* a */ "command": "x", // b\r\n      "args": [ // c\r\n        "y", // d\r\n      ], } } }\r\n',
  ],
  ["TOML table", "codex", '[mcp_servers.memory] # one\ncommand = "x" # two\n'],
  [
    "TOML lines",
    "codex",
    '[mcp_servers.memory]\ncommand = "x"\nargs = [\n  "y", # mine\n  "z",\n]\n[mcp_servers.memory.env]\nA = "b"\n',
  ],
  ["TOML inline", "codex", "mcp_servers.memory = { command = 'x', args = ['y'] }\r\n"],
  [
    "YAML block",
    "goose",
    "extensions:\n  memory: # a\n    cmd: x\n    args:\n      - y # b\n      - z\n",
  ],
  ["YAML flow", "goose", "extensions: {memory: {cmd: x, args: [y, z]}}\n"],
  [
    "YAML without arguments",
    "goose",
    "extensions:\n  memory:\n    cmd: x # a\n    enabled: true\n",
  ],
  [
    "YAML list",
    "continue",
    "mcpServers:\n  - name: other\n    command: z\n  - name: memory\n    command: 'x'\n",
  ],
];

const named = (file: string, client: ClientId) => ["--file", file, "--client", client] as const;

const entriesOf = (file: string, client: ClientId) => {
  const read = readClientFile(file, clients[client].language);
  return read && "value" in read ? findEntries(clients[client], read.value) : [];
};

describe.each(shapes)("settings: %s", (name, client, text) => {
  test("get exact names, and their bytes back from --undo and from unwrap", async () => {
    using home = new TrimHome(made("memory", client));
    const file = home.write(`settings/${name}`, text);
    const read = () => readFileSync(file, "utf8");
    const only = ["memory", ...named(file, client)];
    const wrapping = ["wrap", "memory", "--file", file, "--settings-of", client, "--yes"];
    expect((await home.run(...wrapping)).ending).toEqual({ code: 0 });
    const wrapped = read();
    const applied = await home.trim([...only, "--apply", "--yes"]);
    expect(applied).toMatchObject({ ending: { code: 0 }, stderr: "" });
    expect(applied.stdout).toStartWith("Hid 5 tools of 1 server\n");
    const entry = entriesOf(file, client).find(({ rawName }) => rawName === "memory");
    expect(entry && listHidden(entry)).toEqual(unused);
    const resolved = entry && resolveEntry(entry, { env: home.env, platform: "linux" });
    const rules = parseTrimRules(resolved?.options ?? {});
    const probes = [...tools, "Water", "watering", "a", "b", "grow", "größe2"];
    expect(probes.filter((tool) => isHiddenTool(rules, tool))).toEqual(unused);
    expect((await home.trim([...only, "--apply", "--yes"])).stdout).toStartWith(
      "Nothing to hide\n",
    );
    const undone = await home.trim(["--undo", "--yes"]);
    expect(undone).toMatchObject({ ending: { code: 0 }, stderr: "" });
    expect(undone.stdout).toStartWith("Showed 5 tools of 1 server again\n");
    expect(read()).toBe(wrapped);
    expect((await home.trim(["--undo", "--yes"])).stdout).toStartWith("Nothing to show again\n");
    await home.trim([...only, "--apply", "--yes"]);
    expect(read()).not.toBe(wrapped);
    const unwrapping = ["unwrap", "memory", "--file", file, "--settings-of", client, "--yes"];
    expect((await home.run(...unwrapping)).ending).toEqual({ code: 0 });
    expect(read()).toBe(text);
    expect(readdirSync(home.folder.at("mcp-meter/backups"))).toEqual([]);
    expect((await home.trim(["--undo", "--yes"])).stdout).toStartWith("Nothing to show again\n");
  });
});

const file = ".claude.json";

describe("--undo", () => {
  test("after two applications takes out both, and one tool where one is named", async () => {
    using home = new TrimHome(made());
    home.writeServers(file, { memory: ["--budget", "9k"] });
    const before = home.read(file);
    await home.trim(["--apply", "--yes", "--tool", "water", "--tool", "plant"]);
    await home.trim(["--apply", "--yes"]);
    const both = home.read(file);
    expect(both).toContain('"9k","--hide","water","--hide","plant","--hide=-grow","--hide","a=b"');
    await home.trim(["memory", "--undo", "--tool", "plant", "--yes"]);
    expect(home.read(file)).toBe(both.replace('"--hide","plant",', ""));
    expect((await home.trim(["--undo", "--yes"])).stdout).toStartWith("Showed 4 tools");
    expect(home.read(file)).toBe(before);
  });

  test("takes out only what trim has added, where a person has edited the entry since", async () => {
    using home = new TrimHome(made());
    home.writeServers(file, { memory: ["--hide", "mine"] });
    const before = home.read(file);
    await home.trim(["--apply", "--yes"]);
    const edited = home
      .read(file)
      .replace('"--hide","water",', "")
      .replace('"--hide","plant"', '"--hide","also mine","--annotate","--hide","plant"');
    home.write(file, edited);
    expect((await home.trim(["--undo", "--yes"])).stdout).toStartWith("Showed 4 tools");
    expect(home.read(file)).toBe(
      before.replace('"--hide","mine",', '"--hide","mine","--hide","also mine","--annotate",'),
    );
  });

  test("leaves options alone that trim did not write, also those of an entry that was wrapped again", async () => {
    using home = new TrimHome(made());
    home.writeServers(file, { memory: [] });
    await home.trim(["--apply", "--yes"]);
    await home.run("unwrap", "--all", "--yes");
    await home.run("wrap", "memory", "--yes", "--", "--hide", "water");
    const again = home.read(file);
    expect(again).toContain('"--hide", "water"');
    expect((await home.trim(["--undo", "--yes"])).stdout).toStartWith("Nothing to show again\n");
    expect(home.read(file)).toBe(again);
  });

  test("and unwrap restore a remote server, which mcp-remote starts", async () => {
    const text =
      '{"mcpServers":{"memory":{"type":"http","url":"https://example.com","headers":{"A":"b"}}}}';
    using home = new TrimHome(made());
    home.write(file, text);
    await home.run("wrap", "memory", "--remote", "--yes");
    const wrapped = home.read(file);
    await home.trim(["--apply", "--yes"]);
    await home.trim(["--undo", "--yes"]);
    expect(home.read(file)).toBe(wrapped);
    await home.trim(["--apply", "--yes"]);
    expect(home.read(file)).not.toBe(wrapped);
    await home.run("unwrap", "--all", "--yes");
    expect(home.read(file)).toBe(text);
  });

  test("of a file that cannot be read any more is a failure, and one that is gone is none", async () => {
    using home = new TrimHome(made());
    const path = home.writeServers(file, { memory: [] });
    await home.trim(["--apply", "--yes"]);
    home.write(file, "{");
    expect(await home.trim(["--undo", "--yes"])).toMatchObject({
      ending: { code: 1 },
      stderr: expect.stringContaining("Cannot read the settings"),
    });
    rmSync(path);
    expect((await home.trim(["--undo", "--yes"])).ending).toEqual({ code: 0 });
  });

  test("finds an entry of a list at its new position, and a file only --file named", async () => {
    using home = new TrimHome(made("memory", "continue"));
    const [command, ...args] = home.words("memory").map((word) => JSON.stringify(word));
    const entry = `  - name: memory\n    command: ${command}\n    args: [${args.join(", ")}]\n`;
    const list = home.write("list.yaml", `mcpServers:\n${entry}`);
    await home.trim([...named(list, "continue"), "--apply", "--yes"]);
    const first = "mcpServers:\n  - name: new\n    command: z\n";
    home.write("list.yaml", home.read("list.yaml").replace("mcpServers:\n", first));
    await home.trim(["--undo", "--yes"]);
    expect(home.read("list.yaml")).toBe(`${first}${entry}`);
  });

  test("chooses by client, file and server, and says which server it does not know", async () => {
    using home = new TrimHome([...made(), ...made("other")]);
    const path = home.writeServers(file, { memory: [], other: [] });
    const before = home.read(file);
    await home.trim(["--apply", "--yes"]);
    const trimmed = home.read(file);
    expect((await home.trim(["--undo", "--yes", "--client", "codex"])).stdout).toStartWith(
      "Nothing",
    );
    expect((await home.trim(["--undo", "--yes", "--file", "/else"])).stdout).toStartWith("Nothing");
    expect(home.trim(["memroy", "--undo"])).rejects.toThrow('did you mean "memory"?');
    expect(home.read(file)).toBe(trimmed);
    await home.trim(["memory", "--undo", "--yes", "--file", path]);
    expect((await home.trim(["--undo"])).stdout).toMatch(/^Would show 5 tools of 1 server again\n/);
    await home.trim(["--undo", "--yes"]);
    expect(home.read(file)).toBe(before);
  });
});

describe("--apply", () => {
  test("writes nothing without a yes, and says what to run", async () => {
    using home = new TrimHome(made());
    home.writeServers(file, { memory: [] });
    const before = home.read(file);
    const { ending, stdout, stderr } = await home.trim(["memory", "--apply"]);
    expect(ending).toEqual({ code: 0 });
    expect(stdout).toMatch(
      /^Would hide 5 tools of 1 server\n\n~\/\.claude\.json\n- .*\n\+ .*"--hide"/,
    );
    expect(stderr).toBe(
      'mcp-meter: Nothing was changed; to apply the changes, run "mcp-meter trim memory --apply --yes"\n',
    );
    for (const words of [[], ["--dry-run"], ["--json", "--apply"]]) await home.trim(words);
    await home.trim(["--apply"], { canAsk: () => true, ask: async () => ({ isYes: false }) });
    expect(home.read(file)).toBe(before);
    expect(readdirSync(home.folder.at("mcp-meter"))).toEqual(["sessions"]);
    const questions: string[] = [];
    const ask = async (question: string) => (questions.push(question), { isYes: true });
    await home.trim(["--apply"], { canAsk: () => true, ask });
    expect(questions).toEqual(["Change this file? [y/N]"]);
    expect(home.read(file)).not.toBe(before);
    expect(statSync(home.folder.at("mcp-meter/wraps.ndjson")).mode & 0o777).toBe(0o600);
  });

  test("changes nothing where the journal cannot be written, which --undo needs", async () => {
    using home = new TrimHome(made());
    home.writeServers(file, { memory: [] });
    const before = home.read(file);
    mkdirSync(home.folder.at("mcp-meter/wraps.ndjson"));
    const { ending, stderr } = await home.trim(["--apply", "--yes"]);
    expect(ending).toEqual({ code: 1 });
    expect(stderr).toMatch(
      /^mcp-meter: Cannot write the journal ".*", which "trim --undo" needs: .*; ".*" is left unchanged\n$/,
    );
    expect(home.read(file)).toBe(before);
    expect(existsSync(home.folder.at("mcp-meter/backups"))).toBe(false);
  });

  test("leaves names that a pattern, a shell or a client would read differently", async () => {
    const hostile = [
      "x*",
      "x?",
      "two words",
      "",
      'say"',
      "it's",
      "$HOME",
      "${input:x}",
      "%PATH%",
      "a&calc",
      "a|b",
      "`id`",
      "a;b",
      "a\nb",
      "a\u202eb",
      "{env:X}",
      "\\",
      "x".repeat(256),
      "\ud800",
    ];
    const plain = ["water", "-grow", "a=b", "größe", "名前", "a/b.c:d@e+f"];
    using home = new TrimHome(
      madeSessions(3, { tools: ["search", ...hostile, ...plain], called: ["search"] }),
    );
    home.writeServers(file, { github: [] });
    const [row] = (await home.report("--apply", "--yes")).servers;
    expect(row).toMatchObject({ state: "changed", tools: plain });
    expect(row?.left).toHaveLength(hostile.length);
    expect(home.read(file)).not.toMatch(/calc|HOME|two words/);
  });

  test("leaves what would not fit into a command line", async () => {
    const length = 100;
    const words = "--hide ".length + length + 1;
    const count = Math.floor(hideCharactersMax / words);
    const names = Array.from({ length: count + 1 }, (_, at) => `${at}`.padEnd(length, "x"));
    using home = new TrimHome(madeSessions(3, { tools: ["search", ...names], called: ["search"] }));
    home.writeServers(file, { github: [] });
    const [row] = (await home.report()).servers;
    expect([row?.tools.length, row?.left]).toEqual([count, names.slice(-1)]);
  });
});

import { describe, expect, test } from "bun:test";
import { chmodSync, rmSync } from "node:fs";
import { parseTrimOptions, sessionsMinDefault } from "#commands/trim/index.ts";
import { adviceSessionsMin } from "#history/reports/advice/unused-tools.ts";
import { report } from "#commands/report/command.ts";
import { parseReportOptions } from "#commands/report/options.ts";
import type { MeterRecord } from "#records/record.ts";
import { fakeIo } from "../../support/fake-io.ts";
import { thrownBy } from "../../support/folder.ts";
import { fortnightNowMs, madeFortnight } from "../../support/made-fortnight.ts";
import { breachRecord, toolDefinition } from "../../support/made-records.ts";
import { notesPerKindMax } from "#screens/renderers/documents/settings/trim.ts";
import { commandSchema } from "../../support/report-schemas.ts";
import { madeSessions, TrimHome } from "./cast.ts";

const fortnight = madeFortnight().map((session) => session.map(addUnusedTools));

/** A dozen of them to github, and four to filesystem; the size depends on the client. */
function addUnusedTools(record: MeterRecord): MeterRecord {
  if (record.type !== "definitions" || record.server === "weather") return record;
  const [length, tokens] = record.server === "github" ? [12, 300] : [4, 200];
  const unused = Array.from({ length }, (_, at) => toolDefinition(`unused_${at}`, tokens + at));
  const tools = [...record.tools, ...unused];
  const total = tools.reduce((sum, tool) => sum + tool.tokens, 0);
  return {
    ...record,
    tools,
    tools_total: tools.length,
    total_tokens: total,
    resident_tokens: total,
  };
}

const clientFiles = {
  "claude-code": ".claude.json",
  "gemini-cli": ".gemini/settings.json",
} as const;

async function readAdvice(home: TrimHome, client?: string) {
  const { io, stdout } = fakeIo({ env: home.env });
  const chosen = client === undefined ? {} : { client: [client] };
  const options = { advice: true, json: true, since: "30d", timezone: "UTC", ...chosen };
  await report(parseReportOptions({ options, operands: [], child: undefined }), io, fortnightNowMs);
  return JSON.parse(stdout()).blocks[0].advice;
}

const noOptions = { github: [], filesystem: [], weather: [] };

describe("trim proposes what report --advice says", () => {
  test("of each client, with equal numbers", async () => {
    using home = new TrimHome(fortnight);
    for (const file of Object.values(clientFiles)) home.writeServers(file, noOptions);
    const { servers, total } = await home.report();
    expect(servers).toHaveLength(6);
    for (const client of Object.keys(clientFiles)) {
      const advice = await readAdvice(home, client);
      for (const server of ["github", "filesystem"]) {
        const found = servers.find((row) => row.client === client && row.server === server);
        const advised = advice.find(
          (row: { server: string; kind: string }) =>
            row.server === server && row.kind === "unused_tools",
        );
        expect(found).toMatchObject({
          state: "proposed",
          tools: advised.names,
          listed: advised.listed,
          tokens_after: (found?.tokens_before ?? 0) - advised.tokens,
          month_tokens: advised.saved_tokens,
        });
      }
      const weather = servers.find((row) => row.client === client && row.server === "weather");
      const unused = advice.find((row: { kind: string }) => row.kind === "unused_server");
      expect(weather).toMatchObject({
        state: "unused",
        tools: [],
        tokens_before: unused.tokens,
        sessions: unused.sessions,
        month_tokens: unused.saved_tokens,
      });
    }
    const proposed = servers.filter(({ state }) => state === "proposed");
    const sum = (pick: (row: (typeof proposed)[number]) => number) =>
      proposed.reduce((all, row) => all + pick(row), 0);
    expect(total).toMatchObject({
      tools: 32,
      tokens_before: sum((row) => row.tokens_before),
      tokens_after: sum((row) => row.tokens_after),
      month_tokens: sum((row) => row.month_tokens),
    });
  });

  test("of all sessions of a server that one client has, whatever that calls itself", async () => {
    using home = new TrimHome(fortnight);
    home.writeServers(".cursor/mcp.json", { github: [] });
    const [found] = (await home.report()).servers;
    const advised = (await readAdvice(home)).find(
      (row: { server: string; kind: string }) =>
        row.server === "github" && row.kind === "unused_tools",
    );
    expect(found).toMatchObject({ tools: advised.names, month_tokens: advised.saved_tokens });
  });

  test("a month is 30 days, and dollars are those of one reading a session", async () => {
    using home = new TrimHome(fortnight);
    home.writeServers(".claude.json", { github: [] });
    const [month] = (await home.report()).servers;
    const [week] = (await home.report("--since", "7d")).servers;
    expect(week?.month_tokens).toBe(Math.round((month?.month_tokens ?? 0) * 0.5 * (30 / 7)));
    const { low = 0, high = 0 } = month?.month_usd ?? {};
    expect(low).toBeGreaterThan(0);
    expect(high).toBeGreaterThanOrEqual(low);
  });
});

const used = { tools: ["search", "water", "plant"], called: ["search"] };

test("the report names what a person decides, fits 80 columns, and says the next command", async () => {
  const wanted = breachRecord({ budget: "hide", limit: 0, tool: "grow", is_enforced: true });
  using home = new TrimHome([
    ...madeSessions(3, { ...used, more: [wanted] }),
    ...madeSessions(3, { server: "weather", tools: ["forecast"], tokens: 900 }),
    ...madeSessions(2, { server: "rare", ...used }),
    ...madeSessions(3, { server: "small", ...used, tokens: 80 }),
  ]);
  home.writeServers(".claude.json", {
    github: ["--hide", "grow"],
    weather: [],
    rare: [],
    small: [],
  });
  home.write(
    ".cursor/mcp.json",
    '{"mcpServers":{"plain":{"command":"x"},"far":{"url":"http://x"}}}',
  );
  const { ending, stdout, stderr } = await home.trim(["--since", "30d"]);
  expect([ending, stderr]).toEqual([{ code: 0 }, ""]);
  expect(stdout).toMatchInlineSnapshot(`
    "Would hide 2 tools of 1 server

    client       server  tools   before  after  saved per month         dollars
    claude-code  github  2 of 3    ~900   ~300           ~1,800  ~$0.0090–0.018

    tokens       "before" and "after": tokens of the definitions in one session; "saved per month": tokens saved in 30 days, according to the records of 2026-10-24 until now, UTC
    hide         github (claude-code): water, plant
    never used   weather (claude-code): started in 3 sessions and never called; its definitions cost ~900 tokens in each session; remove the server from the settings, or turn it off in the client
    too few      fewer than 3 sessions: rare (claude-code)
    wanted       github (claude-code): a model asked for grow 3 times; an option, a config file or a policy hides it
    not wrapped  plain, far; trim changes only wrapped servers. To wrap them:
                 mcp-meter wrap
    cost         at list prices (genai-prices 0.1.8, 2026-09-23); counts the definitions once per session, at a price between the input price and the cache-write price; does not count later requests, which read the definitions again, mostly from a cache
    next         to hide the tools:
                 mcp-meter trim --since 30d --apply
    "
  `);
  const json = await home.report();
  const validate = commandSchema("trim");
  expect([validate(json), validate.errors]).toEqual([true, null]);
  expect(json.servers.map(({ server, state }) => [server, state])).toEqual([
    ["weather", "unused"],
    ["github", "proposed"],
    ["rare", "few_sessions"],
    ["small", "kept"],
  ]);
  expect(sessionsMinDefault).toBe(adviceSessionsMin);
  const rare = await home.report("rare", "--min-sessions", "2");
  expect(rare.servers).toMatchObject([{ server: "rare", tools: ["water", "plant"] }]);
});

const byText = (a: string, b: string) => (a < b ? -1 : 1);

const water = ["search", "water", "plant"];

describe("a tool stays shown", () => {
  test("in every client, if one of them called it", async () => {
    using home = new TrimHome([
      ...madeSessions(3, { tools: water, called: ["search", "water"] }),
      ...madeSessions(3, { client: "codex-mcp-client", tools: water, called: ["plant"] }),
      ...madeSessions(3, { client: "codex-mcp-client", server: "idle", tools: water }),
      ...madeSessions(3, { server: "idle", tools: water, called: water.slice(0, 1) }),
    ]);
    home.writeServers(".claude.json", { github: [], idle: [] });
    const [command = "", ...args] = home.words("github");
    const idle = home.words("idle").slice(1);
    home.write(
      ".codex/config.toml",
      [args, idle]
        .map(
          (list, at) =>
            `[mcp_servers.${["github", "idle"][at]}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(list)}\n`,
        )
        .join(""),
    );
    const { servers } = await home.report("--min-sessions", "3");
    const rows = servers.map(({ client, server, state, tools }) => [client, server, state, tools]);
    expect(rows.map((row) => row.join(" ")).toSorted(byText)).toEqual([
      "claude-code github kept ",
      "claude-code idle proposed water,plant",
      "codex github kept ",
      "codex idle unused ",
    ]);
    const only = await home.report("--client", "codex");
    expect(only.servers.map(({ client }) => client)).toEqual(["codex", "codex"]);
  });

  test("if a log has it under the name that its client makes of it", async () => {
    const tools = ["search", "get.user", "get-team", "water", "plant"];
    const logged = madeSessions(1, {
      server: "my_server",
      tools: [],
      called: ["get_user", "get_team"],
    });
    using home = new TrimHome([
      ...madeSessions(3, { server: "my server", tools, called: ["search"] }),
      ...logged.map((session) => session.filter(({ type }) => type !== "definitions")),
    ]);
    home.writeServers(".claude.json", { "my server": [] });
    expect((await home.report()).servers).toMatchObject([{ tools: ["water", "plant"] }]);
  });

  test("if --tool does not match it, or an option hides it already", async () => {
    using home = new TrimHome(madeSessions(3, { tools: water, called: ["search"], tokens: 600 }));
    home.writeServers(".claude.json", {
      github: ["--only", "[p-s]*", "--only", "search", "--only", "pl*"],
    });
    expect((await home.report()).servers).toMatchObject([{ tools: ["plant"] }]);
    home.writeServers(".claude.json", { github: [] });
    expect((await home.report("--tool", "w*")).servers).toMatchObject([{ tools: ["water"] }]);
  });
});

test("options in a config file or a variable of the entry are not overridden", async () => {
  using home = new TrimHome(madeSessions(3, { ...used, tokens: 600 }));
  home.writeServers(".claude.json", { github: [] });
  const text = home.read(".claude.json");
  home.write("config/mcp-meter/config.json", '{"hide":["secret_*"]}');
  const kept = {
    state: "kept",
    tools: [],
    reason: expect.stringContaining("the hide list in a config file"),
  };
  expect((await home.report()).servers).toMatchObject([kept]);
  expect((await home.trim([])).stdout).toContain(
    "not hidden  github (claude-code): a --hide option would replace the hide list in a config file",
  );
  home.write("config/mcp-meter/config.json", '{"servers":{"github":{"only":["*"]}}}');
  home.writeServers(".claude.json", { github: ["--unknown"] });
  const mistaken = { state: "kept", reason: "its options have a mistake" };
  expect((await home.report()).servers).toMatchObject([mistaken]);
  home.writeServers(".claude.json", { github: ["--hide", "mine"] });
  expect((await home.report()).servers).toMatchObject([{ state: "proposed" }]);
  home.write(".claude.json", text.replace('"args"', '"env":{"MCP_METER_HIDE":"secret_*"},"args"'));
  expect((await home.report()).servers).toMatchObject([kept]);
});

test("a hidden tool that a model asked for is named, with the command that shows it again", async () => {
  const wanted = breachRecord({ budget: "hide", limit: 0, tool: "water", is_enforced: true });
  using home = new TrimHome(madeSessions(3, used));
  home.writeServers(".claude.json", { github: [] });
  expect((await home.report()).servers).toMatchObject([{ tools: ["water", "plant"], wanted: [] }]);
  await home.trim(["--apply", "--yes"]);
  home.replaceSessions(madeSessions(3, { ...used, more: [wanted] }));
  const [row] = (await home.report()).servers;
  expect(row?.wanted).toEqual([{ tool: "water", calls: 3, is_hidden_by_trim: true }]);
  const { stdout } = await home.trim([]);
  const command = "mcp-meter trim github --undo --tool water";
  expect(stdout).toContain(
    `a model asked for water 3 times; to show it again:\n        ${command}\n`,
  );
  await home.trim([...command.split(" ").slice(2), "--yes"]);
  expect((await home.report()).servers).toMatchObject([{ tools: [], wanted: [] }]);
});

describe("settings that cannot be changed", () => {
  test.each([
    [
      "read-only",
      (home: TrimHome) => chmodSync(home.folder.at(".claude.json"), 0o444),
      "it is read-only",
    ],
    ["broken", (home: TrimHome) => home.write(".claude.json", "{"), "Cannot read the settings"],
    [
      "without their mcp-meter",
      (home: TrimHome) => rmSync(home.program),
      "Left 2 servers as they are",
    ],
  ])("%s: refused, with code 1", async (_, damage, sentence) => {
    using home = new TrimHome(madeSessions(3, used));
    home.writeServers(".claude.json", { github: [] });
    home.writeServers(".cursor/mcp.json", { other: [] });
    damage(home);
    const before = home.read(".claude.json");
    const { ending, stderr } = await home.trim(["--apply", "--yes"]);
    expect(ending).toEqual({ code: 1 });
    expect(stderr).toContain(sentence);
    expect(home.read(".claude.json")).toBe(before);
  });

  test("a duplicate key, and an anchor", async () => {
    using home = new TrimHome([
      ...madeSessions(3, used),
      ...madeSessions(3, { ...used, client: "goose" }),
    ]);
    const [command, ...args] = home.words("github").map((word) => JSON.stringify(word));
    const list = `[${args.join(", ")}]`;
    for (const [file, text] of [
      [
        ".claude.json",
        `{"mcpServers":{"github":{"command":${command},"command":${command},"args":${list}}}}`,
      ],
      [
        "config/goose/config.yaml",
        `x: &x ${list}\nextensions:\n  github:\n    cmd: ${command}\n    args: *x\n`,
      ],
    ] as const) {
      home.write(file, text);
      const { ending, stdout } = await home.trim([
        "--apply",
        "--yes",
        "--client",
        file.includes("goose") ? "goose" : "claude-code",
      ]);
      expect([ending, stdout]).toEqual([
        { code: 1 },
        expect.stringMatching(/^Could not change 1 server\n[^]*refused: /),
      ]);
      expect(home.read(file)).toBe(text);
    }
  });
});

test(`at most ${notesPerKindMax} notes of one kind are printed`, async () => {
  const count = notesPerKindMax + 1;
  const more = Array.from({ length: count }, (_, at) => {
    return breachRecord({ budget: "hide", limit: 0, tool: `grow_${at}`, is_enforced: true });
  });
  const print = async (notes: number) => {
    using home = new TrimHome(madeSessions(1, { ...used, more: more.slice(0, notes) }));
    home.writeServers(".claude.json", { github: ["--hide", "grow*"] });
    const { stdout } = await home.trim([]);
    return [stdout.match(/a model asked for/g)?.length, /wanted +(\d+) more;/.exec(stdout)?.[1]];
  };
  expect(await print(notesPerKindMax)).toEqual([notesPerKindMax, undefined]);
  expect(await print(count)).toEqual([notesPerKindMax, "1"]);
});

test("settings of a project are changed only with --project", async () => {
  using home = new TrimHome(madeSessions(3, used));
  home.writeServers("project/.mcp.json", { github: [] });
  const project = home.folder.at("project");
  const { stdout } = await home.trim(["--project", project]);
  expect(stdout).toStartWith("Would hide 2 tools of 1 server\n");
  expect(home.trim([])).rejects.toThrow("Found no MCP servers");
});

test("every line fits 80 columns, whatever is named", async () => {
  const long = `花園-${"very-long-name-".repeat(9)}`;
  const tools = ["search", ...Array.from({ length: 12 }, (_, at) => `${long}${at}`), "x*"];
  const wanted = breachRecord({ budget: "hide", limit: 0, tool: `${long}0`, is_enforced: true });
  using home = new TrimHome([
    ...madeSessions(3, { server: long, tools, called: ["search"], more: [wanted] }),
    ...madeSessions(3, { server: `un${long}`, tools }),
    ...madeSessions(3, { server: "two", tools: water, called: ["search"] }),
  ]);
  home.writeServers(".claude.json", { [long]: [], [`un${long}`]: [], [`few${long}`]: [], two: [] });
  home.write(".cursor/mcp.json", `{"mcpServers":{"plain${long}":{"command":"x"}}}`);
  for (const words of [
    [],
    ["--dry-run"],
    ["--apply", "--yes"],
    [],
    ["--undo"],
    ["--undo", "--yes"],
  ]) {
    const { stdout, stderr } = await home.trim(words, undefined, { isTerminal: true, columns: 80 });
    const lines = `${stdout}${stderr}`.split("\n");
    const wide = lines.filter((line) => Bun.stringWidth(line) > 80);
    expect(
      wide.filter((line) => line.trim().includes(" ") && !line.includes("mcp-meter ")),
    ).toEqual([]);
    expect(lines.length).toBeGreaterThan(5);
  }
});

test.each([
  [{ yes: true }, [], "--yes requires --apply or --undo"],
  [{ undo: true, apply: true }, [], "Cannot combine --undo with --apply"],
  [{ undo: true, since: "7d" }, [], "Cannot combine --undo with --since"],
  [{ undo: true, "min-sessions": "2" }, [], "Cannot combine --undo with --min-sessions"],
  [{ apply: true, yes: true, "dry-run": true }, [], "Cannot combine --yes with --dry-run"],
  [{ "min-sessions": "0" }, [], "--min-sessions must be a whole number of at least 1"],
  [{ client: ["codx"] }, [], "--client must be one of"],
  [{ since: "30" }, [], "did you mean 30d?"],
] as const)("%j is refused", (options, operands, sentence) => {
  expect(thrownBy(() => parseTrimOptions({ options, operands, child: undefined }))).toContain(
    sentence,
  );
});

test("without records it says how to get some; without wrapped servers, how to wrap them", async () => {
  using home = new TrimHome([]);
  home.write(".claude.json", '{"mcpServers":{"plain":{"command":"x"}}}');
  const { ending, stdout, stderr } = await home.trim([]);
  expect(ending).toEqual({ code: 0 });
  expect(stdout).toBe(
    "Nothing to hide\n\nnot wrapped  plain; trim changes only wrapped servers. To wrap them:\n             mcp-meter wrap\n",
  );
  expect(stderr).toContain("There are no records yet");
  expect(home.trim(["plan"])).rejects.toThrow('did you mean "plain"?');
});

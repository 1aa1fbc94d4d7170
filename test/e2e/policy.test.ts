// A system config that users cannot loosen. Nothing moves its folder, so a folder is mounted over it, in a mount
// namespace of the test's own, which only root can make.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { has } from "../support/needs.ts";
import { hasRedis, RedisServer } from "../support/redis.ts";
import { commandSchema } from "../support/report-schemas.ts";
import { call, textResult } from "../support/rpc.ts";
import { executable, legacy } from "../support/servers.ts";
import { fixture } from "../support/session.ts";
import { codeBlocks, readDocument } from "../docs/documents.ts";
import { StartedProcess } from "../support/started-process.ts";
import { legacyInput } from "./lines.ts";
import { eachHome } from "./each-home.ts";
import { type Finished, onlyLog, recordsIn, runBare } from "./run.ts";

const hasMounts = has("unshare -m", "the policy of a team");
const hasServer = hasRedis("counters of a policy");

const home = eachHome();

beforeEach(() => {
  mkdirSync(join(home.path, "etc"), { recursive: true, mode: 0o755 });
});

const input = legacyInput([
  ["echo", { message: "hello" }],
  ["echo", { message: "hello again" }],
]);

const policyFile = "/etc/mcp-meter/config.json";

function argvUnder(policy: string | object, words: readonly string[]): readonly string[] {
  const etc = join(home.path, "etc");
  writeFileSync(
    join(etc, "config.json"),
    typeof policy === "string" ? policy : JSON.stringify(policy),
  );
  const script =
    'mount -t tmpfs -o mode=755 tmpfs /etc && mkdir /etc/mcp-meter && mount --bind "$0" /etc/mcp-meter && exec "$@"';
  return ["unshare", "-m", "sh", "-c", script, etc, executable(), ...words];
}

function under(
  policy: string | object,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const environment = { ...home.env, ...env };
  return runBare(argvUnder(policy, words), { input, env: environment, cwd: home.path });
}

const session = (
  policy: string | object,
  options: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
) => under(policy, ["--exit-code", "child", ...options, "--", ...legacy().argv], env);

function writeOwn(config: object): void {
  mkdirSync(join(home.path, "config", "mcp-meter"), { recursive: true });
  writeFileSync(join(home.path, "config", "mcp-meter", "config.json"), JSON.stringify(config));
}

const refusals = ({ stdout }: Finished): number =>
  stdout.split("\n").filter((line) => line.includes("mcp-meter: echo")).length;

const said = ({ stderr }: Finished): string => stderr.replaceAll(/^mcp-meter: Budget .+\n/gm, "");

const oneCall = {
  summary: "off",
  budgets: [{ tool: "echo", limit: "1calls", per: "session" }],
  locked: ["budgets", "summary"],
};

const outranked =
  "mcp-meter: Ignoring your budget echo=9calls/session: the system config locks a tighter limit, or the same limit with another action\n";

describe.if(hasMounts)("locked budgets", () => {
  const wide = [{ tool: "echo", limit: "9calls", per: "session" }];
  const attempts: readonly (readonly [
    name: string,
    options: string[],
    env: Record<string, string>,
    own: object,
  ])[] = [
    ["nothing else", [], {}, {}],
    ["a wider budget of a flag", ["--budget", "echo=9calls/session"], {}, {}],
    ["a wider budget of a variable", [], { MCP_METER_BUDGET: "echo=9calls/session" }, {}],
    ["a wider budget of the user's config", [], {}, { budgets: wide }],
    ["no budgets in the user's config", [], {}, { budgets: [] }],
    [
      "a section of the user's config",
      [],
      {},
      { servers: { "legacy-server.js": { budgets: [] } } },
    ],
    ["another config", ["--config", "own.json"], {}, {}],
    ["another action", ["--budget", "echo=1calls/session:warn"], {}, {}],
    ["another name", ["--server", "other"], {}, {}],
    ["the variable that names a config", [], { MCP_METER_CONFIG: "own.json" }, {}],
  ];
  for (const [name, options, env, own] of attempts) {
    test(`hold with ${name} (slow)`, async () => {
      writeFileSync(join(home.path, "own.json"), JSON.stringify({ budgets: wide }));
      writeOwn(own);
      const run = await session(oneCall, options, env);
      expect([run.status, refusals(run), run.stdout.includes("hello again")]).toEqual([
        0,
        1,
        false,
      ]);
      const isOutranked = /^a wider|^another config|names a config/.test(name);
      expect(said(run)).toBe(isOutranked ? outranked : "");
    });
  }

  test("are tightened by the user's", async () => {
    const run = await session(oneCall, ["--budget", "echo=0"]);
    expect([run.status, refusals(run), run.stdout.includes("hello")]).toEqual([0, 2, false]);
  });

  test("keep their counters: a reset is refused, but for those of the user (slow)", async () => {
    const policy = {
      ...oneCall,
      budgets: [{ tool: "all", limit: "1calls", per: "day" }],
    };
    await session(policy, ["--budget", "echo=9calls/day"]);
    const all = await under(policy, ["budgets", "--reset", "*"]);
    expect(all.status).toBe(2);
    expect(all.stderr).toBe(
      `mcp-meter: Cannot reset "*": the system config "${policyFile}" locks the budget all=1calls/day\n`,
    );
    const own = await under(policy, ["budgets", "--reset", "echo"]);
    expect([own.status, own.stderr]).toEqual([0, "mcp-meter: Reset 1 budget counter\n"]);
    expect(refusals(await session(policy))).toBe(2);
  });
});

describe.if(hasMounts && hasServer)("counters of locked budgets in Redis", () => {
  let redis: RedisServer;
  let own: RedisServer;

  beforeAll(async () => {
    redis = await RedisServer.start();
    own = await RedisServer.start();
  });

  afterAll(async () => {
    await redis[Symbol.asyncDispose]();
    await own[Symbol.asyncDispose]();
  });

  const attempts: readonly (readonly [name: string, evasion: () => Evasion, names: string])[] = [
    ["another fleet", () => ({ options: ["--fleet", "other"] }), "fleet"],
    ["a file", () => ({ options: ["--counters", "file"] }), "counters"],
    ["another Redis", () => ({ env: { MCP_METER_COUNTERS: own.url } }), "counters"],
    ["a config", () => ({ config: { fleet: "x", counters: own.url } }), "counters, fleet"],
  ];
  for (const [name, evasion, names] of attempts) {
    test(`are not those of ${name} (slow)`, async () => {
      redis.ask("FLUSHALL");
      const policy = {
        summary: "off",
        counters: redis.url,
        budgets: [{ tool: "all", limit: "2calls", per: "day" }],
        locked: ["budgets"],
      };
      expect(refusals(await session(policy))).toBe(0);
      const { options = [], env = {}, config = {} } = evasion();
      writeOwn(config);
      const run = await session(policy, options, env);
      expect(refusals(run)).toBe(2);
      expect(said(run)).toBe(
        `mcp-meter: Ignoring your ${names}: the system config "${policyFile}" locks ${names.includes(",") ? "them" : "it"}\n`,
      );
    });
  }

  test("can be left by those who only read", async () => {
    const policy = { counters: redis.url, budgets: [], locked: ["budgets"] };
    const run = await under(policy, ["budgets", "--counters", own.url]);
    expect([run.status, run.stdout]).toEqual([0, expect.stringContaining("No budget counters")]);
  });
});

type Evasion = {
  readonly options?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly config?: object;
};

async function policyFindings(policy: string | object, env: Readonly<Record<string, string>> = {}) {
  const { stdout, status: exitCode } = await under(policy, ["doctor", "--json"], env);
  const report: { findings: readonly { check: string; status: string; detail: string }[] } =
    JSON.parse(stdout);
  const of = report.findings.filter(
    ({ check, status, detail }) =>
      check === "policy" || (status === "warning" && detail.includes(policyFile)),
  );
  return { status: exitCode, of };
}

describe.if(hasMounts)("doctor about a policy that does not hold", () => {
  test("because others may write it, or it belongs to another user", async () => {
    chmodSync(join(home.path, "etc"), 0o777);
    expect(await policyFindings(oneCall)).toMatchObject({
      status: 1,
      of: [
        {
          status: "broken",
          detail: `${policyFile}: other users can write to its folder, so the file is ignored`,
          fix: "sudo chmod go-w /etc/mcp-meter",
        },
      ],
    });
    chmodSync(join(home.path, "etc"), 0o755);
    const file = join(home.path, "etc", "config.json");
    writeFileSync(file, "{}");
    chmodSync(file, 0o666);
    const { of: loose } = await policyFindings(oneCall);
    expect(loose).toMatchObject([{ status: "broken", fix: `sudo chmod go-w ${policyFile}` }]);
    chmodSync(file, 0o644);
    chownSync(join(home.path, "etc", "config.json"), 65_534, 0);
    expect(await policyFindings(oneCall)).toMatchObject({
      status: 1,
      of: [{ status: "broken", fix: `sudo chown root: ${policyFile}` }],
    });
  });

  test("because of its text; the rest of it is still named", async () => {
    expect(await policyFindings({ ...oneCall, locked: "budgets" })).toMatchObject({
      status: 1,
      of: [
        {
          status: "broken",
          detail: expect.stringContaining(`${policyFile}: locked must be`),
          fix: `sudoedit ${policyFile}`,
        },
      ],
    });
    expect(await policyFindings({ ...oneCall, locked: ["budgets", "logg"] })).toMatchObject({
      status: 1,
      of: [
        { status: "broken", detail: expect.stringContaining("did you mean log?") },
        { status: "ok", detail: `${policyFile} locks budget echo=1calls/session` },
      ],
    });
  });

  test("in a session that cannot start; what it locks is still named", async () => {
    const { of } = await policyFindings(oneCall, { MCP_METER_WINDOW: "many" });
    expect(of).toMatchObject([{ status: "ok", detail: `${policyFile} locks budgets; summary` }]);
  });

  test("entirely, because users may choose how it is counted", async () => {
    const policy = { budgets: [{ tool: "all", limit: "5M", per: "day" }], locked: ["budgets"] };
    expect(await policyFindings(policy)).toMatchObject({
      status: 0,
      of: [
        { status: "ok" },
        {
          status: "warning",
          detail:
            "locked budgets depend on counters, fleet, counter_timeout, disable, tokenizer, calibration, model, as_client, which users can still set",
        },
      ],
    });
  });
});

describe.if(hasMounts)("a locked option", () => {
  const kept = {
    log: "~/kept.ndjson",
    summary: "off",
    max_repeats: 5,
    locked: ["log", "summary", "max_repeats", "on_alert"],
  };

  test("has the value of the system; one line names the ones that are ignored", async () => {
    writeOwn({ on_alert: "touch ~/ran" });
    const run = await session(kept, ["--json", "--max-repeats", "3"], { MCP_METER_LOG: "off" });
    expect([run.status, run.stdout.includes("hello again")]).toEqual([0, true]);
    expect(run.stderr).toBe(
      `mcp-meter: Ignoring your log, summary, on_alert: the system config "${policyFile}" locks them\n`,
    );
    expect(await Bun.file(join(home.path, "kept.ndjson")).text()).toContain('"type":"end"');
    expect(await Bun.file(join(home.path, "ran")).exists()).toBe(false);
  });

  test("is shown by config with its source, in JSON by the schema", async () => {
    const policy = {
      ...kept,
      ...oneCall,
      locked: [...kept.locked, "budgets", "disable", "client"],
    };
    writeOwn({ budgets: [{ limit: "3k", per: "session" }], max_repeats: 2 });
    const env = { MCP_METER_DISABLE: "1", MCP_METER_CLIENT: "codex" };
    const { stdout, status } = await under(policy, ["config", "--json"], env);
    const report = JSON.parse(stdout);
    const validate = commandSchema("config-report");
    expect([status, validate(report), validate.errors]).toEqual([0, true, null]);
    const locked = report.options.filter(
      ({ is_locked: isLocked }: { is_locked: boolean }) => isLocked,
    );
    const shown = locked.map(({ option, value, source, file }: Record<string, unknown>) => [
      option,
      value,
      source,
      file,
    ]);
    const own = join(home.path, "config/mcp-meter/config.json");
    expect(shown).toEqual([
      ["as-client", null, "default", null],
      ["budget", ["echo=1calls/session"], "file", policyFile],
      ["max-repeats", "2", "file", own],
      ["log", join(home.path, "kept.ndjson"), "file", policyFile],
      ["on-alert", "off", "default", null],
      ["summary", "off", "file", policyFile],
    ]);
    expect(report.is_disabled).toBe(false);
    expect(report.options).toContainEqual(
      expect.objectContaining({
        option: "budget",
        value: ["3k/session"],
        is_locked: false,
        file: own,
      }),
    );
    const table = await under(policy, ["config"], env);
    expect(table.stdout).toMatch(
      /^budget +echo=1calls\/session +\/etc\/mcp-meter\/config\.json, locked$/m,
    );
  });

  test("is named by doctor, and a variable that has no effect is", async () => {
    const policy = { ...oneCall, locked: ["budgets", "summary", "disable"] };
    const { stdout } = await under(policy, ["doctor", "--json"], { MCP_METER_DISABLE: "1" });
    const { findings } = JSON.parse(stdout);
    expect(findings).toContainEqual({
      check: "policy",
      status: "ok",
      detail: `${policyFile} locks budget echo=1calls/session; summary off; "disable", so MCP_METER_DISABLE has no effect`,
      fix: null,
    });
    expect(findings).toContainEqual(
      expect.objectContaining({
        detail: `MCP_METER_DISABLE is set: sessions are still metered, because ${policyFile} locks "disable"`,
      }),
    );
  });
});

describe.if(hasMounts)("MCP_METER_DISABLE", () => {
  const env = { MCP_METER_DISABLE: "1" };

  test("turns metering off under a policy that does not lock it", async () => {
    const run = await session(oneCall, [], env);
    expect([run.status, run.stderr, run.stdout.includes("hello again")]).toEqual([0, "", true]);
    expect(home.logs()).toEqual([]);
  });

  test("has no effect where it is locked, and one line says so", async () => {
    const run = await session({ ...oneCall, locked: ["budgets", "summary", "disable"] }, [], env);
    expect([run.status, refusals(run)]).toEqual([0, 1]);
    expect(said(run)).toBe(
      `mcp-meter: Ignoring MCP_METER_DISABLE: the system config "${policyFile}" does not allow it\n`,
    );
  });
});

describe.if(hasMounts)("a system config", () => {
  test("row 101: that others may write is left out, with one line and a fault", async () => {
    chmodSync(join(home.path, "etc"), 0o777);
    const run = await session({ ...oneCall, on_alert: "touch ~/ran" }, ["--summary", "off"]);
    expect([run.status, refusals(run)]).toEqual([0, 0]);
    expect(run.stderr).toBe(
      `mcp-meter: Ignoring a mistake in the config "${policyFile}": other users can write to its folder, so the file is ignored; see "mcp-meter config"\n`,
    );
    expect(await onlyLog(home)).toContainEqual(
      expect.objectContaining({
        type: "fault",
        where: "config",
        what: "other users can write to its folder, so the file is ignored",
      }),
    );
  });

  const hostile: readonly (readonly [name: string, text: string, said: RegExp])[] = [
    [
      "with an unknown name",
      '{"locked": ["budgts", "summary"], "summary": "off"}',
      /"locked" has "budgts", which cannot be locked \(did you mean budgets\?\)/,
    ],
    [
      "with names that are no text",
      '{"locked": [{}, "summary"], "summary": "off"}',
      /locked\[0\] must be/,
    ],
    [
      "with a hostile name",
      '{"locked": ["\\u001b[2J\\u202e", "summary"], "summary": "off"}',
      /"locked" has "\\u001b\[2J\\u202e", which cannot be locked/,
    ],
    ["that is not JSON", '{"locked": [', /not valid JSON/],
    ["of 2 MiB", " ".repeat(2 * 1024 * 1024), /it is larger than 1048576 bytes/],
  ];
  for (const [name, text, sentence] of hostile) {
    test(`row 101: ${name} stops nothing, and is one line (slow)`, async () => {
      const run = await session(text, ["--summary", "off"]);
      expect([run.status, run.stdout.includes("hello again")]).toEqual([0, true]);
      expect(run.stderr).toMatch(sentence);
      expect(run.stderr.trimEnd().split("\n")).toHaveLength(1);
    });
  }
});

describe.if(hasMounts)("serve", () => {
  const headers = { "content-type": "application/json" };

  test("locked budgets hold, and need no line of their own", async () => {
    using server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () => Response.json(textResult(1, "Hi")),
    });
    const policy = { budgets: [{ tool: "x", limit: 0 }], locked: ["budgets"] };
    const own = ["--budget", "x=9calls/session", "--summary", "off", "--log", "off"];
    const words = ["serve", "--url", server.url.href, ...own];
    using serving = new StartedProcess(argvUnder(policy, words), home.env);
    const body = JSON.stringify(call(1, "x"));
    const answer = await fetch(await serving.firstLine(), { method: "POST", body, headers });
    expect(await answer.text()).toContain("x was not run. It is forbidden by a configured limit.");
    expect(await serving.end()).toBe(0);
    const lines = serving.err.trimEnd().split("\n");
    expect(lines.filter((line) => !line.includes("Budget "))).toEqual([
      expect.stringContaining("at the address above"),
    ]);
  });

  test("locked options hold, whatever its command line says", async () => {
    using server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () => Response.json(textResult(1, "Hi")),
    });
    const policy = {
      budgets: [{ tool: "x", limit: "1calls", per: "session" }],
      machine: "team-7",
      log: join(home.path, "team.ndjson"),
      locked: ["budgets", "machine", "log"],
    };
    const own = ["--machine", "mine", "--log", "off", "--summary", "off"];
    const words = ["serve", "--url", server.url.href, ...own];
    using serving = new StartedProcess(argvUnder(policy, words), home.env);
    const body = JSON.stringify(call(1, "x"));
    const answer = await fetch(await serving.firstLine(), { method: "POST", body, headers });
    expect(await answer.json()).toEqual(textResult(1, "Hi"));
    const refused = await fetch(await serving.firstLine(), { method: "POST", body, headers });
    expect(await refused.json()).toMatchObject({ id: 1, result: { isError: true } });
    expect(await serving.end()).toBe(0);
    const records = await recordsIn(readFileSync(policy.log, "utf8"));
    expect(records.map(({ type, machine }) => [type, machine])).toContainEqual([
      "session",
      "team-7",
    ]);
    expect(records.filter(({ type }) => type === "call")).toMatchObject([
      { outcome: "ok" },
      { outcome: "refused" },
    ]);
    expect(serving.err).toContain("Ignoring your machine, log");
  });
});

const readAlerts = () => {
  const file = join(home.path, "alerts");
  const lines = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
  return lines.map((line) => {
    const { alert, budget, tool } = JSON.parse(line);
    return [alert, budget, tool];
  });
};

describe.if(hasMounts)("row 196: the example policy of docs/fleet.md", () => {
  const [example = ""] = codeBlocks(readDocument("docs/fleet.md"), "jsonc");
  const program = '"/usr/local/libexec/team-alert"';

  function play(server: string, calls: Parameters<typeof legacyInput>[0]): Promise<Finished> {
    const log = JSON.stringify(`cat >> ${home.path}/alerts`);
    const words = ["--server", server, "--", ...fixture("honest")];
    return runBare(argvUnder(example.replace(program, log), words), {
      input: legacyInput(calls),
      env: home.env,
      cwd: home.path,
    });
  }

  test("gives an alert only where a limit was met, in 50 sessions of 5 servers (slow)", async () => {
    expect(example).toContain(program);
    const servers = Array.from({ length: 5 }, (_, number) => `server-${number}`);
    for (let round = 0; round < 10; round += 1) {
      const calls = [1, 2, 3, 4].map((step) => ["echo", { round, step }] as const);
      const runs = await Promise.all(servers.map((server) => play(server, calls)));
      expect(runs.map(({ status, stderr }) => [status, stderr])).toEqual(
        servers.map(() => [0, ""]),
      );
    }
    expect(readAlerts()).toEqual([]);
    const deleting = await play("server-0", [["delete_all", {}]]);
    expect(deleting.stdout).toContain("delete_all was not run. It is forbidden");
    expect(readAlerts()).toEqual([["budget_exceeded", "delete_*=0", "delete_all"]]);
    const repeating = await play(
      "server-1",
      Array.from({ length: 6 }, () => ["echo", { again: true }] as const),
    );
    expect(repeating.stdout).toContain("echo was not run. It was called 5 times in a row");
    expect(readAlerts().slice(1)).toContainEqual(["budget_exceeded", "max-repeats 5", "echo"]);
  });
});

import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findLaunchRule } from "#clients/launch-rules.ts";
import type { SetupReport, SetupServer } from "#lock/setup-report.ts";
import {
  type SettingsEntry,
  settingsText,
  twelveClients,
  writeSettings,
} from "../support/client-homes.ts";
import { commandSchema } from "../support/report-schemas.ts";
import {
  listProcessesWith,
  waitForEndOfProcessesWith,
  replay,
  scratch,
  uniqueSeconds,
} from "../support/replay.ts";
import { executable } from "../support/servers.ts";
import { eventually } from "../support/wait.ts";
import { eachHome } from "./each-home.ts";
import { type Finished, runBare, runMeter } from "./run.ts";

const home = eachHome();

const folder = scratch();
const inputSchema = { type: "object", properties: { q: { type: "string", description: "Query" } } };
const definitions = [1, 2, 3].map((size) =>
  folder.write(`definitions-${size}.json`, {
    server: `server ${size}`,
    ...(size === 1 ? {} : { instructions: "Ask for little. ".repeat(size) }),
    tools: Array.from({ length: size }, (_, at) => ({
      name: `tool_${at}`,
      description: "Reads a part of the garden. ".repeat(size),
      inputSchema,
    })),
  }),
);
const fileOf = (at: number): string => definitions[at % definitions.length] ?? "";
const [small = "", medium = "", large = ""] = definitions;

const confirmed = ["profile", "--configured", "--yes"] as const;

async function profiled(...more: readonly string[]): Promise<Finished & { report: SetupReport }> {
  const finished = await runMeter(home, [...confirmed, "--json", ...more]);
  const report: SetupReport = JSON.parse(finished.stdout);
  const validate = commandSchema("setup");
  expect([validate(report), validate.errors]).toEqual([true, null]);
  return { ...finished, report };
}

function serversIn(report: SetupReport): readonly SetupServer[] {
  return report.clients.flatMap(({ servers }) => servers);
}

function noting(command: readonly string[]): { words: string[]; starts: () => number } {
  const notes = join(home.path, `notes-${crypto.randomUUID()}`);
  return {
    words: ["sh", "-c", `echo >> ${notes}; exec "$@"`, "sh", ...command],
    starts: () => (existsSync(notes) ? readFileSync(notes, "utf8").length : 0),
  };
}

describe("a home with twelve clients", () => {
  test("has the cost that profile has of each server, and leaves no record (slow)", async () => {
    for (const [at, client] of twelveClients.entries()) {
      const words = replay(fileOf(at));
      const wrapped = [executable(), "--server", "w", "--exit-code", "child", "--", ...words];
      writeSettings(home, client, { garden: { words: at % 2 === 0 ? words : wrapped } });
    }
    const { report, status, stderr } = await profiled();
    expect([status, stderr]).toEqual([0, ""]);
    expect(report.clients.map(({ client }) => client).toSorted()).toEqual(twelveClients.toSorted());
    for (const [at, client] of twelveClients.entries()) {
      const named = ["profile", "--json", "--as-client", findLaunchRule(client).clientName];
      const alone = await runMeter(home, [...named, "--", ...replay(fileOf(at))]);
      const { definitions: own, instructions, window, estimator } = JSON.parse(alone.stdout);
      const found = report.clients.find((one) => one.client === client);
      expect(found).toMatchObject({ window, estimator });
      expect(found?.servers).toMatchObject([
        {
          server: "garden",
          status: "profiled",
          cost: {
            tools: own.tools,
            definitions_tokens: own.total_tokens,
            instructions_tokens: instructions.tokens,
            resident_tokens: own.resident_tokens,
          },
        },
      ]);
    }
    expect(home.logs()).toEqual([]);
    const { stdout } = await runMeter(home, [...confirmed]);
    expect(stdout).toStartWith("Cost of 12 servers of 12 clients before the first prompt\n");
    const markdown = await runMeter(home, [...confirmed, "--format", "markdown"]);
    expect(markdown.stdout).toContain("| client | server |");
  });

  test("has the same cost when wrap has put mcp-meter in front of every server (slow)", async () => {
    for (const client of twelveClients) {
      const env = { KEY: client };
      writeSettings(home, client, {
        garden: { words: replay(small), env },
        gone: { words: ["x"] },
      });
    }
    const { report: before } = await profiled();
    expect(before.clients).toHaveLength(twelveClients.length);
    const wrapped = await runMeter(home, ["wrap", "--all", "--yes"]);
    expect(wrapped).toMatchObject({ status: 0 });
    const text = readFileSync(join(home.path, ".claude.json"), "utf8");
    expect(text).toContain('"--server"');
    const { report: after } = await profiled();
    expect(after).toEqual(before);
    expect(home.logs().filter((file) => file.includes("sessions"))).toEqual([]);
  });

  test("has a total of each client, where having any tool is paid for once", async () => {
    writeSettings(home, "claude-desktop", {
      one: { words: replay(small) },
      two: { words: replay(large) },
    });
    const { report } = await profiled();
    const [one, two] = serversIn(report).map(({ cost }) => cost?.definitions_tokens ?? 0);
    expect(report.clients[0]?.total).toMatchObject({
      servers: 2,
      tools: 4,
      definitions_tokens: (one ?? 0) + (two ?? 0) - 290,
    });
  });
});

test("tools that a client's settings leave out are in no number", async () => {
  mkdirSync(join(home.path, ".codex"));
  const [command, ...args] = replay(large);
  const entry = [`command = ${JSON.stringify(command)}`, `args = ${JSON.stringify(args)}`];
  const lines = ["[mcp_servers.garden]", ...entry, 'disabled_tools = ["tool_0"]'];
  await Bun.write(join(home.path, ".codex", "config.toml"), lines.join("\n"));
  const { report } = await profiled();
  expect(serversIn(report)).toMatchObject([{ cost: { tools: 2, omitted_tools: 1 } }]);
});

describe("servers that fail", () => {
  test("are rows: one that hangs, is missing, dies, talks nonsense, refuses or floods (slow)", async () => {
    const seconds = uniqueSeconds();
    writeSettings(home, "cursor", {
      hangs: { words: ["sleep", seconds] },
      missing: { words: ["no-such-server"] },
      dies: { words: ["sh", "-c", "exit 7"] },
      nonsense: { words: ["sh", "-c", `echo hi; exec sleep ${seconds}`] },
      refuses: { words: replay(small, "--refuses=tools/list") },
      floods: { words: ["sh", "-c", "yes nonsense"] },
      good: { words: replay(small) },
    });
    const { report, status, stderr } = await profiled("--timeout", "15");
    expect([status, stderr]).toEqual([0, ""]);
    const kinds = serversIn(report).map(({ server, failure }) => `${server} ${failure?.kind}`);
    expect(kinds).toEqual([
      "hangs timeout",
      "missing not_found",
      "dies exited",
      "nonsense timeout",
      "refuses refused",
      "floods invalid_answer",
      "good undefined",
    ]);
    expect(report.clients[0]?.total).toMatchObject({ servers: 1, tools: 1 });
    expect(await waitForEndOfProcessesWith(seconds)).toEqual([]);
  });

  test("end the command with 3 when none is left, and settings that cannot be read are named", async () => {
    const file = writeSettings(home, "cursor", { missing: { words: ["no-such-server"] } });
    mkdirSync(join(home.path, ".codex"));
    await Bun.write(join(home.path, ".codex", "config.toml"), "[unclosed");
    const { report, status } = await profiled();
    expect(status).toBe(3);
    expect(serversIn(report)).toMatchObject([{ file, status: "failed" }]);
    expect(report.unreadable).toMatchObject([{ client: "codex" }]);
  });
});

describe("secrets", () => {
  const canary = "CANARY-7f3a-do-not-print";

  test("of variables and arguments are printed nowhere, whatever a server does with them (slow)", async () => {
    const env = { KEY: canary };
    const shout = `echo "$KEY $0"; echo "$KEY $0" >&2; `;
    const entries: Readonly<Record<string, SettingsEntry>> = {
      leaks: { words: replay(small, "--leaks", canary), env },
      shouts: { words: ["sh", "-c", `${shout} exit 3`, canary], env },
      hangs: { words: ["sh", "-c", `${shout} exec sleep 60`, canary], env },
      refuses: { words: replay(small, "--leaks", "--refuses=tools/list", canary), env },
      odd: {
        words: [
          "sh",
          "-c",
          `read line; printf '{"jsonrpc":"2.0","id":0,"result":"%s"}\\n' "$KEY"; cat`,
        ],
        env,
      },
      missing: { words: [`no-such ${canary}`, canary], env },
      asks: { words: ["x", `\${input:${canary}}`], env },
    };
    for (const client of twelveClients) writeSettings(home, client, entries);
    const outputs = await Promise.all(
      [[], ["--json"], ["--format", "markdown"], ["--wide"]].flatMap((format) => [
        runMeter(home, [...confirmed, "--timeout", "4", ...format, "--settings-of", "vs-code"]),
        runMeter(home, ["profile", "--configured", ...format]),
      ]),
    );
    for (const { stdout, stderr } of outputs) {
      expect(stdout).toContain("leaks");
      expect(stdout + stderr).not.toContain(canary);
    }
  });
});

describe("the same server", () => {
  test("in three clients is started once and priced for each", async () => {
    const { words, starts } = noting(replay(medium));
    for (const client of ["claude-code", "codex", "cursor"] as const) {
      writeSettings(home, client, { [`in-${client}`]: { words } });
    }
    const { report } = await profiled();
    expect(starts()).toBe(1);
    const resident = serversIn(report).map(({ cost }) => cost?.resident_tokens);
    expect(new Set(resident).size).toBe(3);
    expect(report.repeated).toEqual([
      [
        { client: "claude-code", server: "in-claude-code" },
        { client: "codex", server: "in-codex" },
        { client: "cursor", server: "in-cursor" },
      ],
    ]);
  });
});

test("forty servers are profiled, at most four at a time (slow)", async () => {
  const [pids, counts] = [join(home.path, "pids"), join(home.path, "counts")];
  const count = `n=0; for p in $(cat ${pids}); do kill -0 $p 2>/dev/null && n=$((n+1)); done`;
  const script = `echo $$ >> ${pids}; ${count}; echo $n >> ${counts}; exec "$@"`;
  const words = ["sh", "-c", script, "sh", ...replay(small)];
  const entries = Array.from({ length: 40 }, (_, at) => {
    return [`s${at}`, { words, env: { NUMBER: `${at}` } }] as const;
  });
  writeSettings(home, "cursor", Object.fromEntries(entries));
  const { report, status } = await profiled();
  expect(status).toBe(0);
  expect(serversIn(report).every((one) => one.status === "profiled")).toBe(true);
  expect(report.clients[0]?.total).toMatchObject({ servers: 40, tools: 40 });
  const running = readFileSync(counts, "utf8").trim().split("\n").map(Number);
  expect(running).toHaveLength(40);
  expect(Math.max(...running)).toBeLessThanOrEqual(4);
});

test("settings that change meanwhile change nothing", async () => {
  const later = noting(replay(small));
  const next = folder.write("next.json", settingsText("cursor", { later: { words: later.words } }));
  const file = join(home.path, ".cursor", "mcp.json");
  const words = ["sh", "-c", `cp ${next} ${file}; exec "$@"`, "sh", ...replay(small)];
  writeSettings(home, "cursor", { first: { words }, second: { words: replay(medium) } });
  const { report } = await profiled();
  expect(serversIn(report).map(({ server, status }) => `${server} ${status}`)).toEqual([
    "first profiled",
    "second profiled",
  ]);
  expect(later.starts()).toBe(0);
  expect(readFileSync(file, "utf8")).toContain("later");
});

function typed(keys: string): Promise<Finished> {
  const script = `printf '${keys}' | timeout 40 script -qec '"$METER" profile --configured' /dev/null`;
  const env = { ...home.env, METER: executable(), TERM: "xterm" };
  return runBare(["bash", "-c", script], { env });
}

describe("without --yes", () => {
  test("and without a terminal nothing is started", async () => {
    const { words, starts } = noting(replay(small));
    writeSettings(home, "zed", { garden: { words } });
    const { stdout, status } = await runMeter(home, ["profile", "--configured"]);
    expect([status, starts()]).toEqual([2, 0]);
    expect(stdout).toContain("1 server of 1 client, not started");
    expect(stdout).toContain("pass --yes");
  });

  test("a person at a terminal is asked once, for the servers of all clients", async () => {
    const { words, starts } = noting(replay(small));
    writeSettings(home, "zed", { garden: { words } });
    writeSettings(home, "cursor", { pond: { words: replay(small) } });
    const declined = await typed("n\\n");
    expect(declined.stdout).toContain("Cursor: pond");
    expect(declined.stdout).toContain("Start these 2 servers as their clients do? [y/N]");
    expect(declined.stdout).toContain("Nothing was started");
    expect(starts()).toBe(0);
    const agreed = await typed("y\\n");
    expect(agreed.stdout).toContain("Cost of 2 servers of 2 clients before the first prompt");
    expect(starts()).toBe(1);
  });
});

describe("settings of a project", () => {
  test("start nothing until the project is named", async () => {
    const { words, starts } = noting(replay(small));
    writeSettings(home, "cursor", { own: { words: replay(small) } });
    const project = join(home.path, "project");
    mkdirSync(project);
    await Bun.write(join(project, ".mcp.json"), settingsText("claude-code", { theirs: { words } }));
    const plain = await runMeter(home, [...confirmed, "--json"], { cwd: project });
    expect(serversIn(JSON.parse(plain.stdout))).toHaveLength(1);
    expect(plain.stderr).toContain("pass --project .");
    expect(starts()).toBe(0);
    const named = await runMeter(home, [...confirmed, "--json", "--project", "."], {
      cwd: project,
    });
    const report: SetupReport = JSON.parse(named.stdout);
    expect([named.stderr, report.project]).toEqual(["", project]);
    const theirs = serversIn(report).filter(({ scope }) => scope === "project");
    expect(theirs).toMatchObject([{ server: "theirs" }, { server: "theirs" }]);
    expect(starts()).toBe(1);
  });
});

describe("a signal", () => {
  test.each(["SIGINT", "SIGTERM"] as const)("%s ends every server", async (signal) => {
    const seconds = uniqueSeconds();
    const entries = Array.from({ length: 6 }, (_, at) => {
      const words = ["sh", "-c", `sleep ${seconds} & exec sleep ${seconds}`];
      return [`s${at}`, { words, env: { NUMBER: `${at}` } }] as const;
    });
    writeSettings(home, "cursor", Object.fromEntries(entries));
    const meter = Bun.spawn([executable(), ...confirmed, "--json"], {
      env: { ...process.env, ...home.env },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    await eventually("four servers", () => listProcessesWith(seconds).length >= 8);
    meter.kill(signal);
    await meter.exited;
    expect(meter.signalCode).toBe(signal);
    expect(await waitForEndOfProcessesWith(seconds)).toEqual([]);
  });
});

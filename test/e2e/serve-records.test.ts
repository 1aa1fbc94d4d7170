import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { alertSchema } from "../support/alerts.ts";
import { allRecordsIn } from "../support/records.ts";
import { writeClaudeLog } from "../support/claude-log.ts";
import { clientNamed } from "../support/clients.ts";
import { Dash, until } from "../support/dash-browser.ts";
import { freePort } from "../support/free-port.ts";
import { openBackend } from "../support/otlp-backend.ts";
import { everythingOverHttp, executable } from "../support/servers.ts";
import { StartedProcess } from "../support/started-process.ts";
import { eventually } from "../support/wait.ts";
import { eachHome } from "./each-home.ts";
import { runMeter, readRecords } from "./run.ts";
import { type Serving, startServe } from "./serving.ts";

let everything: StartedProcess;
let url: string;
const home = eachHome();

beforeAll(async () => {
  const port = freePort();
  everything = new StartedProcess(everythingOverHttp(), { PORT: String(port) });
  url = `http://127.0.0.1:${port}/mcp`;
  await eventually("server-everything", () => everything.err.includes("listening"));
});

afterAll(() => everything[Symbol.dispose]());

const connect = (serving: Serving) => clientNamed("sdk-v1").connect(serving.url);

async function converse(serving: Serving, ...messages: readonly string[]): Promise<void> {
  const connection = await connect(serving);
  for (const message of messages) await connection.callTool("echo", { message });
  await connection.close();
}

const files = (): string[] => home.logs().filter((file) => file.includes("/sessions/"));

const records = () => readRecords(files());

const calls = async () => (await records()).filter(({ type }) => type === "call");

function age(path: string, days = 100): void {
  const seconds = Date.now() / 1000 - days * 86_400;
  utimesSync(path, seconds, seconds);
}

const sum = (numbers: readonly unknown[]): number =>
  numbers.reduce<number>((all, one) => all + Number(one), 0);

describe("while serve runs", () => {
  test("tail follows the calls of each conversation", async () => {
    using tail = new StartedProcess([executable(), "tail"], { ...home.env, TZ: "UTC" });
    await eventually("the sentence", () => tail.err.includes("Waiting for the first session"));
    using serving = await startServe(home, url, ["--server", "far"]);
    const [one, other] = [await connect(serving), await connect(serving)];
    for (const [connection, message] of [
      [one, "a"],
      [other, "b"],
      [one, "c"],
    ] as const) {
      const before = tail.out;
      await connection.callTool("echo", { message });
      await eventually("a line of the call", () => tail.out.slice(before.length).includes("echo"));
    }
    expect(tail.out.match(/^\d\d:\d\d:\d\d {2}far +echo .* ok /gm)).toHaveLength(3);
    await one.close();
    await other.close();
  });

  test("dash has each call, with its session", async () => {
    using serving = await startServe(home, url);
    await using dash = await Dash.start(home.env);
    const entry = await fetch(dash.url);
    const cookie = entry.headers.get("set-cookie")?.replace(/;.*/, "") ?? "";
    const { origin } = new URL(dash.url);
    const stream = await fetch(`${origin}/events`, { headers: { cookie } });
    const overview = async () => {
      const answer = await fetch(`${origin}/api/view?screen=overview`, { headers: { cookie } });
      return JSON.parse(await answer.text());
    };
    const [one, other] = [await connect(serving), await connect(serving)];
    let count = 0;
    for (const connection of [one, other, one]) {
      await connection.callTool("echo", { message: "hello" });
      count += 1;
      await until(`${count} calls`, async () => (await overview()).head.totals?.calls === count);
    }
    expect((await overview()).head.totals).toMatchObject({ calls: 3, sessions: 2 });
    await stream.body?.cancel();
    await one.close();
    await other.close();
  });

  test("a kill loses no record that is some seconds old: reports read them, and calls are counted", async () => {
    const serving = await startServe(home, url);
    const connection = await connect(serving);
    await connection.callTool("echo", { message: "kept" });
    await converse(serving, "kept too");
    await eventually("both in the file", async () => (await calls()).length === 2);
    const leaving = connection.callTool("trigger-long-running-operation", {
      duration: 30,
      steps: 2,
    });
    const left = leaving.catch(() => undefined);
    await serving.end("SIGKILL");
    await left;
    const [file = ""] = files();
    expect((await allRecordsIn(readFileSync(file, "utf8"))).length).toBeGreaterThan(4);
    const report = JSON.parse((await runMeter(home, ["report", "--json"])).stdout);
    expect(report.blocks[0].totals).toMatchObject({ sessions: 2, calls: 2 });
    expect(
      (await records()).filter(({ type, exit_code: code }) => type === "end" && code !== null),
    ).toEqual([]);
    const doctor = await runMeter(home, ["doctor"]);
    expect(doctor.stdout).toMatch(/^ok +sessions/m);
    age(file);
    const pruned = await runMeter(home, ["prune", "--keep-bytes", "1", "--yes", "--json"]);
    expect(JSON.parse(pruned.stdout)).toMatchObject({ live: 0, files: [{}] });
  });
});

describe("afterwards", () => {
  test("conversations in one file are sessions of their own, with one machine", async () => {
    using serving = await startServe(home, url, ["--server", "far"]);
    await Promise.all([
      converse(serving, "a"),
      converse(serving, "b", "c"),
      converse(serving, "d"),
    ]);
    expect(await serving.end()).toBe(0);
    expect(files()).toHaveLength(1);
    const report = async (...words: readonly string[]) =>
      JSON.parse((await runMeter(home, ["report", "--json", ...words])).stdout);
    expect((await report()).blocks[0].totals).toMatchObject({ sessions: 3, calls: 4 });
    const rows = async (axis: string) => (await report("--by", axis)).blocks[0].tables[0].rows;
    expect(await rows("server")).toMatchObject([{ server: "far", sessions: 3, calls: 4 }]);
    expect(await rows("client")).toMatchObject([{ client: "sdk-v1-host", calls: 4 }]);
    expect(
      (await rows("session")).map(({ calls: count }: { calls: number }) => count).toSorted(),
    ).toEqual([1, 1, 2]);
    const machines = new Set(
      (await records()).flatMap(({ type, machine }) => (type === "session" ? [machine] : [])),
    );
    expect([...machines]).toEqual([
      readFileSync(join(home.path, "state/mcp-meter/machine-id"), "utf8").trim(),
    ]);
  });

  test("metrics and --otlp have the tokens of the records, of all conversations", async () => {
    const backend = openBackend();
    using serving = await startServe(home, url, ["--otlp", backend.url]);
    await Promise.all([converse(serving, "a"), converse(serving, "b", "longer than a")]);
    expect(await serving.end()).toBe(0);
    const recorded = sum(
      (await records()).map(({ type, total_tokens: total, resident_tokens: resident }) =>
        type === "call" ? total : type === "definitions" ? resident : 0,
      ),
    );
    const { stdout } = await runMeter(home, ["metrics"]);
    const printed = stdout.matchAll(/^mcp_meter_tokens_total\{.*\} (\d+)$/gm);
    expect(sum([...printed].map(([, value]) => value))).toBe(recorded);
    const newest = new Map(
      backend
        .points("mcp_meter.tokens")
        .map((point) => [JSON.stringify([point.resource, point.attributes]), point.value]),
    );
    expect(sum([...newest.values()])).toBe(recorded);
    const durations = backend.points("mcp.server.operation.duration");
    expect(new Set(durations.map(({ attributes }) => attributes["network.transport"]))).toEqual(
      new Set(["tcp"]),
    );
    await backend.close();
  });

  test("a call that its client logged as well counts once after import", async () => {
    using serving = await startServe(home, url, ["--server", "docs"]);
    const client = new Client({ name: "claude-code", version: "2.1.330" });
    await client.connect(new StreamableHTTPClientTransport(serving.url));
    for (const index of [0, 1]) {
      await client.callTool({
        name: "echo",
        arguments: { message: "hello" },
        _meta: { "claudecode/toolUseId": `toolu_${index}` },
      });
    }
    await client.close();
    expect(await serving.end()).toBe(0);
    const answer = { text: "Echo: hello", native: 5 };
    writeClaudeLog(home.path, "claude-opus-5", [answer, answer, answer]);
    const log = join(
      home.path,
      ".claude/projects/-work-demo/11111111-aaaa-4aaa-8aaa-222222222222.jsonl",
    );
    writeFileSync(
      log,
      readFileSync(log, "utf8").replaceAll("mcp__docs__search", "mcp__docs__echo"),
    );
    expect((await runMeter(home, ["import"])).status).toBe(0);
    const { stdout } = await runMeter(home, [
      "report",
      "--since",
      "2026-01-01",
      "--by",
      "tool",
      "--json",
    ]);
    const blocks: { totals: { calls: number } }[] = JSON.parse(stdout).blocks;
    expect(sum(blocks.map(({ totals }) => totals.calls))).toBe(4);
  });

  test("prune leaves the file of a serve that runs, and takes it when it has ended", async () => {
    using serving = await startServe(home, url);
    await converse(serving, "a");
    await eventually("the record", async () => (await calls()).length === 1);
    age(files()[0] ?? "");
    const prune = async () => {
      const words = ["prune", "--keep-bytes", "1", "--yes", "--json"];
      return JSON.parse((await runMeter(home, words)).stdout);
    };
    expect(await prune()).toMatchObject({ live: 1, files: [] });
    expect(await serving.end()).toBe(0);
    age(files()[0] ?? "");
    expect(await prune()).toMatchObject({ live: 0, files: [{}] });
    expect(files()).toEqual([]);
    const report = JSON.parse((await runMeter(home, ["report", "--json"])).stdout);
    expect(JSON.stringify(report)).toContain('"calls":1');
  });
});

test("--prune-older-than removes the file of an earlier serve at the end", async () => {
  for (const days of [100, 2]) {
    using earlier = await startServe(home, url);
    await converse(earlier, "a");
    expect(await earlier.end()).toBe(0);
    for (const file of files()) age(file, days);
  }
  const [old = "", fresh = ""] = files();
  age(old, 100);
  using serving = await startServe(home, url, ["--prune-older-than", "90d"]);
  await converse(serving, "b");
  expect(await serving.end()).toBe(0);
  await eventually("the old file is gone", () => !files().includes(old));
  expect([files().includes(fresh), (await calls()).length]).toEqual([true, 2]);
});

test("a conversation goes on when serve is started again: its id is the server's", async () => {
  const port = ["--port", String(freePort())];
  const before = await startServe(home, url, port);
  const connection = await connect(before);
  const said = async (message: string) =>
    expect(await connection.callTool("echo", { message })).toMatchObject({
      result: { content: [{ text: `Echo: ${message}` }] },
    });
  await said("a");
  expect(await before.end()).toBe(0);
  using after = await startServe(home, url, port);
  await said("b");
  await connection.close();
  expect(await after.end()).toBe(0);
  expect((await calls()).map(({ outcome }) => outcome)).toEqual(["ok", "ok"]);
  const report = JSON.parse((await runMeter(home, ["report", "--json"])).stdout);
  expect(JSON.stringify(report.blocks)).toContain('"calls":1');
});

describe("--on-alert", () => {
  test("runs once for equal alerts of many conversations", async () => {
    const command = "cat >> alerts";
    using serving = await startServe(home, url, [
      "--risk",
      "1,2,3",
      "--slow",
      "0.05",
      "--on-alert",
      command,
    ]);
    const connections = await Promise.all(Array.from({ length: 8 }, () => connect(serving)));
    const args = { duration: 0.2, steps: 1 };
    await Promise.all(
      connections.map((one) => one.callTool("trigger-long-running-operation", args)),
    );
    for (const one of connections) await one.close();
    expect(await serving.end()).toBe(0);
    const lines = readFileSync(join(home.path, "alerts"), "utf8").trimEnd().split("\n");
    const isValid = alertSchema();
    const alerts = lines.map((line) => JSON.parse(line));
    for (const alert of alerts) expect([isValid(alert), isValid.errors]).toEqual([true, null]);
    const slow = alerts.filter(({ alert }) => alert === "slow_call");
    expect(slow.every(({ client }) => client === "sdk-v1-host")).toBe(true);
    expect(sum(slow.map(({ count }) => count))).toBe(8);
    expect(slow.length).toBeLessThanOrEqual(2);
  });
});

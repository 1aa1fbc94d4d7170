import { describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { callRecord, sessionRecord } from "../support/made-records.ts";
import { allowed, judgedByTime, quantile } from "../support/measure.ts";
import { executable, small } from "../support/servers.ts";
import { StartedProcess } from "../support/started-process.ts";
import { eventually } from "../support/wait.ts";
import { legacyInput } from "./lines.ts";
import { eachHome } from "./each-home.ts";
import { recordsIn, runBare, runMeter } from "./run.ts";

const home = eachHome();

class Tail implements AsyncDisposable {
  readonly #child: Bun.Subprocess<"ignore", "pipe", "pipe">;
  stdout = "";
  stderr = "";

  constructor(...options: readonly string[]) {
    this.#child = Bun.spawn([executable(), "tail", ...options], {
      env: { ...process.env, ...home.env, TZ: "UTC" },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    void this.#collect("stdout");
    void this.#collect("stderr");
  }

  get pid(): number {
    return this.#child.pid;
  }

  has(text: string): Promise<unknown> {
    return eventually(
      () => `${text} in ${this.stdout}${this.stderr}`,
      () => this.stdout.includes(text),
    );
  }

  rows(): readonly (readonly string[])[] {
    const lines = this.stdout.split("\n").slice(0, -1);
    return lines.map((line) => line.split(/ {2,}/));
  }

  async end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: unknown }> {
    this.#child.kill(signal);
    await this.#child.exited;
    return { code: this.#child.exitCode, signal: this.#child.signalCode };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end("SIGKILL");
  }

  async #collect(of: "stdout" | "stderr"): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of this.#child[of]) this[of] += decoder.decode(chunk, { stream: true });
  }
}

const session = (calls: Parameters<typeof legacyInput>[0], options: readonly string[] = []) =>
  runMeter(home, ["--summary", "json", ...options, "--", ...small().argv], {
    input: legacyInput(calls),
  });

const pathOf = (name: string, day = "2026-09-01"): string =>
  join(home.path, "state", "mcp-meter", "sessions", day, `${name}.ndjson`);

function append(path: string, ...records: readonly object[]): void {
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
}

async function following(...options: readonly string[]): Promise<Tail> {
  const ts = new Date(Date.now() + 60_000).toISOString();
  append(pathOf("ready"), callRecord({ tool: "ready", server: "ready", ts }));
  const tail = new Tail(...options);
  await tail.has("ready");
  return tail;
}

describe("tail", () => {
  test("prints each call of a session, and at last the context that its summary has", async () => {
    await using tail = new Tail();
    await eventually("the sentence", () => tail.stderr.includes("Waiting for the first session"));
    const { stderr } = await session([
      ["echo", { message: "hello" }],
      ["fail", {}],
    ]);
    await tail.has("tool_error");
    await tail.has("  ok  ");
    const rows = tail.rows();
    // The server answers them in any order.
    expect(
      rows.map(([, server, tool, , , outcome]) => `${server} ${tool} ${outcome}`).toSorted(),
    ).toEqual(["fixture echo ok", "fixture fail tool_error"]);
    expect(rows[0]?.[0]).toMatch(/^\d\d:\d\d:\d\d$/);
    expect(rows[0]?.[3]).toMatch(/^~\d+ → ~\d+$/);
    expect(rows[0]?.[4]).toMatch(/^[\d.,]+ m?s$/);
    const { definitions, total } = JSON.parse(stderr);
    const context = definitions.resident_tokens + definitions.loaded_tokens + total.total_tokens;
    expect(rows[1]?.[6]).toBe(`~${context.toLocaleString("en-US")}`);
    expect(tail.stdout).not.toContain("\u001b");
  });

  test("--json prints the records, and filters choose among them", async () => {
    await using all = await following("--json", "-n", "1");
    await using some = await following(
      "--tool",
      "*e*o",
      "--tool",
      "ready",
      "--server",
      "fix*",
      "--server",
      "ready",
    );
    await session([
      ["echo", { message: "hello" }],
      ["fail", {}],
    ]);
    for (const tool of ['"echo"', '"fail"']) await all.has(tool);
    await some.has("echo");
    const printed = all.stdout.split("\n").filter((line) => line !== "");
    const file = home.logs().find((path) => !path.includes("ready")) ?? "";
    const calls = (await recordsIn(readFileSync(file, "utf8"))).filter(
      ({ type }) => type === "call",
    );
    expect(printed.slice(-2).map((line) => JSON.parse(line))).toEqual(calls);
    expect(some.stdout).not.toContain("fail");
  });

  test("prints hostile names as visible escapes", async () => {
    const hostile = "\u001b]0;x\u0007\u202e\nnew";
    append(pathOf("a"), callRecord({ tool: hostile, server: hostile }));
    for (const options of [[], ["--json"]]) {
      await using tail = new Tail(...options);
      await tail.has("new");
      expect(tail.stdout.trimEnd().split("\n")).toHaveLength(1);
      for (const character of ["\u001b", "\u0007", "\u202e"]) {
        expect(tail.stdout).not.toContain(character);
      }
    }
  });

  test("survives torn lines and files that are removed, and continues", async () => {
    await using tail = await following();
    writeFileSync(pathOf("torn"), '{"type": "call", "to');
    append(pathOf("removed"), callRecord({ tool: "soon-removed" }));
    await tail.has("soon-removed");
    rmSync(pathOf("removed"));
    append(pathOf("torn"), {});
    append(pathOf("torn"), callRecord({ tool: "after" }));
    await tail.has("after");
    expect(tail.stderr).toBe("");
  });

  test("says that no call has the name, and waits for one", async () => {
    append(pathOf("a"), callRecord({ tool: "one" }));
    await using tail = new Tail("--server", "nosuch");
    await eventually("the sentence", () => tail.stderr !== "");
    expect(tail.stderr).toBe(
      'mcp-meter: No call in the newest records matches "nosuch"; waiting for one\n',
    );
    append(pathOf("b"), callRecord({ tool: "found", server: "nosuch" }));
    await tail.has("found");
  });

  test("ends with 0 when its reader leaves, also without further calls", async () => {
    append(pathOf("a"), callRecord({ tool: "one" }), callRecord({ tool: "two" }));
    const script = `{ "$0" tail; echo "ended with $?" >&2; } | head -1`;
    const run = await runBare(["bash", "-c", script, executable()], { env: home.env });
    expect(run.stdout).toContain("one");
    expect(run.stderr).toBe("ended with 0\n");
  });

  test("is ended quietly by Ctrl-C, which a shell reports as 130", async () => {
    await using tail = await following();
    expect(await tail.end("SIGINT")).toEqual({ code: null, signal: "SIGINT" });
    expect(tail.stderr).toBe("");
  });

  test("has colours where they are wanted, and heads only on a terminal", async () => {
    append(pathOf("a"), callRecord({ tool: "x", outcome: "refused" }));
    const forced = await runBare(["bash", "-c", '"$0" tail | head -1', executable()], {
      env: { ...home.env, FORCE_COLOR: "1" },
    });
    expect(forced.stdout).toContain("\u001b[33mrefused");
    const env = { ...home.env, NO_COLOR: "1", TERM: "xterm", COLUMNS: "100" };
    using shown = new StartedProcess(
      ["script", "-qec", `'${executable()}' tail`, "/dev/null"],
      env,
    );
    await eventually("the call", () => shown.out.includes("refused"));
    expect(shown.out).toContain("server");
    expect(shown.out).not.toContain("\u001b[3");
  });
});

describe("with 3,000 files of old sessions", () => {
  const days = 30;

  function makeOldSessions(): void {
    const ts = new Date().toISOString();
    for (let file = 0; file < 3_000; file += 1) {
      const day = `2026-08-${String(1 + (file % days)).padStart(2, "0")}`;
      const told = { session_id: String(file), ts };
      append(pathOf(`old-${file}`, day), sessionRecord(told), callRecord(told));
    }
  }

  test(
    "a call is printed within 100 ms of its record (slow)",
    async () => {
      makeOldSessions();
      await using tail = await following();
      const times: number[] = [];
      for (let at = 0; at < 60; at += 1) {
        const tool = `mark-${at}-`;
        const path =
          [
            pathOf(`old-${at * 7}`, `2026-08-${String(1 + ((at * 7) % days)).padStart(2, "0")}`),
            pathOf("live"),
            pathOf(`new-${at}`),
          ][at % 3] ?? "";
        append(path, callRecord({ tool }));
        const started = performance.now();
        await tail.has(tool);
        times.push(performance.now() - started);
      }
      expect(quantile(times, 0.9)).toBeLessThan(allowed(100));
    },
    judgedByTime,
  );

  test(
    "it takes at most 1 % of a processor while nothing happens (slow)",
    async () => {
      makeOldSessions();
      await using tail = await following();
      await Bun.sleep(1_500);
      const before = cpuTicks(tail.pid);
      await Bun.sleep(5_000);
      // A tick is 10 ms: 5 of them are 1 % of 5 s.
      expect(cpuTicks(tail.pid) - before).toBeLessThanOrEqual(allowed(5));
    },
    judgedByTime,
  );
});

function cpuTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

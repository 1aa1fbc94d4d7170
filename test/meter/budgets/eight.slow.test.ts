import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { loadTokenizer } from "#state/storage/load-tokenizer.ts";
import { SqliteStore } from "#state/stores/sqlite/sqlite-store.ts";
import { readMember, readString } from "#wire/json.ts";
import { Folder } from "../../support/folder.ts";
import { executable, fixture } from "../../support/session.ts";
import { call } from "../../support/rpc.ts";

setDefaultTimeout(60_000);

const meters = 8;
const openMax = 3;
const limit = 20_000;

let folder: Folder;

beforeEach(() => {
  folder = new Folder();
});

afterEach(() => folder[Symbol.dispose]());

const count = (text: string): number => loadTokenizer("o200k_base").count(text);

class Caller {
  delivered = 0;
  answers = 0;
  refusals = 0;
  dearest = 0;
  readonly #process: Bun.Subprocess<"pipe", "pipe", "pipe">;
  readonly #costs = new Map<unknown, number>();
  #next = 0;

  constructor(env: Record<string, string>, options: readonly string[] = []) {
    const reads = ["--as-client", "cursor", "--tokenizer", "o200k"];
    const flags = ["--server", "shared", ...reads, "--log", "off", ...options];
    const argv = [executable, ...flags, "--budget", `${limit}/month`, "--", ...fixture("honest")];
    this.#process = Bun.spawn(argv, {
      env: { PATH: process.env["PATH"] ?? "", ...env },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
  }

  get stderr(): Promise<string> {
    return this.#process.stderr.text();
  }

  kill(): void {
    this.#process.kill("SIGKILL");
  }

  async play(): Promise<void> {
    for (let open = 0; open < openMax; open += 1) this.#call();
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of this.#process.stdout) {
      const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#hear(JSON.parse(line));
    }
    await this.#process.exited;
  }

  #call(): void {
    this.#next += 1;
    const message = call(this.#next, "echo", { text: `call ${this.#next} ${"x ".repeat(20)}` });
    const args = readMember(message, "params", "arguments");
    this.#costs.set(this.#next, count("echo") + count(JSON.stringify(args)));
    try {
      void this.#process.stdin.write(`${JSON.stringify(message)}\n`);
      void this.#process.stdin.flush();
    } catch {
      // Its meter has been killed.
    }
  }

  #hear(message: unknown): void {
    const content = readMember(message, "result", "content");
    const text = (Array.isArray(content) ? readString(content[0], "text") : undefined) ?? "";
    if (readMember(message, "result", "isError") === true) {
      this.refusals += 1;
      if (this.refusals === openMax) void this.#process.stdin.end();
      return;
    }
    const cost = (this.#costs.get(readMember(message, "id")) ?? 0) + count(text);
    this.answers += 1;
    this.delivered += cost;
    this.dearest = Math.max(this.dearest, cost);
    this.#call();
  }
}

function counter(state: string): { spent: number; held: number } {
  const store = new SqliteStore({
    path: `${state}/mcp-meter/budget-counters.sqlite`,
    holder: "test",
  });
  const [only, ...more] = store.list();
  store.close();
  if (!only || more.length > 0) throw new Error(`${more.length + 1} or no counters`);
  return only;
}

const sum = (callers: readonly Caller[], of: "delivered" | "answers" | "dearest"): number =>
  callers.reduce((total, caller) => total + caller[of], 0);

test("they never exceed it, and it shows what was delivered", async () => {
  const state = folder.at("state");
  const callers = Array.from({ length: meters }, () => new Caller({ XDG_STATE_HOME: state }));
  await Promise.all(callers.map((caller) => caller.play()));
  const delivered = sum(callers, "delivered");
  expect(delivered).toBeLessThanOrEqual(limit);
  expect(delivered).toBeGreaterThan(limit - 200);
  expect(callers.filter(({ refusals }) => refusals < openMax)).toEqual([]);
  expect(counter(state)).toMatchObject({ spent: delivered, held: 0 });
});

test("nor when half of them are killed: what was open is held, what was delivered is spent", async () => {
  const state = folder.at("state");
  const start = (): Caller[] =>
    Array.from({ length: meters / 2 }, () => new Caller({ XDG_STATE_HOME: state }));
  const killed = start();
  const played = killed.map((caller) => caller.play());
  while (sum(killed, "answers") === 0) await Bun.sleep(1);
  const others = start();
  played.push(...others.map((caller) => caller.play()));
  const callers = [...killed, ...others];
  while (sum(callers, "delivered") < limit / 2) await Bun.sleep(1);
  for (const caller of killed) caller.kill();
  await Promise.all(played);
  const delivered = sum(callers, "delivered");
  const { spent, held } = counter(state);
  expect(delivered).toBeLessThanOrEqual(spent);
  expect(spent + held).toBeLessThanOrEqual(limit);
  // What a killed meter had judged and its client had not read yet.
  expect(spent - delivered).toBeLessThanOrEqual(killed.length * openMax * 250);
  expect(sum(killed, "answers")).toBeGreaterThan(0);
});

test("a counter file that is no database is told of once, and the limit holds for the session", async () => {
  const state = folder.at("state");
  await mkdir(`${state}/mcp-meter`, { recursive: true });
  writeFileSync(`${state}/mcp-meter/budget-counters.sqlite`, "no database at all ".repeat(400));
  const caller = new Caller({ XDG_STATE_HOME: state });
  const [told] = await Promise.all([caller.stderr, caller.play()]);
  const warnings = told
    .split("\n")
    .filter((line) => line.includes("Cannot use the shared budget counters"));
  expect(warnings).toHaveLength(1);
  expect(caller.delivered).toBeLessThanOrEqual(limit);
  expect(caller.delivered).toBeGreaterThan(limit - 200);
});

test("the same where another holds the file, and where nothing can be written", async () => {
  const state = folder.at("state");
  await mkdir(`${state}/mcp-meter`, { recursive: true });
  const { Database } = await import("bun:sqlite");
  const holder = new Database(`${state}/mcp-meter/budget-counters.sqlite`);
  holder.run("CREATE TABLE mine (x)");
  holder.run("BEGIN EXCLUSIVE");
  const notFolder = folder.file("file", "");
  for (const env of [{ XDG_STATE_HOME: state }, { XDG_STATE_HOME: notFolder }]) {
    const caller = new Caller(env);
    const [told] = await Promise.all([caller.stderr, caller.play()]);
    expect(told.match(/Cannot use the shared budget counters/g)).toHaveLength(1);
    expect(caller.delivered).toBeLessThanOrEqual(limit);
  }
  holder.close();
});

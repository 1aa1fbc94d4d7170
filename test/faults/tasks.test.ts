import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { openV1 } from "../support/client-v1.ts";
import { openV2 } from "../support/client-v2.ts";
import { Folder } from "../support/folder.ts";
import { type LogRecord, readLog } from "../support/records.ts";
import { type Message, notification, request } from "../support/rpc.ts";
import { executable, fixture, metered, type Session, testMaxMs } from "../support/session.ts";
import { slowIf } from "../support/slow-cases.ts";

setDefaultTimeout(testMaxMs);

const limit = 50;
const budgeted =
  "long-id empty-content empty-structure cancelled-first empty-result-first error-first one-id asked-again";
const attacks = budgeted.split(" ");
const flags = attacks.flatMap((tool) => ["--budget", `${tool}=${limit}/session`]);

function behind(folder: Folder) {
  const args = [
    "--log",
    folder.at("records.ndjson"),
    "--summary",
    "off",
    ...flags,
    "--",
    ...fixture("deceives-with-tasks"),
  ];
  const argv: readonly [string, ...string[]] = [executable, ...args];
  return { name: "fixture", argv, env: { XDG_STATE_HOME: folder.path } };
}

type TaskClient = {
  call(tool: string): Promise<unknown>;
  get(taskId: string): Promise<unknown>;
  result(taskId: string): Promise<unknown>;
  close(): Promise<void>;
};

const anything = {
  "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) },
} as const;

async function taskClientV2(folder: Folder): Promise<TaskClient> {
  const client = await openV2(behind(folder), "legacy");
  const ask = (method: string, params: Record<string, unknown>) =>
    client.request({ method, params }, anything).catch(String);
  return {
    call: (name) => ask("tools/call", { name, arguments: {}, task: {} }),
    get: (taskId) => ask("tasks/get", { taskId }),
    result: (taskId) => ask("tasks/result", { taskId }),
    close: () => client.close(),
  };
}

async function taskClientV1(folder: Folder): Promise<TaskClient> {
  const client = await openV1(behind(folder));
  const { tasks } = client.experimental;
  return {
    call: async (name) => {
      const seen: unknown[] = [];
      const params = { name, arguments: {} };
      const stream = tasks.callToolStream(params, CallToolResultSchema, { task: {} });
      for await (const message of stream) {
        seen.push(message.type === "error" ? String(message.error) : message);
      }
      return seen;
    },
    get: (taskId) => tasks.getTask(taskId).catch(String),
    result: (taskId) => tasks.getTaskResult(taskId, CallToolResultSchema).catch(String),
    close: () => client.close(),
  };
}

function taskIdIn(seen: unknown): string {
  return /"taskId":"([^"]*)"/.exec(JSON.stringify(seen))?.[1] ?? "none";
}

function callsOf(folder: Folder): LogRecord[] {
  const { records } = readLog(folder.at("records.ndjson"));
  return records.filter(({ type }) => type === "call");
}

const sdks = [
  ["SDK 1.x", taskClientV1],
  ["SDK 2.x", taskClientV2],
] as const;

describe("row 58: no result of a task passes a budget", () => {
  for (const [sdk, open] of sdks) {
    for (const attack of attacks) {
      const part = slowIf(sdk === "SDK 1.x" && attack !== "error-first");
      test(`row 58: ${sdk} and a server that tries ${attack}: nothing above the budget, one record a call${part}`, async () => {
        using folder = new Folder();
        const client = await open(folder);
        const seen = [await client.call(attack)];
        if (attack === "one-id") seen.push(await client.call("free"));
        const taskId = taskIdIn(seen);
        // The first state deceives, the second one says that the result is there, which is asked for three times.
        for (let times = 0; times < 2; times += 1) seen.push(await client.get(taskId));
        for (let times = 0; times < 3; times += 1) seen.push(await client.result(taskId));
        await client.close();
        expect(JSON.stringify(seen)).not.toContain("word word");
        expect(JSON.stringify(seen)).toContain("ran, but its answer was withheld");
        const calls = callsOf(folder);
        const ids = calls.map(({ request_id: id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        // A refusal is read as well, and not charged to any budget.
        const paid = calls.filter(({ outcome }) => outcome !== "refused");
        const spent = paid.map((one) => Number(one["total_tokens"]));
        expect(spent.reduce((sum, tokens) => sum + tokens, 0)).toBeLessThanOrEqual(limit);
      });
    }
  }
});

const long = { content: [{ type: "text", text: "word ".repeat(500) }] };
const line = (message: Message): string => JSON.stringify({ jsonrpc: "2.0", ...message });
const modernTask = { resultType: "task", taskId: "t", status: "working" };
const completed = { taskId: "t", status: "completed", result: long };

/** A call whose server says these lines, which are not among its arguments: those are charged too. */
const slow = (id: number, ...say: readonly string[]): Message =>
  request(id, "tools/call", { name: "slow", say });
const get = (id: number, result: object): Message =>
  request(id, "tasks/get", { taskId: "t", say: [line({ id, result })] });

const leaked = (session: Session): string[] =>
  session.stdout.lines.filter((text) => text.includes("word word"));

describe("row 58: of 2026, where a state brings the result", () => {
  const states: readonly (readonly [what: string, state: object])[] = [
    ["cancelled", { taskId: "t", status: "cancelled" }],
    ["with an empty result", { taskId: "t", status: "working", result: {} }],
    ["with an empty error", { taskId: "t", status: "working", error: {} }],
    ["without a member", {}],
  ];
  for (const [what, state] of states) {
    test(`row 58: a state ${what} first, then the result by two polls and a notification`, async () => {
      await using session = metered(fixture("puppet"), { flags: ["--budget", "slow=50/session"] });
      await session.ask(slow(1, line({ id: 1, result: modernTask })));
      await session.ask(get(2, state));
      await session.ask(get(3, completed));
      const note = notification("notifications/tasks/status", completed);
      await session.send(request(9, "say", { say: [line(note), line({ id: 9, result: {} })] }));
      await session.answer(9);
      await session.ask(get(4, completed));
      await session.finish();
      expect(leaked(session)).toEqual([]);
      const own = session.records("call").filter(({ request_id: id }) => id === 1);
      expect(own).toHaveLength(1);
    });
  }

  test("row 58: a task that has ended already, and the result of a task that was never handed out", async () => {
    await using session = metered(fixture("puppet"), { flags: ["--budget", "slow=50/session"] });
    await session.ask(slow(1, line({ id: 1, result: { ...modernTask, result: long } })));
    await session.send(slow(2));
    const unknown = { taskId: "never", say: [line({ id: 3, result: long })] };
    await session.ask(request(3, "tasks/result", unknown));
    await session.finish();
    expect(leaked(session)).toEqual([]);
  });
});

test("row 58: a task of the server with the id of the client's leaves the client's under its budget", async () => {
  await using session = metered(fixture("puppet"), { flags: ["--budget", "slow=50/session"] });
  const handle = { task: { taskId: "t", status: "working" } };
  const asks = line({ id: 7, method: "sampling/createMessage", params: { messages: [] } });
  await session.ask(slow(1, line({ id: 1, result: handle }), asks));
  await session.line("sampling/createMessage");
  await session.send({ jsonrpc: "2.0", id: 7, result: handle });
  await session.ask(
    request(2, "tasks/result", { taskId: "t", say: [line({ id: 2, result: long })] }),
  );
  await session.finish();
  expect(leaked(session)).toEqual([]);
  const outcomes = session.records("call").map(({ method, outcome }) => [method, outcome]);
  expect(Object.fromEntries(outcomes)).toEqual({
    "sampling/createMessage": "abandoned",
    "tools/call": "refused",
  });
  expect(outcomes).toHaveLength(2);
});

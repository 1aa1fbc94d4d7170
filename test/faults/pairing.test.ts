import { describe, expect, setDefaultTimeout, test } from "bun:test";

import { existsSync } from "node:fs";
import { Folder } from "../support/folder.ts";
import { filesBelow } from "../support/records.ts";
import {
  call,
  initialize,
  notification,
  request,
  textResult,
  type Message,
} from "../support/rpc.ts";
import { fixture, metered, type Session, testMaxMs } from "../support/session.ts";
import { eventually } from "../support/wait.ts";

setDefaultTimeout(testMaxMs);

const line = (message: Message) => JSON.stringify(message);

const puppet = (flags: readonly string[] = []) => metered(fixture("puppet"), { flags });

function callsOf(session: Session) {
  return session
    .records("call")
    .filter(({ method }) => method === "tools/call")
    .map(({ request_id, tool, outcome }) => ({ request_id, tool, outcome }));
}

const rawCall = (id: string, name: string, args: string) =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":${args}}}\n`;

describe("row 7: ids of every kind keep to themselves", () => {
  const ids = ["9007199254740993", "1.0", '"1"', "1", '""', "-0", "1e2", '"__proto__"'];

  test("row 7: answers pair by type and value, and every raw id comes back as written", async () => {
    await using session = puppet();
    const asked = ids.map((id, index) => {
      const answer = `{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}`;
      const args = JSON.stringify({ say: index === ids.length - 1 ? [] : [answer] });
      return rawCall(id, `t${index}`, args);
    });
    await session.input.write(asked.join(""));
    await session.line('"id":1e2');
    await session.finish();
    for (const id of ids.slice(0, -1)) expect(session.stdout.text).toContain(`"id":${id},`);
    const outcomes = new Map(callsOf(session).map(({ tool, outcome }) => [tool, outcome]));
    const expected = ids.map((_, index): [string, string] => [
      `t${index}`,
      index === ids.length - 1 ? "abandoned" : "ok",
    ]);
    expect(outcomes).toEqual(new Map(expected));
  });

  test('row 7: an answer to "1" does not close 1 while "1" is open', async () => {
    await using session = puppet();
    const say = [line(textResult("1", "not yours")), line({ jsonrpc: "2.0", method: "done" })];
    await session.send(call("1", "text"), call(1, "number", { say }));
    await session.line("done");
    await session.finish();
    expect(callsOf(session)).toEqual([
      { request_id: "1", tool: "text", outcome: "ok" },
      { request_id: 1, tool: "number", outcome: "abandoned" },
    ]);
  });

  test("row 7: large neighbours that a double cannot tell apart are two calls", async () => {
    await using session = puppet();
    const say = '{"say":["{\\"jsonrpc\\":\\"2.0\\",\\"id\\":9007199254740993,\\"result\\":{}}"]}';
    await session.input.write(rawCall("9007199254740992", "even", "{}"));
    await session.input.write(rawCall("9007199254740993", "odd", say));
    await session.line("9007199254740993");
    await session.finish();
    const outcomes = callsOf(session).map(
      ({ tool, outcome }) => `${String(tool)} ${String(outcome)}`,
    );
    expect(outcomes.toSorted()).toEqual(["even abandoned", "odd ok"]);
  });
});

test("row 8: an answer or a request with a null id is forwarded and closes nothing", async () => {
  await using session = puppet();
  const error = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}';
  await session.send(call(1, "open", { say: [error, line({ jsonrpc: "2.0", method: "done" })] }));
  await session.input.write(
    '{"jsonrpc":"2.0","id":null,"method":"tools/list","params":{"say":["seen"]}}\n',
  );
  await session.line("seen");
  await session.finish();
  expect(session.stdout.lines).toContain(error);
  expect(callsOf(session)).toEqual([{ request_id: 1, tool: "open", outcome: "abandoned" }]);
});

test("row 9: the same id three times in flight → first in, first out, exact totals", async () => {
  await using session = puppet();
  const texts = ["a", "b ".repeat(100), "c ".repeat(1000)];
  await session.send(call(1, "first"), call(1, "second"));
  await session.send(call(1, "third", { say: texts.map((text) => line(textResult(1, text))) }));
  await session.line("c c");
  await session.finish();
  const records = session.records("call");
  expect(records.map(({ tool, outcome }) => [tool, outcome])).toEqual([
    ["first", "ok"],
    ["second", "ok"],
    ["third", "ok"],
  ]);
  const [small, medium, large] = records.map(({ output_tokens: tokens }) => Number(tokens));
  expect(small).toBeLessThan(medium ?? 0);
  expect(medium).toBeLessThan(large ?? 0);
});

test("row 10: duplicate, unknown and late answers are forwarded and counted once", async () => {
  await using session = puppet();
  const answers = [textResult(1, "once"), textResult(1, "twice"), textResult("nobody", "lost")];
  await session.send(call(1, "x", { say: answers.map(line) }));
  await session.line("lost");
  await session.send(
    call(2, "y", { say: [line(textResult(1, "late")), line(textResult(2, "done"))] }),
  );
  await session.line("done");
  await session.finish();
  expect(session.stdout.lines).toHaveLength(5);
  expect(callsOf(session)).toEqual([
    { request_id: 1, tool: "x", outcome: "ok" },
    { request_id: 2, tool: "y", outcome: "ok" },
  ]);
});

test("row 11: a server's request with the client's id closes nothing, nor does the client's answer", async () => {
  await using session = puppet();
  const mine = "mine ".repeat(100);
  const sampling = line(request(1, "sampling/createMessage", { messages: [] }));
  await session.send(call(1, "x", { say: [sampling] }));
  await session.line("sampling");
  await session.send({ jsonrpc: "2.0", id: 1, result: { role: "assistant" } });
  await session.send(notification("n", { say: [line(textResult(1, mine))] }));
  await session.line("mine");
  await session.finish();
  expect(session.stdout.lines).toEqual([sampling, line(textResult(1, mine))]);
  expect(callsOf(session)).toEqual([{ request_id: 1, tool: "x", outcome: "ok" }]);
  const record = session.records("call").find(({ tool }) => tool === "x");
  expect(record?.["output_tokens"]).toBeGreaterThan(50);
});

const cancel = (id: number, say: readonly string[]) =>
  notification("notifications/cancelled", { requestId: id, say });

describe("row 12: cancellation", () => {
  test("row 12: of a running call → forwarded, recorded once, its late answer forwarded", async () => {
    await using session = puppet();
    await session.send(call(1, "x"));
    await session.send(cancel(1, [line(textResult(1, "too late")), "heard"]));
    await session.line("heard");
    await session.finish();
    expect(session.stdout.text).toContain("too late");
    expect(callsOf(session)).toEqual([{ request_id: 1, tool: "x", outcome: "cancelled" }]);
  });

  test("row 12: of a finished or unknown call → forwarded, no second record", async () => {
    await using session = puppet();
    await session.send(call(1, "x", { say: [line(textResult(1, "done"))] }));
    await session.line("done");
    await session.send(cancel(1, ["heard 1"]), cancel(99, ["heard 99"]));
    await session.line("heard 99");
    await session.finish();
    expect(session.stdout.lines).toContain("heard 1");
    expect(callsOf(session)).toEqual([{ request_id: 1, tool: "x", outcome: "ok" }]);
  });
});

describe("row 15: what is never answered", () => {
  test("row 15: 70 000 open calls → the oldest are given up, each is recorded once, no alert (slow)", async () => {
    const count = 70_000;
    await using session = metered(fixture("never-answers"), { flags: ["--summary", "off"] });
    const calls = Array.from({ length: count }, (_, index) => `${line(call(index, "silent"))}\n`);
    await session.input.write(calls.join(""), 20_000);
    const abandoned = () =>
      session.records("call").filter(({ outcome }) => outcome === "abandoned");
    await eventually("a call is given up while the session goes on", () => abandoned().length > 0);
    expect(abandoned().length).toBeLessThan(count / 2);
    expect(await session.finish(20_000)).toEqual({ code: 0, signal: null });
    const { records, torn } = session.log();
    expect(torn).toEqual([]);
    // The calls do repeat each other; anything else would be a false alarm.
    const alarms = records.filter((record) => record["alert"] !== "repeated_call");
    expect(alarms.filter(({ type }) => type === "alert" || type === "fault")).toEqual([]);
    const dropped = Number(records.find(({ type }) => type === "end")?.["dropped_records"]);
    expect(new Set(abandoned().map(({ request_id: id }) => id)).size + dropped).toBe(count);
  });

  test("row 15: an open subscriptions/listen is no slow and no abandoned call", async () => {
    await using session = puppet();
    const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
    await session.send(request(1, "subscriptions/listen", { _meta: meta, say: ["listening"] }));
    await session.line("listening");
    await session.send(call(2, "x", { say: [line(textResult(2, "done"))] }));
    await session.line("done");
    await session.finish();
    expect(callsOf(session)).toEqual([{ request_id: 2, tool: "x", outcome: "ok" }]);
    expect(session.records("alert")).toEqual([]);
  });
});

async function priceOf(text: string): Promise<number> {
  await using session = puppet();
  await session.send(call(1, "x", { say: [line(textResult(1, text))] }));
  await session.answer(1);
  await session.finish();
  return Number(session.records("call")[0]?.["output_tokens"]);
}

describe("row 16: one call in several exchanges", () => {
  const long = "many words that cost something ".repeat(40);

  test("row 16: a multi-round trip is one call with the tokens of both rounds", async () => {
    await using session = puppet();
    const required = { resultType: "input_required", requestState: "state-1", inputRequests: {} };
    const first = line({ jsonrpc: "2.0", id: 1, result: required });
    await session.send(call(1, "x", { say: [first] }));
    await session.line("state-1");
    const retry = { requestState: "state-1", inputResponses: { answer: { text: long } } };
    const say = [
      line({
        jsonrpc: "2.0",
        id: 2,
        result: { resultType: "complete", content: [{ type: "text", text: long }] },
      }),
    ];
    await session.send(request(2, "tools/call", { name: "x", arguments: { say }, ...retry }));
    await session.answer(2);
    await session.finish();
    const records = session.records("call");
    expect(records).toMatchObject([{ tool: "x", outcome: "ok" }]);
    expect(records[0]?.["output_tokens"]).toBeGreaterThanOrEqual(await priceOf(long));
  });

  for (const era of ["2025-11-25", "2026-07-28"]) {
    test(`row 16: a task as of ${era} is one call with the tokens of its result`, async () => {
      await using session = puppet();
      const task = {
        taskId: "task-1",
        status: "working",
        ttl: 60_000,
        createdAt: "2026-01-01T00:00:00Z",
      };
      const created = era === "2025-11-25" ? { task } : { resultType: "task", ...task };
      await session.send(
        call(1, "slow", { say: [line({ jsonrpc: "2.0", id: 1, result: created })] }),
      );
      await session.answer(1);
      const content = [{ type: "text", text: long }];
      const [method, result] =
        era === "2025-11-25"
          ? ["tasks/result", { content }]
          : [
              "tasks/get",
              { resultType: "complete", ...task, status: "completed", result: { content } },
            ];
      await session.send(
        request(2, method, { taskId: "task-1", say: [line({ jsonrpc: "2.0", id: 2, result })] }),
      );
      await session.answer(2);
      await session.finish();
      const records = session.records("call");
      expect(records).toMatchObject([{ tool: "slow", outcome: "ok" }]);
      expect(records[0]?.["output_tokens"]).toBeGreaterThanOrEqual(await priceOf(long));
    });
  }
});

describe("row 17: a sibling that only probes", () => {
  for (const how of ["end of input", "end of input and TERM", "TERM"]) {
    test(`row 17: a session without a message, ended by ${how}, prints nothing and leaves no file`, async () => {
      await using session = metered(fixture("never-answers"));
      await Bun.sleep(150);
      if (how.includes("end")) session.input.end();
      if (how.includes("TERM")) session.kill("SIGTERM");
      await session.ended();
      expect(session.stderr.text).toBe("");
      expect(session.stdout.text).toBe("");
      expect(filesBelow(session.stateDir)).toEqual([]);
    });
  }

  test("row 17: a client that only tries the server leaves no record and no summary file", async () => {
    using folder = new Folder();
    const summary = folder.at("summary.txt");
    await using session = metered(fixture("honest"), {
      flags: ["--summary-file", summary],
    });
    const hello = initialize();
    const params = Object(Reflect.get(hello, "params"));
    const clientInfo = { name: "mcp-test-client", version: "0.0.1" };
    await session.ask({ ...hello, params: { ...params, clientInfo } });
    await session.ask(request(1, "ping"));
    await session.finish();
    expect(session.stderr.text).toBe("");
    expect(filesBelow(session.stateDir)).toEqual([]);
    expect(existsSync(summary)).toBe(false);
  });

  test("row 17: a failed probe is no error call, and initialize may follow it", async () => {
    await using session = metered(fixture("honest"));
    await session.ask(request("probe", "server/discover"));
    await session.ask(initialize());
    await session.finish();
    expect(session.records("call")).toEqual([]);
    expect(session.records("fault")).toEqual([]);
  });
});

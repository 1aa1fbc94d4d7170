import { describe, expect, test, setDefaultTimeout } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { memoryOf } from "../support/processes.ts";
import { call, initialize, notification, request, type Message } from "../support/rpc.ts";
import { fixture, metered, runMeter, type Session, testMaxMs } from "../support/session.ts";

setDefaultTimeout(testMaxMs);

const megabyte = 1_000_000;
const hasBudgets = /--budget\b/.test(
  [["--help"], ["run", "--help"]].map((args) => runMeter(args).stdout).join(""),
);

const flags = ["--budget", "blocked=5"];
const words = { text: "far more than five tokens of arguments, by any estimator ".repeat(4) };
const blockedCall = (id: number | string) => call(id, "blocked", words);

const mirror = ["tee", "{dir}/received"];
const receivedBy = (session: Session) => readFileSync(join(session.dir, "received"), "utf8");

function refusals(session: Session): Message[] {
  return session.stdout.lines.flatMap(parse).filter((message) => isRefusal(message));
}

function parse(line: string): Message[] {
  try {
    return [JSON.parse(line) as Message | Message[]].flat();
  } catch {
    return [];
  }
}

function isRefusal({ result }: Message): boolean {
  return typeof result === "object" && result !== null && "isError" in result;
}

const refusalLine = (session: Session) => session.line('"isError":true');

const answer = (id: number, result: object) => JSON.stringify({ jsonrpc: "2.0", id, result });

describe.if(hasBudgets)("rows that need budgets", () => {
  describe("row 6: a batch with one refused element → mcp-meter answers only that one", () => {
    test("row 6: the other elements reach the server as they were written", async () => {
      await using session = metered(mirror, { flags });
      const free = '{"jsonrpc":"2.0", "id":1.0,"method":"tools/call","params":{"name":"free"}}';
      const note = '{"method":"n","jsonrpc":"2.0"}';
      await session.input.write(`[${free} , ${JSON.stringify(blockedCall(2))},${note}]\n`);
      await refusalLine(session);
      expect(await session.finish()).toEqual({ code: 1, signal: null });
      expect(refusals(session).map(({ id }) => id)).toEqual([2]);
      expect(receivedBy(session)).not.toContain("blocked");
      expect(receivedBy(session)).toContain(free);
      expect(receivedBy(session)).toContain(note);
      expect(JSON.parse(receivedBy(session))).toHaveLength(2);
    });

    test("row 6: a batch of refused elements does not reach the server", async () => {
      await using session = metered(mirror, { flags });
      await session.input.write(`${JSON.stringify([blockedCall(1), blockedCall("1")])}\n`);
      await refusalLine(session);
      await session.finish();
      expect(refusals(session).map(({ id }) => id)).toEqual([1, "1"]);
      expect(receivedBy(session).trim()).toBe("");
    });
  });

  for (const id of ["9007199254740993", "1.0", '"1"', '""', '"\\u0041"', "-0"]) {
    test(`row 7: a refusal repeats the id ${id} as it was written`, async () => {
      await using session = metered(mirror, { flags });
      await session.input.write(JSON.stringify(blockedCall("ID")).replace('"ID"', id) + "\n");
      expect(await refusalLine(session)).toContain(`"id":${id}`);
      await session.finish();
      expect(receivedBy(session)).toBe("");
    });
  }

  test("row 8: a tools/call that is a notification and over its budget → dropped, recorded, not answered", async () => {
    await using session = metered(mirror, { flags });
    await session.send(notification("tools/call", { name: "blocked", arguments: words }));
    await session.send(notification("after"));
    await session.line("after");
    await session.finish();
    expect(session.stdout.lines).toEqual([JSON.stringify(notification("after"))]);
    expect(receivedBy(session)).not.toContain("blocked");
    expect(session.records("breach")).toMatchObject([{ tool: "blocked" }]);
  });

  test("row 12: the cancellation of a refused call → forwarded, no second record", async () => {
    await using session = metered(mirror, { flags });
    await session.send(blockedCall(1));
    await refusalLine(session);
    const cancel = notification("notifications/cancelled", { requestId: 1 });
    await session.send(cancel);
    await session.line("notifications/cancelled");
    await session.finish();
    expect(receivedBy(session)).toBe(`${JSON.stringify(cancel)}\n`);
    expect(session.records("call")).toMatchObject([{ tool: "blocked", outcome: "refused" }]);
    expect(session.records("breach")).toHaveLength(1);
  });

  describe("row 13: a refusal while the server writes a line → never inside that line", () => {
    test("row 13: a line in the making is held, so the refusal does not wait for it", async () => {
      await using session = metered(fixture("puppet"), { flags });
      await session.send(notification("n", { part: '{"jsonrpc":"2.0","method":"first half, ' }));
      await session.send(blockedCall(1));
      await refusalLine(session);
      expect(session.stdout.lines).toHaveLength(1);
      await session.send(notification("n", { say: ['second half"}', "more"] }));
      await session.line("more");
      await session.finish();
      expect(session.stdout.lines[1]).toBe('{"jsonrpc":"2.0","method":"first half, second half"}');
      expect(session.stdout.lines).toHaveLength(3);
    });

    test("row 13: a line that is never completed comes last", async () => {
      await using session = metered(fixture("puppet"), { flags });
      await session.send(notification("n", { part: '{"jsonrpc":"2.0","meth' }));
      await session.send(blockedCall(1));
      await session.finish();
      expect(refusals(session).map(({ id }) => id)).toEqual([1]);
      expect(session.stdout.text).toEndWith('\n{"jsonrpc":"2.0","meth');
    });
  });

  describe("row 14: a refusal while the client does not read → no deadlock, bounded", () => {
    test("row 14: every refusal arrives once, in order, between the lines of a flood", async () => {
      const count = 500;
      await using session = metered(fixture("floods", String(5 * megabyte), "0"), { flags });
      session.stdout.pause();
      const asked = Array.from({ length: count }, (_, id) => blockedCall(id));
      const sending = session.send(...asked);
      await Bun.sleep(300);
      session.stdout.resume();
      await sending;
      await session.finish();
      expect(refusals(session).map(({ id }) => id)).toEqual(asked.map(({ id }) => id));
      expect(session.stdout.lines.filter((line) => parse(line).length !== 1)).toEqual([]);
    });

    test("row 14: a client that only writes is stopped before memory runs out", async () => {
      await using session = metered(fixture("never-answers"), { flags });
      await session.send(initialize());
      await session.send(...Array.from({ length: 200 }, (_, id) => blockedCall(id)));
      await session.line('"id":199');
      session.stdout.pause();
      const before = memoryOf(session.pid).now;
      const block = Buffer.from(`${JSON.stringify(blockedCall(1))}\n`.repeat(100));
      let taken = 0;
      for (let quietSince = performance.now(); performance.now() - quietSince < 400;) {
        const count = session.input.offer(block);
        taken += count;
        if (count > 0) quietSince = performance.now();
        else await Bun.sleep(1);
        if (taken > 50 * megabyte) break;
      }
      expect(taken).toBeLessThan(2 * megabyte);
      expect(memoryOf(session.pid).now - before).toBeLessThan(32 * megabyte);
    });
  });

  test("row 16: a budget does not count the second round of a multi-round trip as a second call", async () => {
    await using session = metered(fixture("puppet"), { flags: ["--budget", "x=1calls/session"] });
    const asks = { resultType: "input_required", requestState: "s", inputRequests: {} };
    await session.send(call(1, "x", { say: [answer(1, asks)] }));
    await session.answer(1);
    const args = { say: [answer(2, { resultType: "complete", content: [] })] };
    const retry = { name: "x", arguments: args, requestState: "s", inputResponses: {} };
    await session.ask(request(2, "tools/call", retry));
    await session.ask(call(3, "x"));
    await session.finish();
    expect(refusals(session).map(({ id }) => id)).toEqual([3]);
  });
});

import { describe, expect, test } from "bun:test";
import { type RequestEvent, noUsage } from "#history/imports/log-event.ts";
import { mergeRequests } from "#history/imports/merge-requests.ts";
import { requestLine } from "../../support/logs.ts";

const line = (message: string | null, request: string | null, facts = {}) =>
  requestLine({ keys: { message, request, line: null }, ...facts });

describe("the same request", () => {
  test("has the largest numbers, the earliest time and the first model", () => {
    const { requests } = mergeRequests([
      line("m", "r", { at: 2000, model: null, usage: { ...noUsage, output: 1, cacheRead: 9 } }),
      line("m", "r", { at: 1000, model: "b", usage: { ...noUsage, output: 5, cacheRead: 7 } }),
      line("m", "r", { at: null, model: "c" }),
    ]);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      at: 1000,
      model: "b",
      usage: { output: 5, cacheRead: 9 },
    });
  });

  test("may lack its request id on either line", () => {
    expect(mergeRequests([line("m", null), line("m", "r")]).requests).toHaveLength(1);
    expect(mergeRequests([line("m", "r"), line("m", null)]).requests).toHaveLength(1);
  });

  test("copied by a sub-agent keeps the numbers of its parent", () => {
    const copy = line("m", "other", {
      isSideChain: true,
      conversation: "agent",
      usage: { ...noUsage, output: 99 },
    });
    const { requests, copies } = mergeRequests([line("m", "r"), copy]);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.usage.output).toBe(1);
    expect(copies).toEqual([{ conversation: "agent", original: "one" }]);
  });

  test("has the last line of a client that repeats lines", () => {
    const { requests } = mergeRequests([
      line("m", null, { usage: { ...noUsage, output: 9 } }),
      line("m", null, { merge: "last", usage: { ...noUsage, output: 3 }, nativeCost: 0.5 }),
    ]);
    expect(requests[0]).toMatchObject({ usage: { output: 3 }, nativeCost: 0.5 });
  });
});

describe("two requests", () => {
  test("are lines with different request ids, because gateways reuse message ids", () => {
    expect(mergeRequests([line("m", "r1"), line("m", "r2")]).requests).toHaveLength(2);
    const three = [line("m", null), line("m", "r1"), line("m", "r2")];
    expect(mergeRequests(three).requests).toHaveLength(2);
  });

  test("are lines without any id", () => {
    expect(mergeRequests([line(null, null), line(null, null)]).requests).toHaveLength(2);
  });
});

const usageWith = (output: number) => ({ ...noUsage, output });

const stepKeys = (request: string | null) => ({ message: "msg", request, line: null });

const outputs = (...events: readonly RequestEvent[]) =>
  mergeRequests(events).requests.map((request) => request.usage.output);

const step = (id: string, output: number) =>
  requestLine({
    keys: stepKeys(id),
    merge: "first",
    usage: usageWith(output),
    at: null,
    model: null,
  });

describe("steps of a message", () => {
  const usage = usageWith(9);
  const sum = requestLine({ keys: stepKeys(null), merge: "fallback", usage, model: "m" });

  test("replace the sum of the message, in any order", () => {
    expect(outputs(sum, step("1", 4), step("2", 5))).toEqual([4, 5]);
    expect(outputs(step("1", 4), sum, step("2", 5))).toEqual([4, 5]);
    expect(outputs(step("1", 4), step("2", 5), sum)).toEqual([4, 5]);
    expect(outputs(sum, sum)).toEqual([9]);
  });

  test("have the time and model of the message, and count once", () => {
    const { requests } = mergeRequests([step("1", 4), step("1", 7), step("2", 5), sum]);
    expect(requests).toMatchObject([
      { at: 1000, model: "m", usage: usageWith(4) },
      { at: 1000, model: "m", usage: usageWith(5) },
    ]);
  });
});

import { expect, test } from "bun:test";
import { VsCodeReader, loggedRequestsMax } from "#history/importers/vs-code.ts";
import { eventsOf } from "../../../support/logs.ts";

const read = (lines: readonly Record<string, unknown>[]) =>
  eventsOf((tools) => new VsCodeReader("a/chatSessions/s.jsonl", tools), lines);

const request = (requestId: string, promptTokens = 1) => ({ requestId, promptTokens });
const snapshot = (...requests: readonly object[]) => ({ kind: 0, v: { sessionId: "s", requests } });
const messagesIn = (events: ReturnType<typeof read>["events"]) =>
  events.flatMap((event) => (event.kind === "request" ? [event.keys.message] : []));

test("a change sets a member of a request, and the request is written again", () => {
  const { events } = read([
    snapshot(request("a")),
    { kind: 1, k: ["requests", 0, "completionTokens"], v: 5 },
    { kind: 1, k: ["requests", 0], v: request("a", 9) },
  ]);
  const usages = events.flatMap((event) => (event.kind === "request" ? [event.usage] : []));
  expect(usages.map(({ uncached, output }) => [uncached, output])).toEqual([
    [1, 0],
    [1, 5],
    [9, 5],
  ]);
});

test("an array is cut and appended to, or replaced", () => {
  const lines = [
    snapshot(request("a"), request("b")),
    { kind: 2, k: ["requests"], i: 1, v: [request("c")] },
    { kind: 1, k: ["requests", 1, "completionTokens"], v: 1 },
    { kind: 1, k: ["requests"], v: [request("d")] },
    { kind: 1, k: ["requests", 0, "completionTokens"], v: 1 },
  ];
  expect(messagesIn(read(lines).events)).toEqual(["s/a", "s/b", "s/c", "s/c", "s/d", "s/d"]);
});

test("changes of other parts, of deeper members and behind the end are ignored", () => {
  const { events, unknown } = read([
    snapshot(request("a")),
    { kind: 1, k: ["inputState"], v: {} },
    { kind: 1, k: ["requests", 7, "promptTokens"], v: 5 },
    { kind: 1, k: ["requests", 0, "result", "metadata"], v: {} },
    { kind: 2, k: ["requests", 0, "response"], v: [{}] },
    { kind: 1, k: "requests", v: 4 },
    { kind: 1, k: ["requests", -1, "promptTokens"], v: 4 },
    { kind: 3, k: ["requests", 0] },
  ]);
  expect([messagesIn(events), unknown]).toEqual([["s/a"], 0]);
  expect(read([{ kind: 9 }, {}, { kind: 0, v: 4 }]).unknown).toBe(3);
});

test("requests beyond the limit are dropped", () => {
  const many = Array.from({ length: loggedRequestsMax + 1 }, (_, at) => request(String(at)));
  expect(messagesIn(read([snapshot(...many)]).events)).toHaveLength(loggedRequestsMax);
});

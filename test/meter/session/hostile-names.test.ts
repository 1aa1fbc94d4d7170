import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { formatRecordLine } from "#state/sinks/record-queue.ts";
import { readMember } from "#wire/json.ts";
import { GatedSession } from "../../support/gated-session.ts";
import { hostileText, findUnsafeText } from "../../support/hostile.ts";

const request = (id: number, method: string, params: object) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});
const result = (id: number, value: object) => ({ jsonrpc: "2.0", id, result: value });
const long = { content: [{ type: "text", text: "word ".repeat(300) }] };
const handle = (taskId: string) => ({ task: { taskId, status: "working" } });
const state = (taskId: string) => ({ taskId, status: "completed", result: long });

type Way = readonly [where: string, play: (session: GatedSession, name: string) => unknown];

const call = (id: number, name: string, more: object = {}) =>
  request(id, "tools/call", { name, arguments: {}, ...more });

const ways: readonly Way[] = [
  ["a tool over its calls", (on, name) => on.client(call(1, name), call(2, name), call(3, name))],
  ["arguments over a budget", (on, name) => on.client(call(1, name, { arguments: long }))],
  ["an answer over a budget", (on, name) => on.client(call(1, name)).server(result(1, long))],
  [
    "a prompt",
    (on, name) =>
      on
        .client(request(1, "prompts/get", { name }))
        .server(result(1, { messages: [{ content: long.content }] })),
  ],
  [
    "a resource",
    (on, name) =>
      on
        .client(request(1, "resources/read", { uri: name }))
        .server(result(1, { contents: [{ uri: name, text: long.content[0]?.text }] })),
  ],
  [
    "a task id, in a result",
    (on, name) =>
      on
        .client(call(1, "t"))
        .server(result(1, handle(name)))
        .client(request(2, "tasks/result", { taskId: name }))
        .server(result(2, long)),
  ],
  [
    "a task id, of no call",
    (on, name) => on.client(request(2, "tasks/result", { taskId: name })).server(result(2, long)),
  ],
  ["a tool that is repeated", (on, name) => on.client(...[1, 2, 3, 4].map((id) => call(id, name)))],
];

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...textsIn(member)]);
}

function isOurs(line: string): boolean {
  const message: unknown = JSON.parse(line);
  return readMember(message, "error", "code") === -31_900 || line.includes("mcp-meter: ");
}

for (const errorForm of ["tool", "rpc"] as const) {
  describe(`refusals as ${errorForm}`, () => {
    for (const [where, play] of ways) {
      test(`a hostile name of ${where} is safe in the refusal and in the records`, () => {
        let refusals = 0;
        const check = (name: string): void => {
          const session = new GatedSession(["60/session", "2calls/session"], {
            errorForm,
            repeatsMax: 2,
          });
          play(session, name);
          session.end();
          const ours = session.toClient.filter(isOurs);
          refusals += ours.length;
          for (const line of ours) {
            expect(textsIn(JSON.parse(line)).flatMap(findUnsafeText)).toEqual([]);
            expect(textsIn(JSON.parse(line)).every((text) => text.length < 300)).toBe(true);
          }
          for (const record of session.records) {
            expect(findUnsafeText(formatRecordLine(record).slice(0, -1))).toEqual([]);
          }
        };
        fc.assert(fc.property(hostileText, check), { numRuns: 60 });
        expect(refusals).toBeGreaterThan(0);
      });
    }
  });
}

function cutUnder(tool: string): string {
  const session = new GatedSession([`${tool}=80/session:truncate`]);
  session.client(call(1, tool)).server(result(1, long)).end();
  return session.toClient.join("\n");
}

test("a hostile budget is safe in the note at the end of a cut answer", () => {
  expect(cutUnder("a\u202eb")).toContain("to fit the budget a\\\\u202eb=80/session:truncate");
});

test("a hostile name of a tool that the lock does not have is safe in its refusal", () => {
  const session = new GatedSession([], { lock: { tools: [] } }).client(call(1, "a\u202e\nb")).end();
  expect(session.toClient.join("\n")).toContain("mcp-meter: a\\\\u202e\\\\u000ab was not run");
});

test("the state that replaces a refused one names its task as the server did: a client compares it", () => {
  const session = new GatedSession(["60/session"]);
  const taskId = "t\u202e";
  session.client(call(1, "t")).server(result(1, handle(taskId)));
  session
    .client(request(2, "tasks/get", { taskId }))
    .server(result(2, state(taskId)))
    .end();
  const refused: unknown = JSON.parse(session.toClient.at(-1) ?? "");
  expect(readMember(refused, "result", "taskId")).toBe(taskId);
  expect(JSON.stringify(refused)).toContain("ran, but its answer was withheld");
});

import { describe, expect, test } from "bun:test";
import { GatedSession } from "../../support/gated-session.ts";

const request = (id: number, method: string, params: object) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});
const result = (id: number, value: object) => ({ jsonrpc: "2.0", id, result: value });
const text = (characters: number) => ({
  content: [{ type: "text", text: "x".repeat(characters) }],
});
const poll = (id: number) => request(id, "tasks/result", { taskId: "t" });

function begun(): GatedSession {
  const search = { name: "search", arguments: { q: "x".repeat(180) } };
  const handle = { task: { taskId: "t", status: "working" } };
  return new GatedSession(["search=200"])
    .client(request(1, "tools/call", search))
    .server(result(1, handle));
}

const withheld = (session: GatedSession): boolean[] =>
  session.toClient.slice(1).map((line) => line.includes("its answer was withheld"));

describe("a limit per call", () => {
  test("counts the arguments also after a state that ended the task without a result", () => {
    const decoy = { taskId: "t", status: "working", result: {} };
    const session = begun()
      .client(request(2, "tasks/get", { taskId: "t" }))
      .server(result(2, decoy));
    session
      .client(poll(3))
      .server(result(3, text(510)))
      .end();
    expect(withheld(session)).toEqual([false, true]);
  });

  test("counts a result that is delivered again with the first one", () => {
    const session = begun();
    for (const id of [2, 3]) session.client(poll(id)).server(result(id, text(270)));
    expect(withheld(session.end())).toEqual([false, true]);
  });

  test("leaves room for a short result that is delivered twice", () => {
    const session = begun();
    for (const id of [2, 3]) session.client(poll(id)).server(result(id, text(60)));
    expect(withheld(session.end())).toEqual([false, false]);
    const end = session.records.at(-1);
    if (end?.type !== "end") throw new Error("a session ends with its end");
    expect(end.budgets[0]?.spent).toBeLessThanOrEqual(200);
  });
});

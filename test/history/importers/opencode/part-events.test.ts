import { describe, expect, test } from "bun:test";
import { makeCallIds, parsePart } from "#history/importers/opencode.ts";
import type { JsonObject } from "#wire/json.ts";
import { plainTools } from "../../../support/logs.ts";

function events(data: JsonObject) {
  let unknown = 0;
  const countUnknown = () => void (unknown += 1);
  const tools = { ...plainTools, emit: () => {}, countBad: () => {}, countUnknown };
  const facts = { id: "prt", session: "ses", message: "msg", model: "m", callId: makeCallIds() };
  return { events: parsePart(data, facts, tools), unknown: () => unknown };
}

const tool = (state: unknown) =>
  events({ type: "tool", callID: "c", tool: "docs_search", state }).events;

describe("partEvents", () => {
  test("a step is a request of its own", () => {
    const tokens = { input: 7, output: 1, total: 8 };
    expect(events({ type: "step-finish", cost: 0.02, tokens }).events).toMatchObject([
      {
        kind: "request",
        at: null,
        keys: { message: "msg", request: "prt", line: null },
        merge: "first",
        nativeCost: 0.02,
      },
    ]);
    expect(events({ type: "step-finish" }).events).toEqual([]);
  });

  test("a step whose reasoning is in doubt makes its conversation approximate", () => {
    const tokens = { input: 7, output: 1, reasoning: 1 };
    const [, note] = events({ type: "step-finish", tokens }).events;
    expect(note).toMatchObject({ kind: "conversation", isApproximate: true });
  });

  test.each([
    [{ status: "completed", output: "äb" }, "ok", 3],
    [{ status: "error", error: "bad" }, "tool_error", 3],
    [{ status: "completed" }, "ok", 0],
  ])("a call with the state %j", (state, outcome, bytes) => {
    expect(tool(state)[1]).toMatchObject({ kind: "tool_result", outcome, bytes, durationMs: null });
  });

  test("a call without an end has no answer, and one without a state is none", () => {
    for (const status of ["pending", "running", 4]) expect(tool({ status })).toHaveLength(1);
    for (const state of [null, "x", [], undefined]) expect(tool(state)).toEqual([]);
  });

  test("images are attachments", () => {
    const attachments = [{ mime: "image/png" }, { mime: "text/plain" }, null];
    expect(tool({ status: "completed", output: "", attachments })[1]).toMatchObject({ images: 1 });
  });

  test("a compaction is a boundary; a new type is counted, and others are not", () => {
    expect(events({ type: "compaction" }).events).toMatchObject([
      { kind: "boundary", line: "prt" },
    ]);
    expect(events({ type: "text" }).unknown()).toBe(0);
    expect(events({ type: "hologram" }).unknown()).toBe(1);
  });
});

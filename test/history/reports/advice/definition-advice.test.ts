import { describe, expect, test } from "bun:test";
import { adviceFor, plant, sessions, twoTools } from "../../../support/made-advice.ts";
import { toolDefinition } from "../../../support/made-records.ts";

describe("advice about definitions", () => {
  test("a server that three sessions started and never called", () => {
    expect(adviceFor(...sessions(3), twoTools())).toEqual([
      {
        kind: "unused_server",
        server: "garden",
        tool: null,
        tokens: 3_000,
        per: "session",
        // One session has a list.
        saved_tokens: 3_000,
        sessions: 3,
      },
    ]);
    expect(adviceFor(...sessions(2), twoTools())).toEqual([]);
    expect(adviceFor(...sessions(3), twoTools({ resident_tokens: 0 }))).toEqual([]);
  });

  test("tools that were never called, of a server that was called", () => {
    expect(adviceFor(...sessions(3), twoTools(), plant())).toMatchObject([
      { kind: "unused_tools", tokens: 2_000, names: ["water"], listed: 2 },
    ]);
    expect(adviceFor(...sessions(3), twoTools(), plant(), plant({ tool: "water" }))).toEqual([]);
    const small = twoTools({ tools: [toolDefinition("plant", 100), toolDefinition("water", 300)] });
    const sum = { total_tokens: 400, resident_tokens: 400 };
    const lists = ["s0", "s1", "s2"].map((session_id) => ({ ...small, ...sum, session_id }));
    expect(adviceFor(...sessions(3), ...lists, plant())).toMatchObject([
      { kind: "unused_tools", tokens: 300, saved_tokens: 900 },
    ]);
    expect(adviceFor(...sessions(3), ...lists.slice(2), plant())).toEqual([]);
  });

  test("hiding saves no definition that a client loaded on demand for a call", () => {
    const tools = [
      { ...toolDefinition("plant", 2_000), resident_tokens: 50 },
      { ...toolDefinition("water", 2_000), resident_tokens: 250 },
    ];
    const sums = { tools, total_tokens: 4_000, resident_tokens: 300, is_deferred: true };
    const lists = ["s0", "s1", "s2"].map((session_id) => ({ ...twoTools(sums), session_id }));
    const calls = ["s0", "s1", "s2"].map((session_id) => ({ ...plant(), session_id }));
    expect(adviceFor(...sessions(3), ...lists, ...calls)).toContainEqual(
      expect.objectContaining({ kind: "unused_tools", tokens: 250, saved_tokens: 750 }),
    );
  });

  test("definitions that grew from the oldest to the newest whole list, in any order of records", () => {
    const old = { ts: "2026-11-15T08:00:00.000Z", total_tokens: 2_000 };
    const records = [twoTools({ ts: "2026-11-20T08:00:00.000Z" }), twoTools(old)];
    const grown = {
      kind: "grown_definitions",
      tokens: 1_000,
      per: "session",
      before_tokens: 2_000,
      after_tokens: 3_000,
      since: "2026-11-15T08:00:00.000Z",
    };
    expect(adviceFor(...records)).toMatchObject([grown]);
    expect(adviceFor(...records.toReversed())).toMatchObject([grown]);
    const incomplete = twoTools({ ...old, total_tokens: 100, is_complete: false });
    expect(adviceFor(incomplete, twoTools())).toEqual([]);
  });

  test("the same tools in several orders, in one session or several", () => {
    const { tools } = twoTools();
    const turned = { session_id: "s1", tools: tools.toReversed() };
    const reordered = {
      kind: "reordered_lists",
      server: "garden",
      tool: null,
      orders: 2,
      tokens: 0,
      changes: 0,
      rewritten_tokens: 0,
    };
    expect(adviceFor(twoTools(), twoTools(turned), twoTools())).toMatchObject([reordered]);
    expect(adviceFor(twoTools(), twoTools({ ...turned, session_id: "s0" }))).toMatchObject([
      reordered,
    ]);
    const order = { list_change: { kind: "order", rewritten_tokens: 5_000 } } as const;
    const calls = [plant(order), plant({ ...order, tool: "water" }), plant()];
    const added = plant({ list_change: { kind: "tools", rewritten_tokens: 9_000 } });
    expect(adviceFor(twoTools(), twoTools(turned), ...calls, added)).toMatchObject([
      { ...reordered, changes: 2, rewritten_tokens: 10_000 },
    ]);
    expect(adviceFor(twoTools(), twoTools({ tools: tools.slice(1) }))).toEqual([]);
    expect(adviceFor(twoTools(), twoTools({ ...turned, is_complete: false }))).toEqual([]);
  });
});

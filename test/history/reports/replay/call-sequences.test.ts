import { describe, expect, test } from "bun:test";
import { array, assert, integer, property, record } from "fast-check";
import { CallSequences } from "#history/reports/replay/call-sequences.ts";
import { OrderedCalls } from "#history/reports/replay/ordered-calls.ts";
import { callRecord } from "../../../support/made-records.ts";

type Made = readonly [tool: string, tokens: number, session?: string];

function findSequences(made: readonly Made[], prepare?: (calls: OrderedCalls) => void) {
  const calls = new OrderedCalls();
  prepare?.(calls);
  const fold = new CallSequences(calls);
  for (const [at, [tool, tokens, session_id = "s"]] of made.entries()) {
    const [server = "", name = ""] = tool.split(".");
    const members = { session_id, seq: at, server, tool: name, total_tokens: tokens };
    fold.add(callRecord({ ...members, input_tokens: 0, output_tokens: tokens }), at * 1_000);
  }
  return fold.computeResults([]);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

describe("CallSequences", () => {
  test("finds a search and the pages that are fetched after it", () => {
    expect(
      findSequences([
        ["web.search", 100],
        ["web.fetch", 1_000],
        ["web.fetch", 1_000],
        ["web.search", 100],
        ["web.fetch", 1_000],
      ]),
    ).toEqual([
      {
        first: { server: "web", tool: "search", calls: 1 },
        next: { server: "web", tool: "fetch", calls: 1.5 },
        times: 2,
        tokens: 3_200,
        share: 1,
      },
      {
        first: { server: "web", tool: "fetch", calls: 2 },
        next: { server: "web", tool: "search", calls: 1 },
        times: 1,
        tokens: 2_100,
        share: 2_100 / 3_200,
      },
    ]);
  });

  test("joins calls to several servers if they share a conversation, and only then", () => {
    const made: readonly Made[] = [
      ["web.search", 10, "a"],
      ["files.write", 20, "b"],
    ];
    expect(findSequences(made)).toEqual([]);
    const joined = findSequences(made, (calls) => {
      for (const session_id of ["a", "b"])
        calls.addSession({ session_id, seq: 0, client_name: null, conversation: "c" });
    });
    expect(joined).toMatchObject([
      { first: { server: "web" }, next: { server: "files" }, times: 1 },
    ]);
  });

  test("ignores refused calls, and calls of one tool alone", () => {
    expect(
      findSequences([
        ["a.x", 1],
        ["a.x", 1],
      ]),
    ).toEqual([]);
    const calls = new OrderedCalls();
    const fold = new CallSequences(calls);
    fold.add(callRecord({ seq: 0, tool: "x" }), 0);
    fold.add(callRecord({ seq: 1, tool: "y", outcome: "refused" }), 1);
    expect(fold.computeResults([])).toEqual([]);
  });

  test("counts each run but the first and the last in two sequences", () => {
    const calls = array(
      record({ tool: integer({ min: 0, max: 3 }), tokens: integer({ min: 0, max: 99 }) }),
    );
    assert(
      property(calls, (made) => {
        const found = findSequences(made.map(({ tool, tokens }): Made => [`s.t${tool}`, tokens]));
        const runs: number[] = [];
        for (const [at, { tool, tokens }] of made.entries()) {
          if (made[at - 1]?.tool === tool) runs.push((runs.pop() ?? 0) + tokens);
          else runs.push(tokens);
        }
        const ends = runs.length > 1 ? (runs[0] ?? 0) + (runs.at(-1) ?? 0) : 2 * sum(runs);
        expect(sum(found.map(({ times }) => times))).toBe(Math.max(0, runs.length - 1));
        expect(sum(found.map(({ tokens }) => tokens))).toBe(2 * sum(runs) - ends);
      }),
    );
  });
});

import { describe, expect, test } from "bun:test";
import { array, assert, integer, property } from "fast-check";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mergeLogs } from "#history/imports/merge-logs.ts";
import { importers } from "#history/importers/index.ts";
import {
  pairedCallsMsMax,
  type PairableCall,
  pairCalls,
} from "#history/reports/imported/wire-matches.ts";
import { sha256 } from "#kit/os/hash.ts";
import { logsFolder, readHome } from "../support/logs.ts";

const call = (atMs: number, facts: Partial<PairableCall> = {}): PairableCall => ({
  callId: null,
  server: "docs",
  client: null,
  tool: "search",
  argumentsHash: "hash",
  atMs,
  ...facts,
});

function listPairs(logged: readonly PairableCall[], wire: readonly PairableCall[]) {
  return [...pairCalls(logged, wire)].map(([loggedCall, wireCall]) => [
    logged.indexOf(loggedCall),
    wire.indexOf(wireCall),
  ]);
}

describe("by the client's id", () => {
  test("calls of other names and times are the same", () => {
    const namesake = call(1e9, { callId: "a", server: "x", tool: null, argumentsHash: null });
    expect(listPairs([call(0, { callId: "a" })], [call(0), namesake])).toEqual([[0, 1]]);
  });

  test("a call with another id is another call, and an id on the wire twice is the first", () => {
    expect(listPairs([call(0, { callId: "a" })], [call(0, { callId: "b" })])).toEqual([]);
    const twice = [call(0, { callId: "a" }), call(1, { callId: "a" })];
    expect(listPairs([call(0, { callId: "a" })], twice)).toEqual([[0, 0]]);
  });
});

describe("by client, where names of servers differ", () => {
  const [logged, wire] = [
    { server: "everything", client: "gemini-cli" },
    { server: "mcp-servers/everything", client: "gemini-cli" },
  ];

  test("the only one within ten seconds is the same", () => {
    expect(listPairs([call(0, logged)], [call(500, wire)])).toEqual([[0, 0]]);
    expect(listPairs([call(0, logged)], [call(pairedCallsMsMax + 1, wire)])).toEqual([]);
    expect(listPairs([call(0, logged)], [call(0, wire), call(1, wire)])).toEqual([[0, 0]]);
  });

  test("calls of another client, or of one that is not known, are others", () => {
    expect(listPairs([call(0, logged)], [call(0, { ...wire, client: "codex" })])).toEqual([]);
    const unknown = { client: null };
    expect(
      listPairs([call(0, { ...logged, ...unknown })], [call(0, { ...wire, ...unknown })]),
    ).toEqual([]);
  });

  test("calls that are the same by server are not compared again", () => {
    const renamedCall = call(0, { server: "mcp-servers/everything", client: "gemini-cli" });
    expect(listPairs([call(1, logged), renamedCall], [call(2, wire)])).toEqual([[1, 0]]);
  });
});

describe("without an id", () => {
  test("the only one within ten seconds is the same, on both sides of it", () => {
    for (const at of [-pairedCallsMsMax, pairedCallsMsMax]) {
      expect(listPairs([call(0)], [call(at)])).toEqual([[0, 0]]);
      expect(listPairs([call(0)], [call(at + Math.sign(at))])).toEqual([]);
    }
  });

  test.each<[string, Partial<PairableCall>]>([
    ["server", { server: "x" }],
    ["tool", { tool: "x" }],
    ["arguments", { argumentsHash: "x" }],
    ["no tool", { tool: null }],
    ["no arguments", { argumentsHash: null }],
  ])("another call, by its %s, is not", (_name, facts) => {
    expect(listPairs([call(0)], [call(0, facts)])).toEqual([]);
    expect(listPairs([call(0, facts)], [call(0)])).toEqual([]);
  });

  test("equal calls pair in the order of time, as many as both sides have", () => {
    expect(listPairs([call(0)], [call(1), call(2)])).toEqual([[0, 0]]);
    expect(listPairs([call(1), call(2)], [call(0)])).toEqual([[0, 0]]);
    const logged = [call(8_010), call(3_990), call(10), call(60_000)];
    expect(listPairs(logged, [call(0), call(4_000), call(8_000)])).toEqual([
      [2, 0],
      [1, 1],
      [0, 2],
    ]);
    const apart = [call(0), call(60_000)];
    expect(listPairs([call(-60_000), ...apart], [call(1), call(60_001)])).toEqual([
      [1, 0],
      [2, 1],
    ]);
  });

  test("as many pair as any choice could", () => {
    const times = array(integer({ min: 0, max: 40_000 }), { maxLength: 6 });
    assert(
      property(times, times, (loggedTimes, wireTimes) => {
        const pairs = pairCalls(
          loggedTimes.map((at) => call(at)),
          wireTimes.map((at) => call(at)),
        );
        for (const [a, b] of pairs)
          expect(Math.abs(a.atMs - b.atMs) <= pairedCallsMsMax).toBe(true);
        expect(new Set(pairs.values()).size).toBe(pairs.size);
        expect(pairs.size).toBe(countMostPairs(loggedTimes, wireTimes));
      }),
    );
  });
});

function countMostPairs([first, ...rest]: readonly number[], wire: readonly number[]): number {
  if (first === undefined) return 0;
  const choices = wire.flatMap((at, index) =>
    Math.abs(at - first) <= pairedCallsMsMax
      ? [1 + countMostPairs(rest, wire.toSpliced(index, 1))]
      : [],
  );
  return Math.max(countMostPairs(rest, wire), ...choices);
}

const runs = join(logsFolder, "claude-code-runs");

async function loggedCalls(run: string) {
  const { calls } = mergeLogs(await readHome(importers["claude-code"], join(runs, run)));
  return calls.map(({ id, server, tool, argumentsHash, at }) => ({
    callId: sha256(id),
    server,
    client: "claude-code",
    tool,
    argumentsHash,
    atMs: at ?? 0,
  }));
}

describe("a run of a real client", () => {
  for (const run of readdirSync(runs).filter((name) => name !== "odd")) {
    const wire = readFileSync(join(runs, run, "wire.ndjson"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .map((record) => ({
        callId: record.call_id_sha256,
        server: record.server,
        client: null,
        tool: record.tool,
        argumentsHash: record.arguments_sha256,
        atMs: Date.parse(record.ts),
      }));
    test(`${run}: each call has its own on the wire, by id`, async () => {
      const logged = await loggedCalls(run);
      const pairs = pairCalls(logged, wire);
      expect(pairs.size).toBe(logged.length);
      expect(new Set(pairs.values()).size).toBe(wire.length);
      for (const [loggedCall, wireCall] of pairs) expect(loggedCall.callId).toBe(wireCall.callId);
    });

    test(`${run}: without ids, each is paired with the same one, by the name of the server or by the client`, async () => {
      const logged = await loggedCalls(run);
      const withoutIds = wire.map((wireCall, index) => ({
        ...wireCall,
        callId: null,
        truth: index,
      }));
      const equal = logged.filter(({ callId, ...known }) =>
        wire.some(({ tool, argumentsHash, ...record }) => {
          const isEqual = tool === known.tool && argumentsHash === known.argumentsHash;
          return record.callId === callId && isEqual;
        }),
      );
      // The client uses another name for the server, and nothing shows that it is the same client.
      expect(pairCalls(logged, withoutIds).size).toBe(0);
      for (const facts of [{ server: "t" }, { client: "claude-code" }]) {
        const named = withoutIds.map((wireCall) => ({ ...wireCall, ...facts }));
        const pairs = pairCalls(logged, named);
        for (const [loggedCall, wireCall] of pairs)
          expect(loggedCall.callId).toBe(wire[wireCall.truth]?.callId);
        expect(pairs.size).toBe(equal.length);
      }
    });
  }
});

import { describe, expect, test } from "bun:test";
import type { ImportedRecord, MeterRecord } from "#records/record.ts";
import type { Advice } from "#history/reports/advice/advice.ts";
import { addHistory, type AdviceFold } from "#history/reports/advice/advice-fold.ts";
import { ImportedHistory } from "#history/reports/imported/imported-history.ts";
import { WireMatches } from "#history/reports/imported/wire-matches.ts";
import { foldOf, plant, sessions, twoTools } from "../../../support/made-advice.ts";
import { call, conversation, noon, toolList, turn } from "../imported/made-history.ts";

const all = { fromMs: -Infinity, toMs: Infinity };

function collectAdvice(
  wire: readonly MeterRecord[],
  imported: readonly ImportedRecord[],
  range = all,
  choice?: Parameters<AdviceFold["advise"]>[0],
): readonly Advice[] {
  const history = new ImportedHistory();
  for (const record of imported) history.add(record);
  const matches = new WireMatches(history);
  const numbered = wire.map((record, seq) => ({ ...record, seq }));
  for (const record of numbered) if (record.type === "call") matches.offer(record);
  const fold = foldOf(numbered);
  addHistory(fold, { history, matchedCalls: matches.findPairs() }, range);
  return fold.advise(choice).advice;
}

function repeats(advice: readonly Advice[]): readonly number[] {
  return advice.flatMap(({ kind, tokens }) => (kind === "repeated_calls" ? [tokens] : []));
}

const repeatsApart = { kind: "repeats_apart", calls: 2 };

const garden = { server: "garden", estimator: "claude" };

describe("calls that only a log has", () => {
  test("count as calls of a server that was never called on the wire, whichever estimator counts their tokens", () => {
    const wire = [...sessions(3), twoTools()];
    expect(collectAdvice(wire, [])).toMatchObject([{ kind: "unused_server" }]);
    expect(collectAdvice(wire, [call(0, { ...garden, tool: "water" })])).toMatchObject([
      { kind: "unused_tools", names: ["plant"] },
    ]);
    const both = ["water", "plant"].map((tool, seq) => call(seq, { ...garden, tool }));
    expect(collectAdvice(wire, both)).toEqual([]);
  });

  test("of a resource are no repeats", () => {
    const hashes = ["a", "b", "a", "b"].map((digit) => digit.repeat(64));
    const logged = hashes.map((hash, seq) =>
      call(seq, { ...garden, arguments_sha256: hash, output_tokens: 2_000 }),
    );
    const resource = { tool: "resources/read", method: "resources/read" };
    const resources = logged.map((one) => ({ ...one, ...resource }));
    expect(collectAdvice([], logged)).toContainEqual(expect.objectContaining(repeatsApart));
    expect(collectAdvice([], resources)).toEqual([]);
  });

  test("count only in the period", () => {
    const wire = [...sessions(3), twoTools()];
    const range = { fromMs: noon + 501, toMs: Infinity };
    expect(collectAdvice(wire, [call(0, garden)], range)).toMatchObject([
      { kind: "unused_server" },
    ]);
  });

  test("count once if they are also on the wire, and are no repeats of it", () => {
    const repeated = Array.from({ length: 4 }, (_, seq) =>
      plant({
        ts: new Date(noon + seq * 60_000).toISOString(),
        call_id_sha256: `id-${seq}`,
        arguments_sha256: "ab".repeat(32),
        output_tokens: 2_000,
      }),
    );
    const logged = repeated.map(({ ts }, seq) =>
      call(seq, {
        ...garden,
        tool: "plant",
        ts,
        arguments_sha256: "ab".repeat(32),
        output_tokens: 2_000,
      }),
    );
    const wire = [...sessions(1), ...repeated];
    expect(collectAdvice(wire, logged)).toEqual(collectAdvice(wire, []));
    expect(collectAdvice(wire, []).length).toBeGreaterThan(0);
    // The log alone gives the same repeats.
    expect(repeats(collectAdvice([], logged))).toEqual(repeats(collectAdvice(wire, [])));
  });

  test("were cut if the log says that the client put the answer into a file", () => {
    const [advice] = collectAdvice([], [call(0, { visible: "spilled" })]);
    expect(advice).toMatchObject({ kind: "cut_answers", server: "docs", tool: "search", calls: 1 });
  });
});

function listing(count: number, rest: Parameters<typeof toolList>[1] = {}): ImportedRecord[] {
  return Array.from({ length: count }, (_, at) => {
    const conversation_id = `c${at}`;
    const turns = Array.from({ length: 100 }, (_turn, index) => turn(index, { conversation_id }));
    return [...turns, toolList(0, { conversation_id, session_id: `s${at}`, tokens: 20, ...rest })];
  }).flat();
}

describe("names that only logs list", () => {
  test("are advised against if their server was never called, with their tokens in all requests", () => {
    expect(collectAdvice([], listing(3))).toEqual([
      {
        kind: "listed_server",
        server: "docs",
        tool: null,
        tokens: 6_000,
        saved_tokens: 0,
        per: "period",
        sessions: 3,
        requests: 300,
      },
    ]);
    expect(collectAdvice([], listing(2))).toEqual([]);
    expect(collectAdvice([], listing(3, { tokens: 1 }))).toEqual([]);
  });

  test("are listed if other tools of their server were called", () => {
    const called = call(9, { conversation_id: "c0", session_id: "s0" });
    expect(collectAdvice([], [...listing(3), called])).toMatchObject([
      {
        kind: "listed_tools",
        names: ["fetch"],
        unused: 1,
        listed: 2,
        tokens: 3_000,
        requests: 300,
      },
    ]);
  });

  test("count in the requests in which they were listed", () => {
    const [advice] = collectAdvice([], listing(3, { turn: 10, until_turn: 60 }));
    expect(advice).toMatchObject({ tokens: 3_000, requests: 150 });
  });

  test("give no advice about a server whose definitions were recorded on the wire", () => {
    const known = { server: "docs" };
    const wire = [
      ...sessions(3),
      twoTools(known),
      plant(known),
      plant({ ...known, tool: "water" }),
    ];
    const found = collectAdvice(wire, listing(3));
    expect(found.map(({ kind }) => kind)).not.toContain("listed_tools");
    expect(found.map(({ kind }) => kind)).not.toContain("listed_server");
  });

  test("do not count a session behind mcp-meter a second time", () => {
    const ran = sessions(1).map((session) => ({
      ...session,
      server: "docs",
      client_session_id_sha256: "hash",
    }));
    const described = { ...conversation, client_session_id_sha256: "hash" } as ImportedRecord;
    const ownConversation = { ...described, conversation_id: "c0" } as ImportedRecord;
    expect(collectAdvice([], [...listing(3), ownConversation])).toHaveLength(1);
    expect(collectAdvice(ran, [...listing(2), ownConversation])).toEqual([]);
  });
});

const findAgents = (
  records: readonly ImportedRecord[],
  choice?: Parameters<AdviceFold["advise"]>[0],
) => collectAdvice([], records, all, choice).filter(({ kind }) => kind === "large_agent");

test("a sub-agent that took a quarter of all tokens with many calls is named", () => {
  const agent = { conversation_id: "agent", session_id: "agent" };
  const { ts } = call(0);
  const record = { ...conversation, ...agent, ts, kind: "subagent" } as ImportedRecord;
  const calls = Array.from({ length: 20 }, (_, seq) => call(seq, agent));
  expect(findAgents([record, ...calls])).toMatchObject([{ server: "docs", calls: 20, share: 1 }]);
  expect(findAgents([record, ...calls.slice(1)])).toEqual([]);
  expect(findAgents(calls)).toEqual([]);
  const unknown = calls.map((one) => ({ ...one, input_tokens: null, output_tokens: null }));
  expect(findAgents([record, ...unknown])).toEqual([]);
  const others = Array.from({ length: 61 }, (_, seq) => call(seq, { session_id: "main" }));
  expect(findAgents([record, ...calls, ...others])).toEqual([]);
  const inO200k = call(99, { session_id: "main", estimator: "o200k" });
  const of = (estimator: string) =>
    findAgents([record, ...calls, inO200k], { estimators: [estimator] });
  expect(of("o200k")).toEqual([]);
  expect(of("claude")).toMatchObject([{ share: 1 }]);
});

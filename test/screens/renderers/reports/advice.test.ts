import { describe, expect, test } from "bun:test";
import { actionRules } from "#meter/actions/action-rules.ts";
import { parseBudget } from "#meter/budgets/budget.ts";
import { matchesWildcard } from "#kit/text/match-names.ts";
import type { Advice } from "#history/reports/advice/advice.ts";
import type { WrapTargets } from "#history/reports/advice/advice-fold.ts";
import { buildAdviceDocument } from "#screens/renderers/reports/advice.ts";
import { renderTerminal } from "#screens/renderers/terminal.ts";

const common = {
  server: "garden",
  tool: null,
  tokens: 3_197,
  per: "session",
  saved_tokens: 38_364,
} as const;
const ofTool = {
  server: "garden",
  tool: "read_file",
  tokens: 12_300,
  per: "period",
  saved_tokens: 12_300,
} as const;

const ofServer = { ...ofTool, tool: null } as const;

const reordered = { ...ofServer, tokens: 0, kind: "reordered_lists", orders: 3 } as const;

const large = { limit: 5_000, shortened_calls: 3, calls: 40, share: 0.62 } as const;

function printLines(...advice: readonly Advice[]): string[] {
  return printAdvice(advice);
}

function printAdvice(advice: readonly Advice[], wrapTargets?: WrapTargets): string[] {
  const document = buildAdviceDocument({
    wrapTargets,
    period: "7 days",
    mark: "~",
    context_tokens: 100_000,
    advice,
    limitsInPlace: [],
    configured: [],
  });
  return renderTerminal(document, { color: false }).trimEnd().split("\n").slice(2);
}

test("limits that were set are a note", () => {
  const limitsInPlace = Array.from({ length: 9 }, (_, at) => {
    return { server: "garden", tool: `plant${at}`, limit: 5_000 };
  });
  const facts = { period: "7 days", mark: "~", context_tokens: 9, advice: [] };
  const print = (count: number, configured: readonly Advice[] = []) =>
    renderTerminal(
      buildAdviceDocument({
        wrapTargets: undefined,
        ...facts,
        configured,
        limitsInPlace: limitsInPlace.slice(0, count),
      }),
      { color: false },
    );
  expect(print(1)).toContain(
    "\nfollowed  limited in the newest sessions: garden · plant0 (5,000 tokens)\n",
  );
  expect(print(9)).toContain("garden · plant7 (5,000 tokens) and 1 more\n");
  expect(print(0)).not.toContain("followed");
  const repeats = { ...ofServer, kind: "repeated_calls", calls: 4 } as const;
  const pending = print(0, [{ ...ofTool, kind: "large_answers", ...large }, repeats]);
  expect(pending).toContain(
    "\nfollowed  in the settings, but not in use by a session yet: garden · read_file, garden\n",
  );
});

const save = (server: string, tool: string, saved_tokens: number) =>
  ({ ...ofTool, server, tool, saved_tokens, tokens: 12_300 }) as const;

const target = (entryName: string, isRemote = false) => ({ entryName, isRemote });

describe("adviceDocument", () => {
  test.each([
    [
      { ...reordered, changes: 0, rewritten_tokens: 0 },
      "order  garden: the same tools were listed in 3 different orders; ask its author to sort them: providers reuse a cached prompt only up to the first change",
    ],
    [
      { ...reordered, changes: 2, rewritten_tokens: 84_000 },
      "order  garden: the same tools were listed in 3 different orders, and the order changed 2 times between calls, so at least ~84,000 tokens of the prompt were written to the cache again; ask its author to sort them: providers reuse a cached prompt only up to the first change",
    ],
    [
      { ...common, kind: "unused_server", sessions: 12 },
      "~−38,364  garden: started in 12 sessions and never called, ~3,197 tokens each; remove it from the client's settings",
    ],
    [
      { ...common, kind: "unused_tools", names: ["plant", "water"], unused: 4, listed: 9 },
      "~−38,364  garden: 4 tools of 9 never called (plant, water and 2 more); hide them: | mcp-meter trim garden",
    ],
    [
      { ...ofServer, saved_tokens: 0, kind: "listed_server", sessions: 5, requests: 1_204 },
      "~−12,300 re-sent  garden: its tools were listed by name in 1,204 requests of 5 sessions and never called; remove it from the client's settings",
    ],
    [
      {
        ...ofServer,
        saved_tokens: 0,
        kind: "listed_tools",
        names: ["plant"],
        unused: 2,
        listed: 9,
        requests: 1,
      },
      "~−12,300 re-sent  garden: 9 tools listed by name in 1 request, 2 of them never called (plant and 1 more); turn them off in the client, or with a server option",
    ],
    [
      {
        ...common,
        kind: "grown_definitions",
        before_tokens: 1_000,
        after_tokens: 4_197,
        since: "2026-11-15T08:00:00.000Z",
        tools: [
          { name: "plant", before_tokens: 500, after_tokens: 2_700 },
          { name: "water", before_tokens: 0, after_tokens: 997 },
        ],
      },
      "~−38,364  garden: definitions grew from 1,000 to 4,197 since 2026-11-15 (plant +2,200, new tool water +997); compare them with a lock: | mcp-meter lock --check -- COMMAND",
    ],
    [
      { ...ofTool, kind: "large_answers", ...large },
      "~−12,300  garden · read_file: 62% of all tokens, 3 of 40 calls above 5,000 tokens; ask for less with a parameter of the tool, or limit them: | mcp-meter wrap garden -- --budget 'read_file=5k:truncate'",
    ],
    [
      { ...ofTool, kind: "large_answers", ...large, parameters: ["head", "options.page_size"] },
      "~−12,300  garden · read_file: 62% of all tokens, 3 of 40 calls above 5,000 tokens; ask for less with head or options.page_size, or limit them: | mcp-meter wrap garden -- --budget 'read_file=5k:truncate'",
    ],
    [
      { ...ofTool, kind: "large_answers", ...large, parameters: [] },
      "~−12,300  garden · read_file: 62% of all tokens, 3 of 40 calls above 5,000 tokens; no parameter of the tool shortens its answers, so limit them: | mcp-meter wrap garden -- --budget 'read_file=5k:truncate'",
    ],
    [
      { ...ofTool, kind: "large_answers", ...large, left_tokens: 2_900 },
      "~−12,300  garden · read_file: 62% of all tokens, 3 of 40 calls above 5,000 tokens; ask for less with a parameter of the tool, or limit them (the client then shows about 2,900 tokens of each answer): | mcp-meter wrap garden -- --budget 'read_file=5k:truncate'",
    ],
    [
      { ...ofTool, tool: null, kind: "repeated_calls", calls: 4 },
      "~−12,300  garden: 4 calls came directly after 2 or more identical ones; refuse such repeats: | mcp-meter wrap garden -- --max-repeats 2",
    ],
    [
      {
        ...ofTool,
        tokens: 0,
        kind: "repeats_apart",
        calls: 1,
        calls_in_row: 1,
        answer_tokens: 940,
      },
      "repeated  garden · read_file: 1 call had the arguments of an earlier one, ~940 tokens of answers; refuse it with --max-repeats 1: no other call came in between",
    ],
    [
      {
        ...ofTool,
        tokens: 0,
        kind: "repeats_apart",
        calls: 4,
        calls_in_row: 3,
        answer_tokens: 2_940,
      },
      "repeated  garden · read_file: 4 calls had the arguments of an earlier one, ~2,940 tokens of answers; refuse 3 of these with --max-repeats 1: those with no other call in between",
    ],
    [
      {
        ...ofTool,
        tokens: 0,
        kind: "repeats_apart",
        calls: 4,
        calls_in_row: 3,
        answer_tokens: 240,
      },
      "repeated  garden · read_file: 4 calls had the arguments of an earlier one, ~240 tokens of answers; have the agent reuse the earlier answer",
    ],
    [
      {
        ...ofTool,
        tokens: 0,
        kind: "repeats_apart",
        calls: 4,
        calls_in_row: 0,
        answer_tokens: 2_940,
      },
      "repeated  garden · read_file: 4 calls had the arguments of an earlier one, ~2,940 tokens of answers; other calls came between the repeats, so --max-repeats cannot refuse them; have the agent reuse the earlier answer",
    ],
    [
      { ...ofServer, tokens: 0, saved_tokens: 0, kind: "large_agent", calls: 312, share: 0.41 },
      "sub-agent  garden: one sub-agent took 41% of all tokens with 312 calls; the largest part of these tokens was from this server; try smaller tasks, or fewer servers",
    ],
    [
      { ...ofTool, kind: "duplicate_text", share: 0.48 },
      "~−12,300  garden · read_file: 48% of the tokens in its answers repeat structuredContent; if the server is yours, put a short text next to structuredContent",
    ],
    [
      { ...ofTool, kind: "compact_json", share: 0.2 },
      "~−12,300  garden · read_file: minified JSON would save 20% of its answers; if the server is yours, write JSON without spaces",
    ],
    [
      { ...ofTool, kind: "json_structure", share: 0.55 },
      "~−12,300  garden · read_file: 55% of its answers are JSON keys and punctuation; if the server is yours, return fewer fields, or a table with one header row",
    ],
    [
      { ...ofTool, tokens: 0, kind: "cut_answers", calls: 2 },
      "unread  garden · read_file: the client showed its model only part of 2 answers; ask for less with a parameter of the tool",
    ],
    [
      { ...ofTool, tokens: 0, kind: "cut_answers", calls: 2, parameters: [] },
      "unread  garden · read_file: the client showed its model only part of 2 answers; no parameter of the tool limits its answers",
    ],
  ] as const)("%j", (advice, line) => {
    expect(
      printLines(advice)
        .map((text) => text.trim())
        .join(" | "),
    ).toBe(line);
  });

  test.each(["x'; rm -rf ~ #\u001b[2J", "-x", "a b", "x".repeat(65), "名前"])(
    "%j as the name of a tool is no line to paste, and is cleaned",
    (tool) => {
      const [line = ""] = printLines({ ...ofTool, tool, kind: "large_answers", ...large });
      expect(line).not.toContain("--budget");
      expect(line).toContain("limit them with a budget");
      expect(line).not.toContain("\u001b");
    },
  );

  test.each(["read_file", "all", "a/b.c-d", "x".repeat(64), "2calls"])(
    "the line to paste for %s is a budget of that tool alone",
    (tool) => {
      const line = printLines({ ...ofTool, tool, kind: "large_answers", ...large }).at(-1) ?? "";
      const spec = /--budget '([^']*)'$/.exec(line)?.[1] ?? "";
      const budget = parseBudget(spec, actionRules);
      expect(budget).toMatchObject({
        limit: 5_000,
        per: "call",
        action: "truncate",
        isOverall: false,
      });
      expect(matchesWildcard(budget.tool ?? "", tool)).toBe(true);
    },
  );

  test("advice of one kind is one sentence, with a command for each server, and what all of it saves", () => {
    expect(
      printLines(
        { ...save("garden", "weed", 2_000), kind: "duplicate_text", share: 0.5 },
        { ...save("garden", "plant", 9_000), kind: "large_answers", ...large },
        { ...save("garden", "water", 4_000), kind: "large_answers", ...large, limit: 2_000 },
        { ...save("shed", "find", 1_000), kind: "large_answers", ...large },
      ),
    ).toEqual([
      "~−14,000  3 tools have large answers: garden · plant ~−9,000, garden · water ~−4,000, shed · find ~−1,000; " +
        "ask for less with a parameter of the tool, or limit them:",
      "          mcp-meter wrap garden -- --budget 'plant=5k:truncate' --budget 'water=2k:truncate'",
      "          mcp-meter wrap shed -- --budget 'find=5k:truncate'",
      "~−2,000   garden · weed: 50% of the tokens in its answers repeat structuredContent (saves ~12,300 if nothing else is changed); if the server is yours, put a short text next to structuredContent",
      "~−16,000  together, 16% of all tokens",
    ]);
  });

  test("wrap is proposed only for servers in the settings, by their names there", () => {
    const advice = ["garden", "my_shed", "pond", "claude_ai_Cloud"].map((server) => {
      return { ...save(server, "find", 1_000), kind: "large_answers" as const, ...large };
    });
    const targets = new Map([
      ["garden", target("garden")],
      ["my_shed", target("my.shed")],
      ["pond", target("pond", true)],
    ]);
    expect(printAdvice(advice, targets).slice(0, 4)).toEqual([
      expect.stringContaining(
        "or limit them; wrap cannot find claude_ai_Cloud in your settings; add --project DIR to include a project's settings",
      ),
      "         mcp-meter wrap garden -- --budget 'find=5k:truncate'",
      "         mcp-meter wrap my.shed -- --budget 'find=5k:truncate'",
      "         mcp-meter wrap pond --remote -- --budget 'find=5k:truncate'",
    ]);
  });

  test("a server in no settings gets no command, but what else can be done", () => {
    const none = new Map();
    const absent =
      "; wrap cannot find garden in your settings; add --project DIR to include a project's settings";
    const found = [
      [
        { ...ofTool, kind: "large_answers", ...large },
        `5,000 tokens; ask for less with a parameter of the tool${absent}`,
      ],
      [
        { ...ofServer, kind: "repeated_calls", calls: 4 },
        `identical ones; refuse such repeats with --max-repeats 2${absent}`,
      ],
      [
        { ...ofServer, kind: "listed_server", sessions: 5, requests: 9 },
        "and never called; turn it off in its client",
      ],
    ] as const;
    for (const [advice, end] of found) {
      const [line = "", ...more] = printAdvice([advice], none);
      expect([line.slice(-end.length), more]).toEqual([end, []]);
    }
  });

  test("a server in no settings does not change the advice for the others, and several are plural", () => {
    const advice = ["garden", "shed"].map((server) => {
      return { ...save(server, "find", 1_000), kind: "unused_server", sessions: 9 } as const;
    });
    const find = (...names: readonly string[]) =>
      printAdvice(advice, new Map(names.map((name) => [name, target(name)])))[0];
    expect(find("garden")).toEndWith("; remove them from the clients' settings");
    expect(find()).toEndWith("; turn them off in their clients");
    const written = advice.map((entry) => {
      return { ...entry, kind: "duplicate_text", share: 0.5 } as const;
    });
    expect(printLines(...written)[0]).toContain("; if the servers are yours, put a short text");
  });

  test("the command for a server whose name is no shell word has a placeholder", () => {
    const advice = { ...ofTool, server: "my shed", kind: "large_answers", ...large } as const;
    expect(printLines(advice).at(-1)).toEndWith(
      "  mcp-meter wrap SERVER -- --budget 'read_file=5k:truncate'",
    );
  });

  test("trim is proposed for the servers in the settings, by the name of a single one", () => {
    const advice = ["garden", "my_shed", "far"].map((server) => {
      const names = ["plant"];
      return { ...common, server, kind: "unused_tools", names, unused: 1, listed: 9 } as const;
    });
    const find = (targets: WrapTargets) => printAdvice(advice, targets).slice(0, 2).join("\n");
    expect(find(new Map())).toEndWith("or with a server option");
    const garden = ["garden", target("garden")] as const;
    const shed = ["my_shed", target("my.shed")] as const;
    expect(find(new Map([shed]))).toEndWith("hide them:\n           mcp-meter trim my.shed");
    expect(find(new Map([garden, shed]))).toEndWith("hide them:\n           mcp-meter trim");
    expect(find(new Map([["far", target("-x")]]))).toEndWith(" mcp-meter trim");
  });

  test("says once which servers are in no settings", () => {
    const both = [
      { ...ofTool, kind: "large_answers", ...large },
      { ...ofServer, kind: "repeated_calls", calls: 4 },
    ] as const;
    const text = printAdvice(both, new Map()).join("\n");
    expect(text.split("wrap cannot find garden").length).toBe(2);
  });

  test("without advice it says so", () => {
    expect(printLines()).toEqual(["found nothing to change"]);
  });
});

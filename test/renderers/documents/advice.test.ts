import { describe, expect, test } from "bun:test";
import type { Advice } from "#reports/advice/advice.ts";
import { adviceDocument } from "#renderers/documents/advice.ts";
import { renderTerminal } from "#renderers/terminal.ts";

const common = { server: "garden", tool: null, tokens: 3_197, per: "session" } as const;
const ofTool = { server: "garden", tool: "read_file", tokens: 12_300, per: "period" } as const;

function linesOf(...advice: readonly Advice[]): string[] {
  const document = adviceDocument({ period: "7 days", mark: "~", advice });
  return renderTerminal(document, { color: false }).trimEnd().split("\n").slice(2);
}

describe("adviceDocument", () => {
  test.each([
    [
      { ...common, kind: "unused_server", sessions: 12 },
      "−~3,197 a session  garden: started in 12 sessions and never called; remove it from the config of the client",
    ],
    [
      { ...common, kind: "unused_tools", names: ["plant", "water"], listed: 9 },
      "−~3,197 a session  garden: 2 tools of 9 never called (plant, water); switch them off in the client, or by an option of the server",
    ],
    [
      {
        ...common,
        kind: "grown_definitions",
        before_tokens: 1_000,
        after_tokens: 4_197,
        since: "2026-11-15T08:00:00.000Z",
      },
      "−~3,197 a session  garden: definitions grew from 1,000 to 4,197 since 2026-11-15; compare them with a lock: mcp-meter lock --check",
    ],
    [
      { ...ofTool, kind: "large_answers", limit: 5_000, shortened_calls: 3, calls: 40 },
      "−~12,300  garden · read_file: 3 of 40 calls above 5,000 tokens; ask for less with a parameter of the tool, or limit it: --budget 'read_file=5k:truncate'",
    ],
    [
      { ...ofTool, kind: "repeated_calls", calls: 4 },
      "−~12,300  garden · read_file: 4 calls repeated an earlier one of the session; refuse them with --max-repeats 2",
    ],
    [
      { ...ofTool, kind: "duplicate_text", share: 0.48 },
      "−~12,300  garden · read_file: 48% of its answers repeat structuredContent as text; as its author, put a short text next to structuredContent",
    ],
    [
      { ...ofTool, kind: "compact_json", share: 0.2 },
      "−~12,300  garden · read_file: minified JSON would spare 20% of its answers; as its author, write JSON without spaces",
    ],
    [
      { ...ofTool, kind: "json_structure", share: 0.55 },
      "−~12,300  garden · read_file: 55% of its answers are keys and punctuation of JSON; as its author, return rows under one header row, or fewer fields",
    ],
    [
      { ...ofTool, tokens: 0, kind: "cut_answers", calls: 2 },
      "unread  garden · read_file: the client cut 2 answers or put them into files; ask for less with a parameter of the tool: the model read only a part",
    ],
  ] as const)("%j", (advice, line) => {
    expect(linesOf(advice)).toEqual([line]);
  });

  test("a hostile name of a tool is no line to paste, and is cleaned", () => {
    const tool = "x'; rm -rf ~ #\u001b[2J";
    const [line = ""] = linesOf({
      ...ofTool,
      tool,
      kind: "large_answers",
      limit: 5_000,
      shortened_calls: 1,
      calls: 2,
    });
    expect(line).not.toContain("--budget");
    expect(line).not.toContain("\u001b");
  });

  test("without advice it says so", () => {
    expect(linesOf()).toEqual(["nothing to change was found"]);
  });
});

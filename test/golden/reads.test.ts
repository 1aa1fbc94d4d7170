import { describe, expect, test } from "bun:test";
import { createReaderChooser } from "#commands/reader-chooser.ts";
import { readCellText } from "#screens/renderers/document.ts";
import { buildSummaryGrid } from "#screens/renderers/documents/summary-table.ts";
import { listSummaryNotes } from "#screens/renderers/documents/summary-notes.ts";
import { makeTokenFormat } from "#screens/renderers/token-ranges.ts";
import { escapeForTerminal } from "#screens/renderers/terminal.ts";
import { GatedSession } from "../support/gated-session.ts";
import { o200kTokens, type SpokenEra, spokenEras } from "../support/eras.ts";
import { Play, summaryOf } from "../support/play.ts";

const text = (of: string) => ({ type: "text", text: of });
const city = { city: "Oslo", temp: 3 };
const both = { content: [text("Cold in Oslo")], structuredContent: city };
const failed = { content: [text("No such"), text("city")], isError: true };
const json = '{"city":"Oslo","temp":3}';
const params = { name: "weather", arguments: { q: 1 } };

function reader(model?: string) {
  return createReaderChooser({
    tokenizer: "o200k",
    model,
    client: undefined,
    windowTokens: undefined,
  });
}

function played({ begin, ask, answer }: SpokenEra, client: string, result: object): Play {
  const { asked, answered } = begin(client);
  const model = client === "codex-mcp-client" ? "gpt-5.5" : undefined;
  return new Play({ readerFor: reader(model) })
    .client(asked)
    .server(answered)
    .client(ask(1, "tools/call", params))
    .server(answer(1, result))
    .end();
}

const tokensOf = (texts: readonly string[]): number =>
  texts.reduce((sum, one) => sum + o200kTokens(one), 0);

const header = "Wall time: 0.0110 seconds\nOutput:";
const wrapped = (of: string) => `<untrusted_context>\n${of}\n</untrusted_context>`;

const reads: readonly (readonly [client: string, both: string[], failed: string[]])[] = [
  ["claude-code", [json], ["No such\ncity"]],
  ["codex-mcp-client", [`${header}\n${json}`], [header, "No such", "city"]],
  [
    "gemini-cli-mcp-client",
    [wrapped("Cold in Oslo")],
    [
      `MCP tool 'weather' reported tool error for function call: {"name":"weather","args":{"q":1}} with response: [{"functionResponse":{"name":"weather","response":{"content":[{"type":"text","text":"No such"},{"type":"text","text":"city"}],"isError":true}}}]`,
    ],
  ],
  ["opencode", ["Cold in Oslo"], ["No such\n\ncity"]],
  ["copilot-cli", [`Cold in Oslo${json}`], ["MCP server 'server': No suchcity"]],
  ["cursor-vscode", ["Cold in Oslo"], ["No such", "city"]],
  ["Visual Studio Code", [json], ["No such", "city"]],
  ["golden-host", ["Cold in Oslo"], ["No such", "city"]],
];

describe.each(spokenEras.map((era) => [era.era, era] as const))("%s", (spoken, era) => {
  test.each(reads)("%s reads one half of an answer, or both", (client, shown) => {
    expect(played(era, client, both).calls).toMatchObject([
      {
        output_tokens: tokensOf(shown),
        visible_tokens: tokensOf(shown),
        wire_tokens: tokensOf(["Cold in Oslo", json]),
      },
    ]);
  });

  test.each(reads)("%s reads an error", (client, _both, shown) => {
    // The 2026 era adds a member that Gemini CLI repeats with the rest.
    const more = spoken === "modern" ? `"resultType":"complete",` : "";
    const texts = shown.map((one) =>
      one.replace(`"response":{"content"`, `"response":{${more}"content"`),
    );
    expect(played(era, client, failed).calls).toMatchObject([
      {
        outcome: "tool_error",
        output_tokens: tokensOf(texts),
        wire_tokens: tokensOf(["No such", "city"]),
      },
    ]);
  });

  test("Codex in code mode: the most that its model can read, with low confidence", () => {
    const { asked, answered } = era.begin("codex-mcp-client");
    const play = new Play({ readerFor: reader() })
      .client(asked)
      .server(answered)
      .client(era.ask(1, "tools/call", params))
      .server(era.answer(1, both))
      .end();
    const whole = tokensOf(["Cold in Oslo", json]);
    expect(play.calls).toMatchObject([
      { visible: "unknown", output_tokens: whole, wire_tokens: whole, confidence: "low" },
    ]);
    expect(notesOf(play)).toContain(
      "note: 1 answer read by client scripts first; counted in full, though the model may have read less",
    );
  });

  test("Claude Code saves 52,000 characters: the total has what stays, the table what crossed the wire", () => {
    const whole = "Oslo is cold today.\n".repeat(2_600);
    const play = played(era, "claude-code", { content: [text(whole)] });
    const opened = '[\n  {\n    "type": "text",\n    "text": "';
    const head = `${opened}${String.raw`Oslo is cold today.\n`.repeat(100)}`.slice(0, 2_000);
    const left = `<persisted-output>\nOutput too large (50.8KB). Full output saved to: /home/user/.claude/projects/-home-user-projects-example-organisation-application/8e81fa78-ebf7-4241-b46a-c25a9bf4ac4a/tool-results/toolu_01TTfR5pGUugUEpKxt8ttzJn.json\n\nPreview (first 2KB):\n${head}\n...\n</persisted-output>`;
    const [stays, crossed] = [o200kTokens(left), o200kTokens(whole)];
    const input = tokensOf(["weather", '{"q":1}']);
    expect(play.calls).toMatchObject([{ output_tokens: stays, wire_tokens: crossed }]);
    const alerts = play.records.filter((record) => record.type === "alert");
    expect(alerts).toMatchObject([{ alert: "would_spill", limit: 50_000, value: 52_000 }]);
    const { total } = play.summary;
    expect(total).toMatchObject({ output_tokens: stays, wire_tokens: crossed });
    expect(total.total_tokens).toBe(input + stays);
    expect(rowOf(play)).toMatchObject({
      result: count(stays),
      wire: count(crossed),
      "in calls": count(input + stays),
    });
  });

  test("a budget pays for what Claude Code leaves, and withholds nothing that is not read", () => {
    const whole = "Oslo is cold today.\n".repeat(2_600);
    const { asked, answered } = era.begin("claude-code");
    const judged = new GatedSession(["weather=2000"], { readerFor: reader() })
      .client(asked)
      .server(answered)
      .client(era.ask(1, "tools/call", params))
      .server(era.answer(1, { content: [text(whole)] }))
      .end();
    expect(judged.calls).toMatchObject([{ outcome: "ok" }]);
    expect(summaryOf(judged.records).budgets).toMatchObject([{ breaches: 0 }]);
    const { asked: hello, answered: known } = era.begin("golden-host");
    const withheld = new GatedSession(["weather=2000"], { readerFor: reader() })
      .client(hello)
      .server(known)
      .client(era.ask(1, "tools/call", params))
      .server(era.answer(1, { content: [text(whole)] }))
      .end();
    expect(withheld.calls).toMatchObject([{ outcome: "refused" }]);
  });
});

const count = (tokens: number): string => `~${tokens.toLocaleString("en")}`;

function notesOf({ summary }: Play): string[] {
  return listSummaryNotes(summary, makeTokenFormat(true)).map(
    ({ label, text: of }) => `${escapeForTerminal(label)}: ${escapeForTerminal(of)}`,
  );
}

function rowOf({ summary }: Play): { readonly [head: string]: string } {
  const grid = buildSummaryGrid(summary, makeTokenFormat(true));
  if (grid.kind !== "grid") throw new Error("not a grid");
  const last = grid.rows.at(-1) ?? [];
  const cells = last.map((cell) => escapeForTerminal(readCellText(cell)));
  return Object.fromEntries(grid.columns.map(({ head }, at) => [head, cells[at] ?? ""]));
}

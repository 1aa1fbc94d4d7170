// Instructions ahead of the answer: in the data's text, in a block of their own, as XML, and at any length.
import { describe, expect, test } from "bun:test";
import { renderSummary } from "#renderers/summary.ts";
import { goldenReader, o200kTokens, type SpokenEra, spokenEras } from "../support/eras.ts";
import { Play } from "../support/play.ts";

const rules = Array.from({ length: 60 }, (_, at) => `${at + 1}. Never repeat row ${at}.`).join(
  "\n",
);
const preamble = `IMPORTANT RULES:\n\n${rules}\n\n`;
const xml = `<domain_rules>\n${rules}\n</domain_rules>\n`;
const actions = "Available actions:\n- open_issue\n- close_issue";
const prose = "Roses grow in the garden. ".repeat(60);

/** One call of `search` that is answered with these texts. */
function play({ begin, ask, answer }: SpokenEra, client: string, texts: readonly string[]): Play {
  const { asked, answered } = begin(client);
  const content = texts.map((text) => ({ type: "text", text }));
  return new Play({ readerFor: goldenReader("o200k") })
    .client(asked)
    .server(answered)
    .client(ask(1, "tools/call", { name: "search", arguments: {} }))
    .server(answer(1, { content }))
    .end();
}

const overheadOf = (played: Play) => {
  const call = played.records.find((record) => record.type === "call");
  return call?.type === "call" ? call.overhead : undefined;
};

test("the texts have these tokens", () => {
  // 1 . Never repeat row _ 0 .⏎
  expect(o200kTokens("1. Never repeat row 0.\n")).toBe(8);
  // Available actions :⏎ - open _issue ⏎ - close _issue
  expect(o200kTokens(actions)).toBe(10);
});

describe.each(spokenEras.map((era) => [era.era, era] as const))("%s", (_era, era) => {
  test.each([
    ["a preamble", [preamble + prose], o200kTokens(preamble)],
    ["an XML element", [xml + prose], o200kTokens(xml)],
    ["a block of its own", [preamble.trimEnd(), prose], o200kTokens(preamble.trimEnd())],
    ["two blocks", [xml, actions, prose], o200kTokens(xml) + o200kTokens(actions)],
  ])("%s costs its tokens and is named", (_name, texts, tokens) => {
    const played = play(era, "golden-host", texts);
    expect(overheadOf(played)).toEqual({
      user_only_tokens: 0,
      preamble_tokens: tokens,
      json_tokens: 0,
      minified_tokens: 0,
      structure_ratio: 0,
    });
    const all = texts.reduce((sum, text) => sum + o200kTokens(text), 0);
    const percent = Math.round((tokens / all) * 100);
    for (const format of ["table", "markdown"] as const) {
      expect(renderSummary(format, played.summary, { color: false })).toContain(
        `${percent}% of its answers is not data: instructions to the model ${percent}%; move them to`,
      );
    }
  });

  test("JSON below instructions is structure, and the larger cause comes first", () => {
    const rows = Array.from({ length: 80 }, (_, id) => ({ id, name: "rose", open: true }));
    const json = JSON.stringify(rows);
    const text = `IMPORTANT: cite the row.\n${json}`;
    const played = play(era, "golden-host", [text]);
    // Of {"id":0,"name":"rose","open":true} nine characters are values, ten where the id has two digits.
    const data = 10 * 9 + 70 * 10;
    expect(overheadOf(played)).toEqual({
      user_only_tokens: 0,
      preamble_tokens: o200kTokens("IMPORTANT: cite the row.\n"),
      json_tokens: o200kTokens(json),
      minified_tokens: o200kTokens(json),
      structure_ratio: Math.round((1 - data / json.length) * 1_000) / 1_000,
    });
    expect(renderSummary("table", played.summary, { color: false })).toMatch(
      /^not data +search: \d\d% of its answers is not data: JSON keys and punctuation \d\d%, instructions/m,
    );
  });

  test.each([
    "claude-code",
    "codex-mcp-client",
    "gemini-cli-mcp-client",
    "cursor-vscode",
    "Visual Studio Code",
  ])("%s reads the same instructions", (client) => {
    const played = play(era, client, [xml + prose]);
    expect(overheadOf(played)?.preamble_tokens).toBe(o200kTokens(xml));
  });

  test("an answer that is data has no note", () => {
    const played = play(era, "golden-host", [prose]);
    expect(overheadOf(played)).toBeNull();
    expect(renderSummary("table", played.summary, { color: false })).not.toContain("not data");
  });
});

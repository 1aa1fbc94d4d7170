import { expect, test } from "bun:test";
import { renderSummary } from "#screens/renderers/index.ts";
import {
  playCall,
  codexHeader,
  forEachClient,
  type PerClient,
  testTokenCounts,
  type Texts,
  tokensOf,
} from "../support/golden-clients.ts";
import type { Play } from "../support/play.ts";

const rules = Array.from({ length: 60 }, (_, at) => `${at + 1}. Never repeat row ${at}.`).join(
  "\n",
);
const preamble = `IMPORTANT RULES:\n\n${rules}\n\n`;
const xml = `<domain_rules>\n${rules}\n</domain_rules>\n`;
const actions = "Available actions:\n- open_issue\n- close_issue";
const prose = "Roses grow in the garden. ".repeat(60);
const rows = Array.from({ length: 80 }, (_, id) => ({ id, name: "rose", open: true }));
const json = JSON.stringify(rows);
const cite = "IMPORTANT: cite the row.\n";

const answers: readonly (readonly [name: string, texts: Texts, instructions: Texts])[] = [
  ["a preamble", [[preamble + prose, 846]], [[preamble, 484]]],
  ["an XML element", [[xml + prose, 850]], [[xml, 488]]],
  [
    "a block of its own",
    [
      [preamble.trimEnd(), 484],
      [prose, 362],
    ],
    [[preamble.trimEnd(), 484]],
  ],
  [
    "two blocks",
    [
      [xml, 488],
      [actions, 10],
      [prose, 362],
    ],
    [
      [xml, 488],
      [actions, 10],
    ],
  ],
];
const cited: Texts = [[cite + json, 968]];
const [citing, cites]: readonly Texts[] = [[[json, 962]], [[cite, 6]]];
const data: Texts = [[prose, 362]];
const alone: Texts = [[xml, 488]];

testTokenCounts("the answers", [...answers.flatMap(([, ...texts]) => texts), cited, data, alone]);
testTokenCounts("the two parts of the cited rows", [citing ?? [], cites ?? []]);

const open = ["<untrusted_context>\n", 5] as const;
const close = ["\n</untrusted_context>", 6] as const;
const joint = ["\n", 1] as const;

testTokenCounts("the frames", [[open, close, joint, codexHeader]]);

const asItIs = (texts: Texts): Texts => texts;

const shown: PerClient<{
  readonly frame: (texts: Texts) => Texts;
  readonly showsUserBlocks: boolean;
}> = {
  "Claude Code": { frame: asItIs, showsUserBlocks: true },
  Codex: { frame: (texts) => [codexHeader, ...texts], showsUserBlocks: true },
  "Gemini CLI": {
    frame: (texts) => texts.flatMap((one, at) => [...(at === 0 ? [] : [joint]), open, one, close]),
    showsUserBlocks: true,
  },
  Cursor: { frame: asItIs, showsUserBlocks: true },
  "VS Code": { frame: asItIs, showsUserBlocks: false },
  unknown: { frame: asItIs, showsUserBlocks: true },
};

const inTexts = (texts: Texts): object => ({
  content: texts.map(([text]) => ({ type: "text", text })),
});

const overheadOf = (played: Play) => played.calls[0]?.overhead;

forEachClient(shown, ({ frame, showsUserBlocks }, client, era) => {
  test.each(answers)("%s costs its tokens and is named", (_name, texts, instructions) => {
    const played = playCall(client, era, inTexts(texts));
    const [tokens, all] = [tokensOf(instructions), tokensOf(frame(texts))];
    expect(played.calls).toMatchObject([{ output_tokens: all }]);
    expect(overheadOf(played)).toEqual({
      user_only_tokens: 0,
      preamble_tokens: tokens,
      json_tokens: 0,
      minified_tokens: 0,
      structure_ratio: 0,
    });
    const percent = Math.round((tokens / all) * 100);
    for (const format of ["table", "markdown"] as const) {
      expect(renderSummary(format, played.summary, { color: false })).toContain(
        `${percent}% of the tokens in its answers are not data: instructions to the model ${percent}%; move the instructions to`,
      );
    }
  });

  test("JSON below instructions is structure, and the larger cause comes first", () => {
    const played = playCall(client, era, inTexts(cited));
    // Of {"id":0,"name":"rose","open":true} nine characters are values, ten where the id has two digits.
    const values = 10 * 9 + 70 * 10;
    expect(overheadOf(played)).toEqual({
      user_only_tokens: 0,
      preamble_tokens: tokensOf(cites ?? []),
      json_tokens: tokensOf(citing ?? []),
      minified_tokens: tokensOf(citing ?? []),
      structure_ratio: Math.round((1 - values / json.length) * 1_000) / 1_000,
    });
    expect(renderSummary("table", played.summary, { color: false })).toMatch(
      /^not data +search: \d\d% of the tokens in its answers are not data: JSON keys and punctuation \d\d%, instructions/m,
    );
  });

  test("a block for the user alone is overhead where the model reads it", () => {
    const forUser = { type: "text", text: xml, annotations: { audience: ["user"] } };
    const answer = { type: "text", text: prose };
    const read = tokensOf(frame(showsUserBlocks ? [...data, ...alone] : data));
    // Instructions for the user are one cause, not two.
    for (const content of [
      [answer, forUser],
      [forUser, answer],
    ]) {
      const played = playCall(client, era, { content });
      expect(played.calls).toMatchObject([{ output_tokens: read }]);
      const overhead = overheadOf(played);
      expect(overhead?.user_only_tokens ?? 0).toBe(showsUserBlocks ? tokensOf(alone) : 0);
      expect(overhead?.preamble_tokens ?? 0).toBe(0);
    }
  });

  test("instructions with nothing behind them are the answer, and so is data", () => {
    for (const texts of [alone, data, [...data, ...alone]]) {
      const played = playCall(client, era, inTexts(texts));
      expect(overheadOf(played)).toBeNull();
      expect(renderSummary("table", played.summary, { color: false })).not.toContain("not data");
    }
  });
});

/** `--tokenizer claude`: definitions by the formula, JSON by 1.8, other text by 1.55, of the text that each client shows. */
import { expect, test } from "bun:test";
import { renderSummary } from "#screens/renderers/index.ts";
import {
  startPlay,
  clientReader,
  codexHeader,
  forEachClient,
  countModelTokens,
  type PerClient,
  testTokenCounts,
  rowsOf,
  type Texts,
  tokensOf,
  wrapUntrusted,
} from "../support/golden-clients.ts";

const weather = {
  name: "weather",
  description: "Forecast for one city",
  inputSchema: {
    type: "object",
    properties: { city: { type: "string", description: "Name of the city" } },
    required: ["city"],
  },
};
const ping = { name: "ping", inputSchema: { type: "object" } };

const members: readonly (readonly [member: Texts, descriptions: Texts])[] = [
  [[['{"name":"weather"', 5]], []],
  [[[',"description":"Forecast for one city"', 8]], [["Forecast for one city", 4]]],
  [
    [
      [
        ',"inputSchema":{"properties":{"city":{"description":"Name of the city","type":"string"}},"required":["city"],"type":"object"}}',
        29,
      ],
    ],
    [["Name of the city", 4]],
  ],
  [[['{"name":"ping"', 5]], []],
  [[[',"inputSchema":{"type":"object"}}', 8]], []],
];

testTokenCounts("the members and the descriptions in them", members.flat());

/** 290 for the list; 1.86 for structure, 1.60 for descriptions, each member rounded. */
const definitions = members.reduce((sum, [member, descriptions]) => {
  const [all, prose] = [tokensOf(member), tokensOf(descriptions)];
  return sum + Math.round(1.86 * (all - prose) + 1.6 * prose);
}, 290);

test("the formula by hand", () => {
  // 1.86 × 5; 1.86 × (8 − 4) + 1.60 × 4; 1.86 × (29 − 4) + 1.60 × 4; 1.86 × 5; 1.86 × 8.
  expect(definitions).toBe(290 + 9 + 14 + 53 + 9 + 15);
});

const json = '{"city":"Oslo","temp":3}';
const rows = '[{"city":"Oslo"},{"city":"Bergen"}]';
const words = "Cold in Oslo, and snow in Bergen";
const written: Texts = [["weather", 1]];
const args: Texts = [['{"city":"Oslo"}', 6]];

/** The texts that a client shows; those that are JSON as a whole apart. */
type Row = {
  readonly words: readonly [text: Texts, json: Texts];
  readonly rows: readonly [text: Texts, json: Texts];
  readonly both: readonly [text: Texts, json: Texts];
};

const asText: Row["words"] = [[[words, 8]], []];
const asRows: Row["rows"] = [[], [[rows, 13]]];
const asJson: Row["both"] = [[], [[json, 10]]];

const shown: PerClient<Row> = {
  "Claude Code": { words: asText, rows: asRows, both: asJson },
  Codex: {
    words: [[codexHeader, [words, 8]], []],
    rows: [[codexHeader], [[rows, 13]]],
    // One text with its header, which is not JSON.
    both: [[[`${codexHeader[0]}\n${json}`, 22]], []],
  },
  "Gemini CLI": {
    words: [[[wrapUntrusted(words), 19]], []],
    rows: [[[wrapUntrusted(rows), 23]], []],
    both: [[[wrapUntrusted(words), 19]], []],
  },
  Cursor: { words: asText, rows: asRows, both: asText },
  "VS Code": { words: asText, rows: asRows, both: asJson },
  unknown: { words: asText, rows: asRows, both: asText },
};

testTokenCounts("the call", [written, args]);
for (const [client, row] of rowsOf(shown)) testTokenCounts(client, Object.values(row).flat());

/** 1.55 for text, 1.8 for JSON, each text rounded: as the own model of Claude Code, for every client. */
const scaled = ([text, asObject]: readonly [Texts, Texts]): number =>
  countModelTokens("Claude Code", text, asObject);

const text = (of: string) => ({ type: "text", text: of });

forEachClient(shown, (row, client, era) => {
  const tokenizer = client === "Claude Code" ? "auto" : "claude";
  const readerFor = clientReader(client, tokenizer);

  test("definitions, JSON and prose have prices of their own", () => {
    const answers = [
      { content: [text(words)] },
      { content: [text(rows)] },
      { content: [text(words)], structuredContent: JSON.parse(json) },
    ];
    const played = startPlay(client, era, { readerFor })
      .client(era.ask(1, "tools/list"))
      .server(era.answer(1, { tools: [weather, ping] }));
    for (const [at, answer] of answers.entries()) {
      played
        .client(
          era.ask(at + 2, "tools/call", {
            name: "weather",
            arguments: JSON.parse('{"city":"Oslo"}'),
          }),
        )
        .server(era.answer(at + 2, answer));
    }
    played.end();
    expect(played.records.filter((record) => record.type === "definitions")).toMatchObject([
      { total_tokens: definitions },
    ]);
    const input = scaled([written, args]);
    expect(
      played.calls.map(({ input_tokens: asked, output_tokens: read }) => [asked, read]),
    ).toEqual([
      [input, scaled(row.words)],
      [input, scaled(row.rows)],
      [input, scaled(row.both)],
    ]);
    expect(renderSummary("table", played.summary, { color: false })).toMatch(
      /^counted by +claude (?:●●○|●○○) definitions ±3 % on average and 9 % at worst, measured with ten servers; other text −20 to \+30 %, depending on its kind/m,
    );
  });
});

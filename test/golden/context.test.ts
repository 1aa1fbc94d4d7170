import { describe, expect, test } from "bun:test";
import { listSummaryNotes } from "#screens/renderers/documents/summary-notes.ts";
import { makeTokenFormat } from "#screens/renderers/token-ranges.ts";
import { escapeForTerminal } from "#screens/renderers/terminal.ts";
import { type SpokenEra, spokenEras } from "../support/eras.ts";
import {
  clientReader,
  codexHeader,
  forEachClient,
  type GoldenClient,
  type PerClient,
  testTokenCounts,
  rowsOf,
  type Texts,
  tokensOf,
  wrapUntrusted,
  wireName,
} from "../support/golden-clients.ts";
import { Play } from "../support/play.ts";

const instructions = "Ask for a city first.";
const tools = ["weather", "places"].map((name) => ({
  name,
  description: `Lists ${name} of a city`,
  inputSchema: { type: "object" },
}));

const described = ["Lists weather of a city", 5] as const;
const schema = ['{"type":"object"}', 5] as const;
const listed: Texts = [
  ["weather", 1],
  described,
  schema,
  ["places", 1],
  ["Lists places of a city", 5],
  schema,
];
const told: Texts = [[instructions, 6]];
const written: Texts = [
  ["weather", 1],
  ["{}", 1],
];
const plain: Texts = [["Cold", 1]];

const withWait = [
  '{"properties":{"wait_for_previous":{"description":"Set to true to wait for all previously requested tools in this turn to complete before starting. Set to false (or omit) to run in parallel. Use true when this tool depends on the output of previous tools.","type":"boolean"}},"type":"object"}',
  61,
] as const;

type Row = {
  readonly resident: Texts;
  readonly loaded: Texts | null;
  readonly unused: Texts;
  readonly shown: Texts;
  readonly window: number;
};

const all: Row = {
  resident: [...listed, ...told],
  loaded: null,
  unused: [["places", 1], ["Lists places of a city", 5], schema],
  shown: plain,
  window: 200_000,
};

const rows: PerClient<Row> = {
  "Claude Code": {
    resident: [["mcp__server__weather\n", 7], ["mcp__server__places\n", 7], ...told],
    loaded: [["mcp__server__weather", 6], described, schema],
    unused: [["mcp__server__places\n", 7]],
    shown: plain,
    window: 1_000_000,
  },
  Codex: {
    resident: [["- mcp__server: Ask for a city first.\n", 12]],
    // The instructions come whole with the first definition; all are in a namespace. An object gets a list of properties.
    loaded: [
      ["weather", 1],
      described,
      ['{"properties":{},"type":"object"}', 9],
      ["mcp__server\nAsk for a city first.", 11],
    ],
    unused: [],
    shown: [codexHeader, ...plain],
    window: 1_050_000,
  },
  "Gemini CLI": {
    resident: [
      ["mcp_server_weather", 4],
      described,
      withWait,
      ["mcp_server_places", 4],
      ["Lists places of a city", 5],
      withWait,
      [
        "The following are instructions provided by the tool server 'server':\n---[start of server instructions]---\nAsk for a city first.\n---[end of server instructions]---",
        34,
      ],
    ],
    loaded: null,
    unused: [["mcp_server_places", 4], ["Lists places of a city", 5], withWait],
    shown: [[wrapUntrusted("Cold"), 12]],
    window: 1_048_576,
  },
  Cursor: {
    resident: [["weather\n", 2], ["places\n", 2], ...told],
    loaded: [["weather", 1], described, schema],
    unused: [["places\n", 2]],
    shown: plain,
    window: 200_000,
  },
  "VS Code": all,
  unknown: all,
};

testTokenCounts("the list", [listed, told, written, plain]);
for (const [client, { resident, loaded, unused, shown }] of rowsOf(rows)) {
  testTokenCounts(client, [resident, loaded ?? [], unused, shown]);
}

function play(client: GoldenClient, era: SpokenEra, readerFor = clientReader(client)): Play {
  const { asked, answered } = era.begin(wireName(client));
  const result: unknown = { ...Object(answered["result"]), instructions };
  return new Play({ readerFor })
    .client(asked)
    .server({ ...answered, result })
    .client(era.ask(1, "tools/list"))
    .server(era.answer(1, { tools }))
    .client(era.ask(2, "tools/call", { name: "weather", arguments: {} }))
    .server(era.answer(2, { content: [{ type: "text", text: "Cold" }] }))
    .end();
}

const notesOf = ({ summary }: Play): readonly string[] =>
  listSummaryNotes(summary, makeTokenFormat(true)).map(
    ({ label, text }) => `${escapeForTerminal(label)}: ${escapeForTerminal(text)}`,
  );

const grouped = (number: number): string => number.toLocaleString("en");

forEachClient(rows, ({ resident, loaded, unused, shown, window }, client, era) => {
  const played = play(client, era);
  const calls = tokensOf(written) + tokensOf(shown);
  const loading = tokensOf(loaded ?? []);

  test("listed is the same for every client; the place of a definition is its own", () => {
    expect(played.summary).toMatchObject({
      window,
      definitions: {
        tools: 2,
        tokens: tokensOf(listed),
        instructions_tokens: tokensOf(told),
        resident_tokens: tokensOf(resident),
        is_deferred: loaded !== null,
        loaded_tools: loaded === null ? 0 : 1,
        loaded_tokens: loading,
      },
      total: { total_tokens: calls },
    });
  });

  test("the notes say all three, and what would be saved without the other tool", () => {
    const used = tokensOf(resident) + loading + calls;
    const parts = [
      `~${tokensOf(resident)} in definitions and instructions`,
      ...(loading > 0 ? [`~${loading} in loaded definitions`] : []),
      `~${calls} in calls`,
    ];
    const ofWindow = `% of a ${grouped(window)}-token window`;
    const notes = notesOf(played);
    expect(notes[0]).toStartWith(`in context: ~${used} tokens, `);
    expect(notes[0]).toEndWith(`${ofWindow}: ${parts.join(", ")}`);
    expect(notes[1]).toStartWith(`listed: 2 tools, ~${tokensOf(listed)} tokens, `);
    expect(notes[1]).toContain(ofWindow);
    expect(notes.filter((note) => note.startsWith("loaded"))).toEqual(
      loaded === null
        ? []
        : [`loaded: 1 of 2 definitions, ~${loading} tokens; this client loads them on demand`],
    );
    expect(notes.filter((note) => note.startsWith("unused"))).toEqual(
      unused.length === 0 ? [] : [`unused: 1 of 2 tools, ~${tokensOf(unused)} tokens in context`],
    );
  });
});

const windows: readonly (readonly [model: string, window: number])[] = [
  ["gpt-5", 400_000],
  ["gpt-4o", 128_000],
  ["opus", 1_000_000],
  ["claude-sonnet-4-5", 200_000],
  ["gemini-2.5-pro", 1_048_576],
  ["gpt", 1_050_000],
  ["rose-7b", 200_000],
];

for (const era of spokenEras) {
  describe.each(rowsOf(rows))(`${era.era}, %s`, (client) => {
    test.each(windows)("with --model %s the window is that of the model", (model, window) => {
      const played = play(client, era, clientReader(client, "o200k", model));
      expect(played.summary.window).toBe(window);
    });
  });

  test(`${era.era}: Codex without a model has the window that it writes into its logs`, () => {
    const played = play("Codex", era, clientReader("unknown"));
    expect(played.summary.window).toBe(258_400);
  });
}

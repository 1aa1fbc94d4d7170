import { expect, test } from "bun:test";
import { renderSummary } from "#screens/renderers/index.ts";
import { formatRecordLine } from "#state/sinks/record-queue.ts";
import type { SpokenEra } from "../support/eras.ts";
import {
  startPlay,
  forEachClient,
  type PerClient,
  testTokenCounts,
  rowsOf,
  type Texts,
  tokensOf,
} from "../support/golden-clients.ts";
import type { Play } from "../support/play.ts";
import type { Message } from "../support/rpc.ts";

const tools = ["search", "fetch"].map((name) => ({
  name,
  description: `Will ${name} roses`,
  inputSchema: { type: "object", properties: { query: { type: "string" } } },
}));

const schema = ['{"properties":{"query":{"type":"string"}},"type":"object"}', 14] as const;
const listed: Texts = [
  ["search", 1],
  ["Will search roses", 3],
  schema,
  ["fetch", 1],
  ["Will fetch roses", 3],
  schema,
];
const changed: Texts = [...listed.toSpliced(4, 1), ["Will fetch all roses", 4]];

const withWait = [
  '{"properties":{"query":{"type":"string"},"wait_for_previous":{"description":"Set to true to wait for all previously requested tools in this turn to complete before starting. Set to false (or omit) to run in parallel. Use true when this tool depends on the output of previous tools.","type":"boolean"}},"type":"object"}',
  68,
] as const;

const resident: PerClient<Texts> = {
  "Claude Code": [
    ["mcp__server__search\n", 7],
    ["mcp__server__fetch\n", 7],
  ],
  Codex: [],
  "Gemini CLI": [
    ["mcp_server_search", 4],
    ["Will search roses", 3],
    withWait,
    ["mcp_server_fetch", 4],
    ["Will fetch roses", 3],
    withWait,
  ],
  Cursor: [
    ["search\n", 2],
    ["fetch\n", 2],
  ],
  "VS Code": listed,
  unknown: listed,
};

testTokenCounts("both definitions", [listed, changed]);
testTokenCounts(
  "what stays of them",
  rowsOf(resident).map(([, texts]) => texts),
);

const definitionsIn = (play: Play) =>
  play.records.filter((record) => record.type === "definitions");

const noteIn = (play: Play) =>
  /^tool list +(.*)$/m.exec(renderSummary("table", play.summary, { color: false }))?.[1];

const error = { code: -32_603, message: "out of memory" };

const answers: readonly (readonly [
  name: string,
  answer: (id: number, era: SpokenEra) => Message,
  state: string,
  note: string,
])[] = [
  ["fails", (id) => ({ jsonrpc: "2.0", id, error }), "failed", "failed"],
  ["is not a list", (id, { answer }) => answer(id, { tools: "many" }), "failed", "failed"],
  [
    "is empty",
    (id, { answer }) => answer(id, { tools: [] }),
    "complete",
    "empty: the server has no tools",
  ],
  [
    "lacks pages",
    (id, { answer }) => answer(id, { tools, nextCursor: "next" }),
    "cut_short",
    "cut short after 2 tools: later pages were not requested or not answered",
  ],
];

forEachClient(resident, (stays, client, era) => {
  const whole = { total_tokens: tokensOf(listed), resident_tokens: tokensOf(stays) };

  test("a list that is sent a hundred times is recorded once", () => {
    const played = startPlay(client, era);
    for (let id = 1; id <= 100; id += 1) {
      played.client(era.ask(id, "tools/list")).server(era.answer(id, { tools }));
    }
    expect(definitionsIn(played.end())).toMatchObject([{ list_state: "complete", ...whole }]);
    expect(played.summary.definitions).toMatchObject({ tools: 2, tokens: tokensOf(listed) });
    // The other 99 leave a short record each, of the exchange.
    const bytes = played.records.map(formatRecordLine).join("").length;
    expect(bytes).toBeLessThan(110 * 500);
    expect(noteIn(played)).toBeUndefined();
  });

  test("in pages it is recorded once as well, and again when it changes", () => {
    const [one, two] = tools;
    const played = startPlay(client, era);
    const list = (id: number, last: unknown) =>
      played
        .client(era.ask(id, "tools/list"))
        .server(era.answer(id, { tools: [one], nextCursor: "next" }))
        .client(era.ask(id + 1, "tools/list", { cursor: "next" }))
        .server(era.answer(id + 1, { tools: [last] }));
    for (let id = 1; id <= 99; id += 2) list(id, two);
    list(101, { ...two, description: "Will fetch all roses" });
    expect(definitionsIn(played.end())).toMatchObject([
      { tools_total: 2, ...whole },
      { tools_total: 2, total_tokens: tokensOf(changed) },
    ]);
  });

  test.each(answers)("a list that %s has a state and a note of its own", (...row) => {
    const [, answer, state, note] = row;
    const played = startPlay(client, era)
      .client(era.ask(1, "tools/list"))
      .server(answer(1, era))
      .end();
    const none = { total_tokens: 0, resident_tokens: 0 };
    const cost = state === "cut_short" ? whole : none;
    expect(definitionsIn(played)).toMatchObject([{ list_state: state, ...cost }]);
    expect(noteIn(played)).toBe(note);
    expect(played.summary.definitions?.lists).toMatchObject([{ server: "garden", state }]);
  });
});

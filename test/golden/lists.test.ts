// Lists of tools: the same one a hundred times, one that fails, one without tools, one that is cut short.
import { describe, expect, test } from "bun:test";
import { renderSummary } from "#renderers/summary.ts";
import { recordLine } from "#sinks/sink.ts";
import { goldenReader, o200kTokens, type SpokenEra, spokenEras } from "../support/eras.ts";
import { Play } from "../support/play.ts";
import type { Message } from "../support/rpc.ts";

const tools = ["search", "fetch"].map((name) => ({
  name,
  description: `Will ${name} roses`,
  inputSchema: { type: "object", properties: { query: { type: "string" } } },
}));

function begun({ begin }: SpokenEra): Play {
  const { asked, answered } = begin("golden-host");
  return new Play({ readerFor: goldenReader("o200k") }).client(asked).server(answered);
}

const definitionsIn = (play: Play) =>
  play.records.filter((record) => record.type === "definitions");

const noteIn = (play: Play) =>
  /^tool list +(.*)$/m.exec(renderSummary("table", play.summary, { color: false }))?.[1];

const schema = '{"properties":{"query":{"type":"string"}},"type":"object"}';
const tokens = tools.reduce(
  (sum, { name, description }) =>
    sum + o200kTokens(name) + o200kTokens(description) + o200kTokens(schema),
  0,
);

describe.each(spokenEras.map((era) => [era.era, era] as const))("%s", (_, era) => {
  test("a list that is sent a hundred times is recorded once", () => {
    const played = begun(era);
    for (let id = 1; id <= 100; id += 1) {
      played.client(era.ask(id, "tools/list")).server(era.answer(id, { tools }));
    }
    const records = definitionsIn(played.end());
    expect(records).toMatchObject([{ list_state: "complete", total_tokens: tokens }]);
    expect(played.summary.definitions).toMatchObject({ tools: 2, tokens });
    // The other 99 leave a short record each, of the exchange.
    const bytes = played.records.map(recordLine).join("").length;
    expect(bytes).toBeLessThan(110 * 500);
    expect(noteIn(played)).toBeUndefined();
  });

  test("in pages it is recorded once as well, and again when it changes", () => {
    const [one, two] = tools;
    const played = begun(era);
    const list = (id: number, last: unknown) =>
      played
        .client(era.ask(id, "tools/list"))
        .server(era.answer(id, { tools: [one], nextCursor: "next" }))
        .client(era.ask(id + 1, "tools/list", { cursor: "next" }))
        .server(era.answer(id + 1, { tools: [last] }));
    for (let id = 1; id <= 99; id += 2) list(id, two);
    list(101, { ...two, description: "Will fetch all roses" });
    expect(definitionsIn(played.end())).toMatchObject([
      { tools_total: 2, total_tokens: tokens },
      { tools_total: 2, total_tokens: tokens + 1 },
    ]);
  });

  const error = { code: -32_603, message: "out of memory" };
  const answers: readonly (readonly [
    name: string,
    answer: (id: number) => Message,
    state: string,
    note: string,
  ])[] = [
    ["fails", (id) => ({ jsonrpc: "2.0", id, error }), "failed", "failed"],
    ["is not a list", (id) => era.answer(id, { tools: "many" }), "failed", "failed"],
    [
      "is empty",
      (id) => era.answer(id, { tools: [] }),
      "complete",
      "empty: the server has no tools",
    ],
    [
      "lacks pages",
      (id) => era.answer(id, { tools, nextCursor: "next" }),
      "cut_short",
      "cut short after 2 tools: later pages were not requested or not answered",
    ],
  ];
  for (const [name, answer, state, note] of answers) {
    test(`a list that ${name} has a state and a note of its own`, () => {
      const played = begun(era).client(era.ask(1, "tools/list")).server(answer(1)).end();
      const total = state === "cut_short" ? tokens : 0;
      expect(definitionsIn(played)).toMatchObject([{ list_state: state, total_tokens: total }]);
      expect(noteIn(played)).toBe(note);
      expect(played.summary.definitions?.lists).toMatchObject([{ server: "garden", state }]);
    });
  }
});

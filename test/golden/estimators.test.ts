// The same conversation under two estimators: a report has a block for each and adds up neither.
import { describe, expect, test } from "bun:test";
import { report } from "#commands/report/command.ts";
import type { MeterRecord } from "#records/record.ts";
import { recordLine } from "#sinks/sink.ts";
import { goldenReader, o200kTokens, type SpokenEra, spokenEras } from "../support/eras.ts";
import { fakeIo } from "../support/fake-io.ts";
import { Folder } from "../support/folder.ts";
import { Play } from "../support/play.ts";

const tools = [
  { name: "search", description: "Find roses", inputSchema: { type: "object" } },
  {
    name: "fetch",
    description: "Fetch a single rose by its name",
    inputSchema: { type: "object" },
  },
];
const schema = '{"type":"object"}';
const answer = "Three roses";

function play(
  { begin, ask, answer: answered }: SpokenEra,
  sessionId: string,
  tokenizer: "o200k" | "claude",
  server: string,
): readonly MeterRecord[] {
  const { asked, answered: begun } = begin("golden-host");
  const options = { sessionId, serverLabel: server, readerFor: goldenReader(tokenizer) };
  return new Play(options)
    .client(asked)
    .server(begun)
    .client(ask(1, "tools/list"))
    .server(answered(1, { tools }))
    .client(ask(2, "tools/call", { name: "search", arguments: {} }))
    .server(answered(2, { content: [{ type: "text", text: answer }] }))
    .end().records;
}

/** The definition of a tool in o200k: its three texts. */
const priceOf = ({ name, description }: (typeof tools)[number]): number =>
  o200kTokens(name) + o200kTokens(description) + o200kTokens(schema);

test("the texts have these tokens", () => {
  expect(tools.map(priceOf)).toEqual([1 + 2 + 5, 1 + 7 + 5]);
  expect([o200kTokens("search"), o200kTokens("{}"), o200kTokens(answer)]).toEqual([1, 1, 2]);
});

describe.each(spokenEras.map((era) => [era.era, era] as const))("%s", (_, era) => {
  test("two servers in o200k are one block, the one in claude is another", async () => {
    using folder = new Folder();
    const sessions = [
      play(era, "a", "o200k", "garden"),
      play(era, "b", "claude", "garden"),
      play(era, "c", "o200k", "shed"),
    ];
    const files = sessions.map((records, at) =>
      folder.file(`${at}.ndjson`, records.map(recordLine).join("")),
    );
    const json = fakeIo();
    await report({ format: "json", files }, json.io);
    expect(JSON.parse(json.stdout())).toMatchObject({
      summaries: [
        {
          estimation: { estimator: "o200k" },
          sessions: 2,
          total: { calls: 2, total_tokens: 2 * (1 + 1 + 2) },
          definitions: {
            tools: 4,
            tokens: 2 * (8 + 13),
            // 13 and 8 of the 42 tokens that are shown.
            most_expensive: [
              { server: "garden", name: "fetch", tokens: 13, percent_total: 30.95 },
              { server: "shed", name: "fetch", tokens: 13, percent_total: 30.95 },
              { server: "garden", name: "search", tokens: 8, percent_total: 19.05 },
              { server: "shed", name: "search", tokens: 8, percent_total: 19.05 },
            ],
          },
        },
        {
          estimation: { estimator: "claude" },
          sessions: 1,
          // 1.55 for the name, 1.8 for the arguments, 1.55 for the answer.
          total: { calls: 1, total_tokens: 2 + 2 + 3 },
          definitions: { tools: 2 },
        },
      ],
    });
    const table = fakeIo();
    await report({ format: "table", files }, table.io);
    const text = table.stdout();
    expect(text).toContain(
      "mcp-meter: garden, shed for golden-host, 2 sessions, counted by o200k\n",
    );
    expect(text).toContain("mcp-meter: garden for golden-host, counted by claude\n");
    expect(text).toContain("; most expensive: garden · fetch 13, shed · fetch 13, ");
  });
});

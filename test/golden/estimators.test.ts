import { describe, expect, test } from "bun:test";
import { report } from "#commands/report/command.ts";
import type { MeterRecord } from "#records/record.ts";
import { formatRecordLine } from "#state/sinks/record-queue.ts";
import { goldenReader, o200kTokens, type SpokenEra, spokenEras } from "../support/eras.ts";
import { fakeIo } from "../support/fake-io.ts";
import { Folder } from "../support/folder.ts";
import {
  clientReader,
  type GoldenClient,
  countModelTokens,
  type PerClient,
  testTokenCounts,
  rowsOf,
  type Texts,
  tokensOf,
  wireName,
  shownText,
} from "../support/golden-clients.ts";
import { Play } from "../support/play.ts";
import { summaryOptions } from "../support/report-options.ts";

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

type Told = Pick<ConstructorParameters<typeof Play>[0] & object, "readerFor"> & {
  readonly sessionId: string;
  readonly serverLabel: string;
};

function play(
  { begin, ask, answer: answered }: SpokenEra,
  told: Told,
  client = "golden-host",
): readonly MeterRecord[] {
  const { asked, answered: begun } = begin(client);
  return new Play(told)
    .client(asked)
    .server(begun)
    .client(ask(1, "tools/list"))
    .server(answered(1, { tools }))
    .client(ask(2, "tools/call", { name: "search", arguments: {} }))
    .server(answered(2, { content: [{ type: "text", text: answer }] }))
    .end().records;
}

const priceOf = ({ name, description }: (typeof tools)[number]): number =>
  o200kTokens(name) + o200kTokens(description) + o200kTokens(schema);

const shown = shownText(answer, 2, 13);
const name: Texts = [["search", 1]];
const args: Texts = [["{}", 1]];

testTokenCounts("the answer", [name, args, ...rowsOf(shown).map(([, texts]) => texts)]);

const estimators: Partial<
  PerClient<readonly [estimator: string, clients: readonly GoldenClient[]]>
> = {
  "Claude Code": ["claude", ["Claude Code"]],
  Codex: ["o200k", ["Codex", "Cursor", "VS Code", "unknown"]],
  "Gemini CLI": ["gemini", ["Gemini CLI"]],
};

const callTokens = (client: GoldenClient): number =>
  countModelTokens(client, name, args) + countModelTokens(client, shown[client]);

const members: readonly (readonly [member: Texts, description: Texts])[] = [
  [[['{"name":"search"', 5]], []],
  [[[',"description":"Find roses"', 6]], [["Find roses", 2]]],
  [[[',"inputSchema":{"type":"object"}}', 8]], []],
  [[['{"name":"fetch"', 5]], []],
  [
    [[',"description":"Fetch a single rose by its name"', 11]],
    [["Fetch a single rose by its name", 7]],
  ],
  [[[',"inputSchema":{"type":"object"}}', 8]], []],
];

testTokenCounts("the members", members.flat());

const byFormula = members.reduce((sum, [member, description]) => {
  const [all, prose] = [tokensOf(member), tokensOf(description)];
  return sum + Math.round(1.86 * (all - prose) + 1.6 * prose);
}, 290);

const definitionTexts: Texts = [
  ["search", 1],
  ["Find roses", 2],
  [schema, 5],
  ["fetch", 1],
  ["Fetch a single rose by its name", 7],
  [schema, 5],
];

testTokenCounts("the definitions", [definitionTexts]);

const definitionTokens: { readonly [client in "Claude Code" | "Codex" | "Gemini CLI"]: number } = {
  "Claude Code": byFormula,
  Codex: tokensOf(definitionTexts),
  "Gemini CLI": countModelTokens("Gemini CLI", definitionTexts),
};

test("the texts have these tokens", () => {
  expect(tools.map(priceOf)).toEqual([1 + 2 + 5, 1 + 7 + 5]);
  expect([o200kTokens("search"), o200kTokens("{}"), o200kTokens(answer)]).toEqual([1, 1, 2]);
});

describe.each(spokenEras.map((era) => [era.era, era] as const))("%s", (_, era) => {
  test("two servers in o200k are one block, the one in claude is another", async () => {
    using folder = new Folder();
    const sessions = [
      play(era, { sessionId: "a", serverLabel: "garden", readerFor: goldenReader("o200k") }),
      play(era, { sessionId: "b", serverLabel: "garden", readerFor: goldenReader("claude") }),
      play(era, { sessionId: "c", serverLabel: "shed", readerFor: goldenReader("o200k") }),
    ];
    const files = sessions.map((records, at) =>
      folder.file(`${at}.ndjson`, records.map(formatRecordLine).join("")),
    );
    const json = fakeIo();
    await report({ ...summaryOptions, format: "json", files }, json.io);
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
    await report({ ...summaryOptions, format: "table", files }, table.io);
    const text = table.stdout();
    expect(text).toContain(
      "mcp-meter: garden, shed for golden-host, 2 sessions, counted by o200k\n",
    );
    expect(text).toContain("mcp-meter: garden for golden-host, counted by claude\n");
    expect(text).toContain("; most expensive: garden · fetch 13, shed · fetch 13, ");
  });

  test("sessions of six clients are three blocks, one for each estimator of their models", async () => {
    using folder = new Folder();
    const files = rowsOf(shown).map(([client]) => {
      const told = {
        sessionId: client,
        serverLabel: client,
        readerFor: clientReader(client, "auto"),
      };
      const records = play(era, told, wireName(client));
      return folder.file(`${client}.ndjson`, records.map(formatRecordLine).join(""));
    });
    const json = fakeIo();
    await report({ ...summaryOptions, format: "json", files }, json.io);
    const blocks = (["Claude Code", "Codex", "Gemini CLI"] as const).map((client) => {
      const [estimator, clients] = estimators[client] ?? expect.unreachable();
      return {
        estimation: { estimator },
        sessions: clients.length,
        clients: clients.map(wireName).toSorted(),
        total: {
          calls: clients.length,
          total_tokens: clients.reduce((sum, one) => sum + callTokens(one), 0),
        },
        definitions: {
          tools: 2 * clients.length,
          tokens: clients.length * definitionTokens[client],
        },
      };
    });
    const { summaries } = JSON.parse(json.stdout());
    expect(summaries).toHaveLength(blocks.length);
    for (const block of blocks) {
      const same = (one: typeof block): boolean =>
        one.estimation.estimator === block.estimation.estimator;
      expect(summaries.find(same)).toMatchObject({
        ...block,
        clients: expect.arrayContaining(block.clients),
      });
    }
  });
});

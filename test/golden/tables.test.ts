import { expect, test } from "bun:test";
import { readMember } from "#wire/json.ts";
import { LineSplitter } from "#wire/line.ts";
import { Meter } from "#meter/session/meter.ts";
import { bytesOf, textOf } from "../support/bytes.ts";
import type { SpokenEra } from "../support/eras.ts";
import {
  startPlay,
  playCall,
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
import { renderSummary } from "#screens/renderers/index.ts";
import { meterOptions } from "../support/play.ts";

const csv = 'id,title\n1,One\n2,"Two, and more"\n';
const tsv = "id\ttitle\n1\tOne\n";
const markdown =
  "Found:\n\n| id | title |\n| -- | ----- |\n| 1 | One |\n| 2 | Two |\n| 3 | Six |\n";
const arrays = '{"columnNames":["id","title"],"rows":[[1,"One"],[2,"Two"]],"truncated":true}';
const objects = '[{"id":1,"title":"One"},{"id":2,"note":"new"}]';
const data = '{"columnNames":["a","b","c"],"data":[[1,2,3]],"total":1}';

type Form = "csv" | "tsv" | "markdown" | "arrays" | "objects" | "structured";

const forms: { readonly [form in Form]: readonly [result: object, size: object] } = {
  csv: [inText(csv), { rows: 2, columns: 2, truncated: false }],
  tsv: [inText(tsv), { rows: 1, columns: 2, truncated: false }],
  markdown: [inText(markdown), { rows: 3, columns: 2, truncated: false }],
  arrays: [inText(arrays), { rows: 2, columns: 2, truncated: true }],
  objects: [inText(objects), { rows: 2, columns: 3, truncated: false }],
  structured: [
    { ...inText("one row"), structuredContent: JSON.parse(data) },
    { rows: 1, columns: 3, truncated: false },
  ],
};

function inText(text: string): object {
  return { content: [{ type: "text", text }] };
}

const plain: { readonly [form in Form]: Texts } = {
  csv: [[csv, 14]],
  tsv: [[tsv, 7]],
  markdown: [[markdown, 30]],
  arrays: [[arrays, 27]],
  objects: [[objects, 19]],
  structured: [["one row", 2]],
};

const replaced: typeof plain = { ...plain, structured: [[data, 25]] };

const shown: PerClient<typeof plain> = {
  "Claude Code": replaced,
  Codex: {
    csv: [codexHeader, ...plain.csv],
    tsv: [codexHeader, ...plain.tsv],
    markdown: [codexHeader, ...plain.markdown],
    arrays: [codexHeader, ...plain.arrays],
    objects: [codexHeader, ...plain.objects],
    structured: [[`${codexHeader[0]}\n${data}`, 37]],
  },
  "Gemini CLI": {
    csv: [[wrapUntrusted(csv), 24]],
    tsv: [[wrapUntrusted(tsv), 17]],
    markdown: [[wrapUntrusted(markdown), 40]],
    arrays: [[wrapUntrusted(arrays), 37]],
    objects: [[wrapUntrusted(objects), 29]],
    structured: [[wrapUntrusted("one row"), 13]],
  },
  Cursor: plain,
  "VS Code": replaced,
  unknown: plain,
};

testTokenCounts(
  "the tables",
  rowsOf(shown).flatMap(([, texts]) => Object.values(texts)),
);

function usageOf(client: GoldenClient, era: SpokenEra, result: object): unknown {
  const readerFor = clientReader(client);
  const meter = new Meter(meterOptions({ readerFor, isAnnotating: true }));
  const at = { monoMs: 0, wallMs: 0 };
  const say = (from: "client" | "server", message: object) => {
    const [line] = new LineSplitter().push(bytesOf(`${JSON.stringify(message)}\n`));
    if (!line) throw new Error("a line");
    return meter.judge({ kind: "line", from, line, at });
  };
  const { asked, answered } = era.begin(wireName(client));
  say("client", asked);
  say("server", answered);
  say("client", era.ask(1, "tools/call", { name: "search", arguments: {} }));
  const [line] = say("server", era.answer(1, result)).toClient;
  if (!line) throw new Error("an annotated line");
  return readMember(JSON.parse(textOf(line)), "result", "_meta", "dev.mcp-meter/usage");
}

forEachClient(shown, (texts, client, era) => {
  test.each(Object.entries(forms))("%s", (form, [result, size]) => {
    const output = tokensOf(Object.entries(texts).find(([key]) => key === form)?.[1] ?? []);
    expect(usageOf(client, era, result)).toMatchObject({
      // search {}
      input_tokens: 2,
      output_tokens: output,
      tokens: 2 + output,
      ...size,
    });
  });

  test.each(["arrays", "objects", "structured"] as const)("%s in the record", (form) => {
    const [result, size] = forms[form];
    const long = { note: "x".repeat(2_000), ...JSON.parse(arrays) };
    for (const [answer, expected] of [
      [result, size],
      [inText(JSON.stringify(long)), forms.arrays[1]],
    ]) {
      const calls = playCall(client, era, answer ?? {}).calls;
      expect(calls).toMatchObject([{ shape: expected }]);
    }
  });

  test("the limit that was asked for is next to the table, and nowhere else", () => {
    const asked = (id: number) =>
      era.ask(id, "tools/call", { name: "search", arguments: { limit: 2 } });
    const { calls, summary } = startPlay(client, era)
      .client(asked(1), asked(2))
      .server(era.answer(1, inText(objects)), era.answer(2, inText("none")))
      .end();
    expect(calls[0]?.shape).toEqual({ rows: 2, columns: 3, truncated: false, row_limit: 2 });
    expect(calls[1]).not.toHaveProperty("shape");
    expect(renderSummary("table", summary, { color: false })).toMatch(
      /^data shape +search: 1 table of 2 rows and 3 columns; row limits up to 2; 1 table reached the limit$/m,
    );
  });

  test("prose with commas is not a table", () => {
    const usage = usageOf(client, era, inText("First, we ask.\nThen, we count.\n"));
    expect(usage).not.toHaveProperty("rows");
  });
});

// The size of a table in the annotation of an answer, in each form that servers write tables in.
import { describe, expect, test } from "bun:test";
import { LineSplitter } from "#wire/line.ts";
import { memberAt } from "#wire/json.ts";
import { Meter } from "#session/meter.ts";
import { bytesOf, textOf } from "../support/bytes.ts";
import { goldenReader, o200kTokens, type SpokenEra, spokenEras } from "../support/eras.ts";
import { meterOptions } from "../support/play.ts";

const csv = 'id,title\n1,One\n2,"Two, and more"\n';
const tsv = "id\ttitle\n1\tOne\n";
const markdown =
  "Found:\n\n| id | title |\n| -- | ----- |\n| 1 | One |\n| 2 | Two |\n| 3 | Six |\n";
const arrays = '{"columnNames":["id","title"],"rows":[[1,"One"],[2,"Two"]],"truncated":true}';

/** The annotation of one answer. */
function usageOf({ begin, ask, answer }: SpokenEra, result: object): unknown {
  const meter = new Meter(meterOptions({ readerFor: goldenReader("o200k"), isAnnotating: true }));
  const at = { monoMs: 0, wallMs: 0 };
  const say = (from: "client" | "server", message: object) => {
    const [line] = new LineSplitter().push(bytesOf(`${JSON.stringify(message)}\n`));
    if (!line) throw new Error("a line");
    return meter.judge({ kind: "line", from, line, at });
  };
  const { asked, answered } = begin("golden-host");
  say("client", asked);
  say("server", answered);
  say("client", ask(1, "tools/call", { name: "search", arguments: {} }));
  const [line] = say("server", answer(1, result)).toClient;
  if (!line) throw new Error("an annotated line");
  return memberAt(JSON.parse(textOf(line)), "result", "_meta", "dev.mcp-meter/usage");
}

describe.each(spokenEras.map((era) => [era.era, era] as const))("%s", (_, era) => {
  test.each([
    ["CSV", csv, 2, 2, false],
    ["TSV", tsv, 1, 2, false],
    ["Markdown", markdown, 3, 2, false],
    ["arrays below columnNames", arrays, 2, 2, true],
  ])("%s in text", (_name, text, rows, columns, truncated) => {
    const output = o200kTokens(text);
    expect(usageOf(era, { content: [{ type: "text", text }] })).toMatchObject({
      // search {}
      input_tokens: 2,
      output_tokens: output,
      tokens: 2 + output,
      rows,
      columns,
      truncated,
    });
  });

  test("arrays below columnNames in structuredContent", () => {
    const structuredContent = { columnNames: ["a", "b", "c"], data: [[1, 2, 3]], total: 1 };
    const result = { content: [{ type: "text", text: "one row" }], structuredContent };
    expect(usageOf(era, result)).toMatchObject({ rows: 1, columns: 3, truncated: false });
  });

  test("prose with commas is not a table", () => {
    const content = [{ type: "text", text: "First, we ask.\nThen, we count.\n" }];
    expect(usageOf(era, { content })).not.toHaveProperty("rows");
  });
});

// chars4 as the tool that it comes from: a call is the JSON of its name and arguments, an answer has a frame.
import { describe, expect, test } from "bun:test";
import { Enforced } from "../support/enforced.ts";
import { goldenReader, type SpokenEra, spokenEras } from "../support/eras.ts";

const readerFor = goldenReader("chars4");

function play({ begin, ask, answer }: SpokenEra, params: object, result: object): Enforced {
  const { asked, answered } = begin("golden-host");
  return new Enforced(["1k/session"], { readerFor })
    .client(asked)
    .server(answered)
    .client(ask(1, "tools/call", params))
    .server(answer(1, result))
    .end();
}

const image = { type: "image", data: "A".repeat(400), mimeType: "image/png" };
const search = { name: "search", arguments: { q: "roses" } };

describe.each(spokenEras.map((era) => [era.era, era] as const))("%s", (_, era) => {
  test.each([
    // {"name":"search","arguments":{"q":"roses"}} is 43 characters; 40 + 20 + 4.
    ["a text", search, { content: [{ type: "text", text: "abcd" }] }, 11, 16],
    // {"name":"list","arguments":{}} is 30 characters; 40 for an empty list.
    ["an empty list", { name: "list", arguments: {} }, { content: [] }, 8, 10],
    // {"name":"list"} is 15 characters.
    ["no arguments and an empty list", { name: "list" }, { content: [] }, 4, 10],
    // {"name":"a\\"b"} is 15 characters: the name is JSON too; 40 + 20 + 400.
    ["a quote in the name, and an image", { name: 'a"b' }, { content: [image] }, 4, 115],
  ])("%s", (_name, params, result, input, output) => {
    const played = play(era, params, result);
    expect(played.calls).toMatchObject([
      { input_tokens: input, output_tokens: output, wire_tokens: output },
    ]);
    const end = played.records.find((record) => record.type === "end");
    expect(end).toMatchObject({ budgets: [{ spent: input + output }] });
  });

  test("a call that is never answered has no frame", () => {
    const { asked, answered } = era.begin("golden-host");
    const played = new Enforced([], { readerFor })
      .client(asked)
      .server(answered)
      .client(era.ask(1, "tools/call", search))
      .end();
    expect(played.calls).toMatchObject([
      { outcome: "abandoned", input_tokens: 11, output_tokens: 0 },
    ]);
  });
});

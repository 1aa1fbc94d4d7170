import { base64, png, wav } from "./media.ts";

export type Answer =
  | {
      readonly result: { readonly [member: string]: unknown };
    }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: object } };

export const text = (value: string) => ({ type: "text", text: value });
export const image = () => ({ type: "image", data: png(64, 64), mimeType: "image/png" });
export const resource = (members: object) => ({ type: "resource", resource: members });

const answer = (members: object): Answer => ({ result: { ...members } });
export const result = (...content: object[]): Answer => ({ result: { content } });
export const failed = (...content: object[]): Answer => ({ result: { content, isError: true } });

export const city = { city: "Oslo", degrees: 3, days: [1, 2] };
export const note = {
  uri: "notes://oslo/today",
  mimeType: "text/markdown",
  text: "# Oslo\nCold, with some snow.",
};

export function makeLines(characters: number, first = 1): string {
  let all = "";
  for (let at = first; all.length < characters; at += 1) {
    all += `${at}. The ferry from the city to the islands leaves on the hour.\n`;
  }
  return all.slice(0, characters);
}

export function makeOneLine(characters: number): string {
  return makeLines(characters).replaceAll("\n", " ");
}

export function makeDenseText(characters: number): string {
  let all = "";
  for (let at = 0; all.length < characters; at += 1) all += `§${(at * 7919).toString(36)}`;
  return all.slice(0, characters);
}

export type Answers = { readonly [tool: string]: () => Answer };

export const usualAnswers: Answers = {
  text: () => result(text("It is cold in Oslo.")),
  several_texts: () =>
    result(text("Cold in Oslo."), text("Wet in Bergen."), text("Snow in Roros.")),
  equal: () => answer({ content: [text(JSON.stringify(city))], structuredContent: city }),
  equal_spaced: () =>
    answer({ content: [text(JSON.stringify(city, null, 2))], structuredContent: city }),
  different: () => answer({ content: [text("Three degrees in Oslo.")], structuredContent: city }),
  structured_alone: () => answer({ content: [], structuredContent: city }),
  structured_null: () => answer({ content: [text("It is cold.")], structuredContent: null }),
  structured_and_blocks: () =>
    answer({
      content: [text("Three degrees, and a picture."), image(), resource(note)],
      structuredContent: city,
    }),
  image: () => result(text("A picture of Oslo:"), image()),
  image_unreadable: () =>
    result({ type: "image", data: base64("BM, but not a bitmap"), mimeType: "image/bmp" }),
  audio: () => result({ type: "audio", data: wav(2), mimeType: "audio/wav" }),
  link: () =>
    result({
      type: "resource_link",
      uri: "notes://oslo/week",
      name: "week",
      title: "The week in Oslo",
      description: "Seven days, hour by hour",
      mimeType: "text/plain",
    }),
  resource_text: () => result(resource(note)),
  resource_blob: () =>
    result(
      resource({
        uri: "notes://oslo/raw",
        mimeType: "application/octet-stream",
        blob: base64("raw ".repeat(100)),
      }),
    ),
  resource_image: () =>
    result(resource({ uri: "notes://oslo/map.png", mimeType: "image/png", blob: png(64, 64) })),
  unknown_block: () => result({ type: "hologram", shape: "cube" }, text("Next to a hologram.")),
  empty: () => result(),
  user_only: () =>
    result({ ...text("For the user alone."), annotations: { audience: ["user"], priority: 1 } }),
  meta: () =>
    answer({
      content: [{ ...text("With a note."), _meta: { "example.org/block": "a block's note" } }],
      _meta: { "example.org/result": "a result's note" },
    }),
  error: () => failed(text("There is no city of that name."), text("Try another one.")),
  error_structured: () =>
    answer({ content: [text("The station is closed.")], structuredContent: city, isError: true }),
  error_image: () => failed(text("The picture is broken:"), image()),
  error_empty: () => failed(),
  error_long: () => failed(text(makeLines(12_000))),
  rpc_error: () => ({
    error: { code: -32_602, message: "The city is missing", data: { parameter: "city" } },
  }),
  long_15k: () => result(text(makeLines(15_000))),
  long_30k: () => result(text(makeLines(30_000))),
  long_45k: () => result(text(makeLines(45_000))),
  long_dense: () => result(text(makeDenseText(45_000))),
  long_two_texts: () => result(text(makeLines(30_000)), text(makeLines(30_000, 1_000))),
  long_image: () => result(text(makeLines(60_000)), image()),
  long_structured: () =>
    answer({ content: [text("A short one.")], structuredContent: { report: makeLines(60_000) } }),
  long_short_lines: () => result(text(Array<string>(2_500).fill("ab").join("\n"))),
  long_60k: () => result(text(makeLines(60_000))),
  long_one_line: () => result(text(makeOneLine(60_000))),
  long_120k: () => result(text(makeLines(120_000))),
  long_dense_120k: () => result(text(makeDenseText(120_000))),
  long_declared: () => result(text(makeLines(120_000))),
};

import {
  type Answer,
  type Answers,
  city,
  makeDenseText,
  failed,
  image,
  makeLines,
  note,
  makeOneLine,
  resource,
  result,
  text,
  usualAnswers,
} from "./answers.ts";
import { base64, pdf, png, smallImages, svg, wav } from "./media.ts";

const answer = (members: object): Answer => ({ result: { ...members } });
const structured = (structuredContent: unknown, ...content: object[]): Answer => ({
  result: { content, structuredContent },
});
const media = (type: "image" | "audio", mimeType: string, data: string) => ({
  type,
  data,
  mimeType,
});
const blob = (mimeType: string, data: string) =>
  resource({ uri: "notes://oslo/raw", mimeType, blob: data });
const link = (members: object = {}) => ({
  type: "resource_link",
  uri: "notes://oslo/week",
  name: "week",
  ...members,
});
const rpcError = (message: string, data?: object): Answer => ({
  error: { code: -32_602, message, ...(data && { data }) },
});

const cjk = "奥斯陆的天气很冷，明天会下雪。";
const emoji = "🌧️❄️👩‍🚒🇳🇴 ";
const accents = "Čeština přeháňky, Tromsø åpent vær. ";
const lone = "half a pair \u{d83d} and on";
const rows = Array.from({ length: 3 }, (_, id) => ({ id, city: "Oslo", isCold: true }));

function repeatTo(pattern: string, characters: number): string {
  return pattern.repeat(Math.ceil(characters / pattern.length)).slice(0, characters);
}

function makeRows(characters: number): readonly object[] {
  return Array.from({ length: Math.ceil(characters / 40) }, (_, id) => ({
    id,
    city: `Oslo ${id}`,
  }));
}

const texts: Answers = {
  text_cjk: () => result(text(cjk)),
  text_emoji: () => result(text(emoji.repeat(4))),
  text_accents: () => result(text(accents)),
  text_lone: () => result(text(lone)),
  text_controls: () => result(text("bell \u0007, null \u0000, delete \u007F, next \u0085")),
  text_spaces: () => result(text("   \n \t  ")),
  text_empty: () => result(text("")),
  text_crlf: () => result(text("Oslo\r\nBergen\r\nRoros\r\n")),
  text_ansi: () => result(text("\u001B[31mcold\u001B[0m in \u001B[1mOslo\u001B[0m")),
  text_object: () => result(text(JSON.stringify(city))),
  text_list: () => result(text(JSON.stringify(rows))),
  text_quoted: () => result(text('"cold"')),
  text_number: () => result(text("12.50")),
  text_null: () => result(text("null")),
  text_object_spaced: () => result(text(JSON.stringify(city, null, 4))),
  text_two_objects: () => result(text('{"a":1}\n{"a":2}\n')),
  text_xml: () => result(text("<rain><mm>3</mm><!-- today --></rain>")),
  text_code: () => result(text("```ts\nconst rain = (mm: number) => mm > 0;\n```\n")),
  text_rows_9k: () => result(text(JSON.stringify(makeRows(9_000)))),
  texts_twenty: () => result(...Array.from({ length: 20 }, (_, at) => text(`Hour ${at}: cold`))),
  texts_empty_between: () => result(text("cold"), text(""), text("wet")),
  texts_of_json: () => result(text(JSON.stringify(city)), text(JSON.stringify(rows))),
  text_for_assistant: () =>
    result({ ...text("For the model."), annotations: { audience: ["assistant"] } }),
  text_for_both: () =>
    result({ ...text("For both."), annotations: { audience: ["user", "assistant"] } }),
  text_and_user_only: () =>
    result(text("For all."), { ...text("For you."), annotations: { audience: ["user"] } }),
  text_large_meta: () =>
    answer({ content: [text("cold")], _meta: { "example.org/report": makeLines(5_000) } }),
  text_other_member: () => answer({ content: [text("cold")], nextCursor: "b3Nsbw", total: 9 }),
};

const structuredAnswers: Answers = {
  structured_list: () => structured(rows, text(JSON.stringify(rows))),
  structured_text: () => structured("cold", text("cold")),
  structured_number: () => structured(3, text("3")),
  structured_false: () => structured(false, text("false")),
  structured_empty: () => structured({}, text("Nothing was found.")),
  structured_order: () => structured({ b: 1, a: [2] }, text('{"a":[2],"b":1}')),
  structured_cjk: () => structured({ weather: cjk }, text(JSON.stringify({ weather: cjk }))),
  structured_emoji_alone: () => structured({ weather: emoji }),
  structured_lone: () => structured({ weather: lone }, text("half a pair")),
  structured_equal_9k: () =>
    structured({ rows: makeRows(9_000) }, text(JSON.stringify({ rows: makeRows(9_000) }))),
  structured_short_text: () => structured({ rows: makeRows(9_000) }, text("225 rows")),
  structured_long_text: () => structured({ rows: 225 }, text(makeLines(9_000))),
  structured_image: () => structured(city, image()),
  structured_link: () => structured(city, link()),
  structured_two_texts: () => structured(city, text("Oslo"), text("3 degrees")),
  structured_equal_and_text: () =>
    structured(city, text(JSON.stringify(city)), text("That is all.")),
  structured_numbers: () =>
    structured({ big: 9_007_199_254_740_991, small: 1e-9, minus: -0.5 }, text("numbers")),
  structured_user_only: () =>
    structured(city, { ...text("For you."), annotations: { audience: ["user"] } }),
  structured_no_content: () => answer({ structuredContent: city }),
  no_content: () => answer({}),
  content_null: () => answer({ content: null }),
  content_text: () => answer({ content: "cold" }),
};

const pictures: Answers = {
  image_large: () => result(media("image", "image/png", png(1_600, 1_200))),
  image_above: () => result(media("image", "image/png", png(3_000, 2_000))),
  image_wide: () => result(media("image", "image/png", png(8_000, 100))),
  image_dot: () => result(media("image", "image/png", png(1, 1))),
  image_gif: () => result(media("image", "image/gif", smallImages.gif)),
  image_jpeg: () => result(media("image", "image/jpeg", smallImages.jpeg)),
  image_webp: () => result(media("image", "image/webp", smallImages.webp)),
  image_svg: () => result(media("image", "image/svg+xml", base64(svg))),
  image_empty: () => result(media("image", "image/png", "")),
  image_broken: () => result(media("image", "image/png", base64("no picture at all".repeat(20)))),
  image_no_base64: () => result(media("image", "image/png", "no base64!")),
  image_capitals: () => result(media("image", "IMAGE/PNG", png(64, 64))),
  image_no_type: () => result({ type: "image", data: png(64, 64) }),
  image_wrong_type: () => result(media("image", "image/jpeg", png(64, 64))),
  image_data_url: () => result(media("image", "image/png", `data:image/png;base64,${png(64, 64)}`)),
  image_pdf: () => result(media("image", "application/pdf", pdf)),
  image_user_only: () => result({ ...image(), annotations: { audience: ["user"] } }),
  images_five: () => result(...Array.from({ length: 5 }, image)),
  image_between: () => result(text("Before."), image(), text("After.")),
  audio_mp3: () => result(media("audio", "audio/mpeg", base64(Buffer.alloc(4_000, 0xff)))),
  audio_empty: () => result(media("audio", "audio/wav", "")),
  audio_long: () => result(media("audio", "audio/wav", wav(30))),
  audio_and_text: () => result(text("Listen:"), media("audio", "audio/wav", wav(1))),
};

const resources: Answers = {
  blob_pdf: () => result(blob("application/pdf", pdf)),
  blob_svg: () => result(blob("image/svg+xml", base64(svg))),
  blob_bmp: () => result(blob("image/bmp", base64(`BM${"\u0001".repeat(60)}`))),
  blob_wav: () => result(blob("audio/wav", wav(1))),
  blob_json: () => result(blob("application/json", base64(JSON.stringify(rows)))),
  blob_text: () => result(blob("text/plain", base64(makeLines(2_000)))),
  blob_empty: () => result(blob("application/octet-stream", "")),
  blob_large: () => result(blob("application/octet-stream", base64(makeLines(90_000)))),
  blob_no_type: () => result(resource({ uri: "notes://oslo/raw", blob: base64("raw") })),
  blob_image_capitals: () => result(blob("IMAGE/PNG", png(64, 64))),
  blob_image_broken: () => result(blob("image/png", base64("no picture".repeat(30)))),
  resource_no_type: () => result(resource({ uri: "notes://oslo/today", text: "Cold." })),
  resource_html: () => result(resource({ ...note, mimeType: "text/html", text: "<p>Cold</p>" })),
  resource_page: () =>
    result(
      resource({ uri: "ui://oslo/map", mimeType: "text/html;profile=mcp-app", text: "<p>Map</p>" }),
    ),
  resource_empty: () => result(resource({ ...note, text: "" })),
  resource_json: () =>
    result(resource({ ...note, mimeType: "application/json", text: JSON.stringify(rows) })),
  resource_cjk: () => result(resource({ ...note, text: cjk })),
  resources_three: () =>
    result(resource(note), resource(note), text("Three notes."), resource(note)),
  resource_9k: () => result(resource({ ...note, text: makeLines(9_000) })),
  link_bare: () => result(link()),
  link_full: () =>
    result(
      link({ title: "The week", description: "Seven days", mimeType: "text/plain", size: 9_000 }),
    ),
  link_annotated: () =>
    result(link({ annotations: { audience: ["assistant"], priority: 0.5 }, _meta: { a: 1 } })),
  links_five: () => result(...Array.from({ length: 5 }, (_, at) => link({ name: `week ${at}` }))),
  link_and_text: () => result(text("Read this:"), link({ description: "Seven days" })),
};

const errors: Answers = {
  error_audio: () => failed(media("audio", "audio/wav", wav(1))),
  error_link: () => failed(text("See:"), link({ description: "Seven days" })),
  error_resource_text: () => failed(resource(note)),
  error_resource_blob: () => failed(blob("application/octet-stream", base64("raw ".repeat(100)))),
  error_resource_image: () => failed(blob("image/png", png(64, 64))),
  error_unknown_block: () => failed({ type: "hologram", shape: "cube" }),
  error_structured_alone: () => answer({ content: [], structuredContent: city, isError: true }),
  error_structured_equal: () =>
    answer({ content: [text(JSON.stringify(city))], structuredContent: city, isError: true }),
  error_object: () => failed(text(JSON.stringify({ error: "closed", code: 7, hint: "later" }))),
  error_list: () => failed(text(JSON.stringify(rows))),
  error_object_9k: () => failed(text(JSON.stringify({ rows: makeRows(9_000) }))),
  error_cjk: () => failed(text(cjk)),
  error_lone: () => failed(text(lone)),
  error_spaces: () => failed(text("  \n ")),
  error_meta: () =>
    answer({ content: [text("closed")], isError: true, _meta: { "example.org/code": "7" } }),
  error_user_only: () => failed({ ...text("For you."), annotations: { audience: ["user"] } }),
  error_no_content: () => answer({ isError: true }),
  error_two_texts_9k: () => failed(text(makeLines(9_000)), text(makeLines(9_000, 500))),
  error_image_alone: () => failed(image()),
  rpc_error_bare: () => rpcError("The city is missing"),
  rpc_error_cjk: () => rpcError(cjk, { hint: cjk }),
  rpc_error_long: () => rpcError(makeLines(12_000)),
  rpc_error_empty: () => rpcError(""),
};

// On both sides of each client's limits, in characters and in bytes.
const edges: Answers = {
  ...Object.fromEntries(
    [
      9_900, 10_100, 20_400, 20_600, 27_500, 28_600, 39_500, 40_500, 47_500, 48_500, 49_900, 50_100,
      51_000, 51_400,
    ].map((characters) => [`edge_${characters}`, () => result(text(makeLines(characters)))]),
  ),
  ...Object.fromEntries(
    [6_700, 6_900, 9_400, 15_800, 16_200, 17_200].map((characters) => [
      `edge_cjk_${characters}`,
      () => result(text(repeatTo(`${cjk}\n`, characters))),
    ]),
  ),
  lines_1990: () => result(text(Array<string>(1_990).fill("ab").join("\n"))),
  lines_2010: () => result(text(Array<string>(2_010).fill("ab").join("\n"))),
};

const long: Answers = {
  long_cjk: () => result(text(repeatTo(`${cjk}\n`, 60_000))),
  long_emoji: () => result(text(repeatTo(`${emoji}\n`, 30_000))),
  long_accents: () => result(text(repeatTo(`${accents}\n`, 60_000))),
  long_object: () => result(text(JSON.stringify({ rows: makeRows(60_000) }))),
  long_rows: () => result(text(JSON.stringify(makeRows(60_000)))),
  long_rows_spaced: () => result(text(JSON.stringify(makeRows(60_000), null, 2))),
  long_crlf: () => result(text(makeLines(60_000).replaceAll("\n", "\r\n"))),
  long_word: () => result(text("x".repeat(60_000))),
  long_base64: () => result(text(base64(makeDenseText(30_000)))),
  long_ten_texts: () =>
    result(...Array.from({ length: 10 }, (_, at) => text(makeLines(6_000, at * 100)))),
  long_equal: () =>
    structured({ rows: makeRows(60_000) }, text(JSON.stringify({ rows: makeRows(60_000) }))),
  long_structured_alone: () => structured({ report: makeLines(60_000) }),
  long_structured_text: () => structured({ rows: 3 }, text(makeLines(60_000))),
  long_resource: () => result(resource({ ...note, text: makeLines(60_000) })),
  long_resource_and_text: () =>
    result(text("A note:"), resource({ ...note, text: makeLines(60_000) })),
  long_link: () => result(link({ description: makeLines(60_000) })),
  long_text_image_first: () => result(image(), text(makeLines(60_000))),
  long_300k: () => result(text(makeLines(300_000))),
  rpc_error_60k: () => rpcError(makeLines(60_000)),
  error_60k: () => failed(text(makeLines(60_000))),
  error_cjk_60k: () => failed(text(repeatTo(`${cjk}\n`, 60_000))),
  error_one_line_60k: () => failed(text(makeOneLine(60_000))),
  error_structured_60k: () =>
    answer({
      content: [text("closed")],
      structuredContent: { report: makeLines(60_000) },
      isError: true,
    }),
  error_resource_60k: () => failed(resource({ ...note, text: makeLines(60_000) })),
};

export const definitionTools = ["long_description", "rich_schema"] as const;

const sets: { readonly [name: string]: Answers } = {
  usual: usualAnswers,
  texts: { ...texts, ...structuredAnswers },
  pictures,
  resources,
  errors: { ...errors, ...edges },
  long,
};

export const setNames: readonly string[] = Object.keys(sets);

export function listTools(set: string): readonly string[] {
  const tools = Object.keys(sets[set] ?? {});
  return set === "usual" ? [...tools, ...definitionTools] : tools;
}

export function findAnswer(tool: string): Answer {
  for (const answers of Object.values(sets)) {
    const known = answers[tool];
    if (known) return known();
  }
  if (definitionTools.some((name) => name === tool)) return result(text("Done."));
  return rpcError(`Unknown tool ${tool}`);
}

/** chars4 as the tool that it comes from: a call is the JSON of its name and arguments, an answer has a frame. */
import { expect, test } from "bun:test";
import { findSdkRejection } from "#tokens/cost/client-profiles/rejections.ts";
import { pngOf } from "../support/png.ts";
import { maxTokensForJson, maxTokensForTexts } from "../support/max-tokens.ts";
import {
  startGatedSession,
  clientReader,
  codexHeader,
  forEachClient,
  type PerClient,
  wrapUntrusted,
} from "../support/golden-clients.ts";

const image = { type: "image", data: pngOf(2, 1).padEnd(400, "A"), mimeType: "image/png" };
const search = { name: "search", arguments: { q: "roses" } };
const quarter = (characters: number): number => Math.ceil(characters / 4);

// The frame of one block is 40 + 20 characters.
const text = { content: [{ type: "text", text: "abcd" }] };
const both = { ...text, structuredContent: { roses: 2 } };
const framed = quarter(40 + 20 + 4);
const json = '{"roses":2}'.length;

type Row = {
  readonly text: number;
  readonly empty: number;
  readonly both: number;
  readonly missing?: { readonly legacy?: number; readonly modern: number };
};

const plain: Row = { text: framed, empty: quarter(40), both: framed };
const structured: Row = { ...plain, both: quarter(json) };
const header = codexHeader[0].length;
const issues = findSdkRejection({ resultType: "complete" }, { knowsModernEra: true }) ?? "";
const rejectedByClaude = `MCP server "server" returned a malformed result that failed schema validation: Invalid result for tools/call: ${issues}`;
const rejectedByCodex = quarter(
  "tool call error: tool call failed for `server/list`\n\nCaused by:\n    Unexpected response type"
    .length,
);

const shown: PerClient<Row> = {
  // (mcp__server__list completed with no output) in the place of nothing.
  "Claude Code": {
    ...structured,
    empty: quarter("(mcp__server__list completed with no output)".length),
    missing: { modern: quarter(rejectedByClaude.length) },
  },
  Codex: {
    text: quarter(header) + framed,
    empty: quarter(header),
    // Header, a line break and the JSON are one text.
    both: quarter(header + 1 + json),
    missing: {
      legacy: quarter(header) + rejectedByCodex,
      modern: quarter(header) + rejectedByCodex,
    },
  },
  "Gemini CLI": {
    text: quarter(wrapUntrusted("abcd").length),
    empty: quarter(40),
    both: quarter(wrapUntrusted("abcd").length),
  },
  Cursor: plain,
  "VS Code": structured,
  unknown: plain,
};

forEachClient(shown, (row, client, era) => {
  const readerFor = clientReader(client, "chars4");

  test.each([
    // {"name":"search","arguments":{"q":"roses"}} is 43 characters.
    ["a text", search, text, 11, row.text, framed],
    // {"name":"list","arguments":{}} is 30 characters; 40 for an empty list.
    ["an empty list", { name: "list", arguments: {} }, { content: [] }, 8, row.empty, 10],
    // SDK clients read an answer of 2025 without content as an empty list; others reject it.
    ["no content", { name: "list" }, {}, 4, row.missing?.[era.era] ?? row.empty, 10],
    // {"name":"list"} is 15 characters.
    ["no arguments and an empty list", { name: "list" }, { content: [] }, 4, row.empty, 10],
    ["text and structuredContent", search, both, 11, row.both, framed + quarter(json)],
  ])("%s", (_name, params, result, input, output, wire) => {
    const played = startGatedSession(["1k/session"], client, era, { readerFor })
      .client(era.ask(1, "tools/call", params))
      .server(era.answer(1, result))
      .end();
    expect(played.calls).toMatchObject([
      { input_tokens: input, output_tokens: output, wire_tokens: wire },
    ]);
    const end = played.records.find((record) => record.type === "end");
    // Budgets count the most expensive of all readings where it is not known which one there is.
    const most = client === "unknown" ? mostFor(result) : output;
    expect(end).toMatchObject({ budgets: [{ spent: input + most }] });
  });

  function mostFor(result: { content?: readonly { text: string }[]; structuredContent?: object }) {
    const { content = [], structuredContent } = result;
    const count = (of: string): number => quarter(of.length);
    const texts = maxTokensForTexts(
      content.map((block) => block.text),
      count,
    );
    const one = content.length === 0 ? 10 : quarter(60 + (content[0]?.text.length ?? 0));
    const most = Math.max(one, texts);
    return structuredContent ? most + maxTokensForJson(structuredContent, count) : most;
  }

  test("methods that no model pays for: a cursor as JSON, and nothing for {}", () => {
    const played = startGatedSession([], client, era, { readerFor })
      .client(era.ask(1, "tools/list", {}), era.ask(2, "tools/list", { cursor: "abc" }))
      .server(era.answer(1, {}), era.answer(2, {}))
      .end();
    const lists = played.records.filter(
      (one) => one.type === "protocol" && one.method === "tools/list",
    );
    expect(lists).toMatchObject([{ input_tokens: 0 }, { input_tokens: quarter('"abc"'.length) }]);
    expect(played.calls).toEqual([]);
  });

  test("a call that is never answered has no frame", () => {
    const played = startGatedSession([], client, era, { readerFor })
      .client(era.ask(1, "tools/call", search))
      .end();
    expect(played.calls).toMatchObject([
      { outcome: "abandoned", input_tokens: 11, output_tokens: 0 },
    ]);
  });
});

/** Texts of the client's own beside an image, whose base64 counts as characters. */
const labels: PerClient<string> = {
  "Claude Code":
    "[Image: source: /home/user/.claude/projects/-home-user-projects-example-organisation-application/8e81fa78-ebf7-4241-b46a-c25a9bf4ac4a/tool-results/mcp-server-blob-1763769600000-zsobi2.png]",
  Codex: codexHeader[0],
  "Gemini CLI": `[Tool 'a"b' provided the following image data with mime-type: image/png]`,
  Cursor: "",
  "VS Code": "",
  unknown: "",
};

forEachClient(labels, (label, client, era) => {
  test("a quote in the name, and an image", () => {
    const played = startGatedSession([], client, era, { readerFor: clientReader(client, "chars4") })
      .client(era.ask(1, "tools/call", { name: 'a"b' }))
      .server(era.answer(1, { content: [image] }))
      .end();
    // {"name":"a\\"b"} is 15 characters: the name is JSON too.
    const block = quarter(40 + 20 + 400);
    expect(played.calls).toMatchObject([
      { input_tokens: 4, output_tokens: block + quarter(label.length), wire_tokens: block },
    ]);
  });
});

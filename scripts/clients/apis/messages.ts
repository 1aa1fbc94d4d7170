import { readArray, readMember, readString } from "#wire/json.ts";
import { countTokens } from "../compare/answers.ts";
import { eventStream, type ModelApi, hashToId, type ReadPart, type Turn } from "./api.ts";

const usage = {
  input_tokens: 10,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 5,
};

export const messagesApi: ModelApi = {
  isTurn: (path, body) => path === "/v1/messages" && readArray(body, "tools").length > 0,
  reply: (turn, id, body) => message(makeContent(turn, id), id, body),
  answerOther,
  newestResults: (body) =>
    readContent(readArray(body, "messages").findLast(isUser)).flatMap((block) =>
      readString(block, "type") === "tool_result" ? readParts(readMember(block, "content")) : [],
    ),
  definitions: (body) =>
    readArray(body, "tools").map((tool) => ({
      name: readString(tool, "name") ?? "",
      description: readString(tool, "description") ?? "",
      schema: readMember(tool, "input_schema"),
    })),
  texts: (body) => [
    ...readTexts(readMember(body, "system")),
    ...readArray(body, "messages").flatMap((entry) => readTexts(readMember(entry, "content"))),
  ],
};

function isUser(entry: unknown): boolean {
  return readString(entry, "role") === "user";
}

function readContent(entry: unknown): readonly unknown[] {
  return readArray(entry, "content");
}

function makeContent(turn: Turn, id: string): readonly object[] {
  if (turn.kind === "text") return [{ type: "text", text: turn.text }];
  return [
    { type: "tool_use", id: `toolu_01${hashToId(id, 22)}`, name: turn.name, input: turn.args },
  ];
}

function answerOther(path: string, body: unknown): Response | undefined {
  if (path === "/v1/messages/count_tokens") {
    return Response.json({ input_tokens: countTokens(joinCountableText(body)) });
  }
  if (path !== "/v1/messages") return undefined;
  return message([{ type: "text", text: "Aside" }], "aside", body);
}

function joinCountableText(body: unknown): string {
  const blocks = readArray(body, "messages").flatMap((entry) => [
    ...readTexts(readMember(entry, "content")),
    ...readContent(entry).flatMap((block) => readTexts(readMember(block, "content"))),
  ]);
  const tools = readArray(body, "tools").map((tool) => JSON.stringify(tool));
  return [...blocks, ...tools].join("\n");
}

function readTexts(content: unknown): readonly string[] {
  if (typeof content === "string") return [content];
  return (Array.isArray(content) ? content : []).flatMap((block: unknown) =>
    readString(block, "type") === "text" ? [readString(block, "text") ?? ""] : [],
  );
}

function readParts(content: unknown): readonly ReadPart[] {
  if (typeof content === "string") return [{ kind: "text", text: content }];
  return (Array.isArray(content) ? content : []).map((block: unknown): ReadPart => {
    const data = readString(block, "source", "data");
    if (data === undefined)
      return { kind: "text", text: readString(block, "text") ?? JSON.stringify(block) };
    return { kind: readString(block, "type") === "image" ? "image" : "file", data };
  });
}

function message(content: readonly object[], id: string, body: unknown): Response {
  const isCall = content.some((block) => readString(block, "type") === "tool_use");
  const stop = { stop_reason: isCall ? "tool_use" : "end_turn", stop_sequence: null };
  const model = readString(body, "model") ?? "";
  const head = { id: `msg_${id}`, type: "message", role: "assistant", model, usage };
  if (readMember(body, "stream") !== true) return Response.json({ ...head, ...stop, content });
  const events = [
    {
      type: "message_start",
      message: { ...head, content: [], stop_reason: null, stop_sequence: null },
    },
    ...content.flatMap(makeBlockEvents),
    { type: "message_delta", delta: stop, usage: { output_tokens: usage.output_tokens } },
    { type: "message_stop" },
  ];
  return eventStream(events.map((data) => ({ event: data.type, data })));
}

function makeBlockEvents(block: object, index: number) {
  const text = readString(block, "text");
  const isText = text !== undefined;
  const input = JSON.stringify(readMember(block, "input"));
  return [
    {
      type: "content_block_start",
      index,
      content_block: { ...block, ...(isText ? { text: "" } : { input: {} }) },
    },
    {
      type: "content_block_delta",
      index,
      delta: isText
        ? { type: "text_delta", text }
        : { type: "input_json_delta", partial_json: input },
    },
    { type: "content_block_stop", index },
  ];
}

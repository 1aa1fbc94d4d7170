import { readArray, readMember, readString } from "#wire/json.ts";
import { eventStream, type ModelApi, hashToId, type ReadPart, type Turn } from "./api.ts";

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

export const chatCompletionsApi: ModelApi = {
  isTurn: (path, body) => isChat(path) && readArray(body, "tools").length > 0,
  reply: completion,
  answerOther: (path, body) => {
    if (isChat(path)) return completion({ kind: "text", text: "Aside" }, "aside", body);
    if (!path.endsWith("/models")) return undefined;
    return Response.json({ object: "list", data: [{ id: "model", object: "model" }] });
  },
  newestResults: (body) => {
    const messages = readArray(body, "messages");
    const from = messages.findLastIndex((message) => readString(message, "role") === "assistant");
    return messages.slice(from + 1).flatMap(resultParts);
  },
  definitions: (body) =>
    readArray(body, "tools").map((tool) => ({
      name: readString(tool, "function", "name") ?? "",
      description: readString(tool, "function", "description") ?? "",
      schema: readMember(tool, "function", "parameters"),
    })),
  texts: (body) =>
    readArray(body, "messages")
      .filter((message) => readString(message, "role") !== "tool")
      .flatMap((message) => readParts(readMember(message, "content")))
      .flatMap((part) => (part.kind === "text" ? [part.text] : [])),
};

function isChat(path: string): boolean {
  return path.endsWith("/chat/completions");
}

function completion(turn: Turn, id: string, body: unknown): Response {
  const message = makeMessage(turn, id);
  const model = readString(body, "model") ?? "";
  const head = { id: `chatcmpl-${id}`, created: 1, model };
  const reason = turn.kind === "call" ? "tool_calls" : "stop";
  if (readMember(body, "stream") !== true) {
    const choices = [{ index: 0, message, finish_reason: reason }];
    return Response.json({ ...head, object: "chat.completion", choices, usage });
  }
  const chunk = { ...head, object: "chat.completion.chunk" };
  const makeDelta = (delta: object, finish: string | null) => ({
    data: { ...chunk, choices: [{ index: 0, delta, finish_reason: finish }] },
  });
  return eventStream([
    makeDelta(message, null),
    makeDelta({}, reason),
    { data: { ...chunk, choices: [], usage } },
    { data: "[DONE]" },
  ]);
}

function makeMessage(turn: Turn, id: string): object {
  if (turn.kind === "text") return { role: "assistant", content: turn.text };
  const call = { name: turn.name, arguments: JSON.stringify(turn.args) };
  const calls = [{ index: 0, id: `call_${hashToId(id, 24)}`, type: "function", function: call }];
  return { role: "assistant", content: null, tool_calls: calls };
}

function resultParts(message: unknown): readonly ReadPart[] {
  const parts = readParts(readMember(message, "content"));
  const hasMedia = parts.some(({ kind }) => kind !== "text");
  return hasMedia || readString(message, "role") === "tool" ? parts : [];
}

function readParts(content: unknown): readonly ReadPart[] {
  if (typeof content === "string") return [{ kind: "text", text: content }];
  return (Array.isArray(content) ? content : []).map((part: unknown): ReadPart => {
    const image = readString(part, "image_url", "url");
    if (image !== undefined) return { kind: "image", data: image };
    const audio = readString(part, "input_audio", "data") ?? readString(part, "audio_url", "url");
    if (audio !== undefined) return { kind: "audio", data: audio };
    const file = readString(part, "file", "file_data");
    if (file !== undefined) return { kind: "file", data: file };
    return { kind: "text", text: readString(part, "text") ?? JSON.stringify(part) };
  });
}

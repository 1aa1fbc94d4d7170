import { readArray, readMember, readString } from "#wire/json.ts";
import {
  eventStream,
  type ModelApi,
  type ReadDefinition,
  type ReadPart,
  type Turn,
} from "./api.ts";

const usage = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 15,
};

export const responsesApi: ModelApi = {
  isTurn: (path) => path.endsWith("/responses"),
  reply: (turn, id, body) => {
    const item = makeItem(turn, id);
    const response = {
      id: `resp_${id}`,
      object: "response",
      model: readString(body, "model") ?? "",
    };
    const completed = { ...response, status: "completed", output: [item], usage };
    const events = [
      { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
      { type: "response.output_item.added", output_index: 0, item },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: completed },
    ];
    return eventStream(events.map((data) => ({ event: data.type, data })));
  },
  answerOther: (path) =>
    path.endsWith("/models") ? Response.json({ object: "list", data: [], models: [] }) : undefined,
  newestResults: (body) => {
    const input = readArray(body, "input");
    const from = input.findLastIndex((item) => isCall(item));
    return input.slice(from + 1).flatMap(resultParts);
  },
  definitions: (body) => [
    ...readArray(body, "tools").flatMap((tool) => readDefinitions(tool)),
    ...readArray(body, "input").flatMap((item) =>
      readArray(item, "tools").flatMap((tool) => readDefinitions(tool)),
    ),
  ],
  texts: (body) => [
    readString(body, "instructions") ?? "",
    ...readArray(body, "input")
      .filter((item) => readString(item, "type") === "message")
      .flatMap((item) => readArray(item, "content").map((part) => readString(part, "text") ?? "")),
  ],
};

function makeItem(turn: Turn, id: string): object {
  if (turn.kind === "text") {
    const content = [{ type: "output_text", text: turn.text, annotations: [] }];
    return { type: "message", id: `msg_${id}`, role: "assistant", status: "completed", content };
  }
  const { name, namespace, args } = turn;
  if (name === "tool_search") {
    const ids = { id: `ts_${id}`, call_id: `call_${id}` };
    return { type: "tool_search_call", ...ids, execution: "client", arguments: args };
  }
  const ids = { id: `fc_${id}`, call_id: `call_${id}` };
  const call = { name, namespace, arguments: JSON.stringify(args), status: "completed" };
  return { type: "function_call", ...ids, ...call };
}

function isCall(item: unknown): boolean {
  return (readString(item, "type") ?? "").endsWith("_call");
}

function resultParts(item: unknown): readonly ReadPart[] {
  if (!(readString(item, "type") ?? "").endsWith("_call_output")) return [];
  const output = readMember(item, "output");
  if (typeof output === "string") return [{ kind: "text", text: output }];
  return readArray(item, "output").map((part): ReadPart => {
    const image = readString(part, "image_url");
    if (image !== undefined) return { kind: "image", data: image };
    const file = readString(part, "file_data");
    return file === undefined
      ? { kind: "text", text: readString(part, "text") ?? "" }
      : { kind: "file", data: file };
  });
}

function readDefinitions(tool: unknown): readonly ReadDefinition[] {
  const name = readString(tool, "name");
  if (name === undefined) return [];
  const description = readString(tool, "description") ?? "";
  const definition = { name, description, schema: readMember(tool, "parameters") };
  return [definition, ...readArray(tool, "tools").flatMap(readDefinitions)];
}

import { arrayAt, memberAt, textAt } from "#wire/json.ts";
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
    const item = itemOf(turn, id);
    const response = { id: `resp_${id}`, object: "response", model: textAt(body, "model") ?? "" };
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
    const input = arrayAt(body, "input");
    const from = input.findLastIndex((item) => isCall(item));
    return input.slice(from + 1).flatMap(resultParts);
  },
  definitions: (body) => [
    ...arrayAt(body, "tools").flatMap((tool) => definitionsOf(tool)),
    ...arrayAt(body, "input").flatMap((item) =>
      arrayAt(item, "tools").flatMap((tool) => definitionsOf(tool)),
    ),
  ],
  texts: (body) => [
    textAt(body, "instructions") ?? "",
    ...arrayAt(body, "input")
      .filter((item) => textAt(item, "type") === "message")
      .flatMap((item) => arrayAt(item, "content").map((part) => textAt(part, "text") ?? "")),
  ],
};

function itemOf(turn: Turn, id: string): object {
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
  return (textAt(item, "type") ?? "").endsWith("_call");
}

function resultParts(item: unknown): readonly ReadPart[] {
  if (!(textAt(item, "type") ?? "").endsWith("_call_output")) return [];
  const output = memberAt(item, "output");
  if (typeof output === "string") return [{ kind: "text", text: output }];
  return arrayAt(item, "output").map((part): ReadPart => {
    const image = textAt(part, "image_url");
    if (image !== undefined) return { kind: "image", data: image };
    const file = textAt(part, "file_data");
    return file === undefined
      ? { kind: "text", text: textAt(part, "text") ?? "" }
      : { kind: "file", data: file };
  });
}

function definitionsOf(tool: unknown): readonly ReadDefinition[] {
  const name = textAt(tool, "name");
  if (name === undefined) return [];
  const description = textAt(tool, "description") ?? "";
  const own = { name, description, schema: memberAt(tool, "parameters") };
  return [own, ...arrayAt(tool, "tools").flatMap(definitionsOf)];
}

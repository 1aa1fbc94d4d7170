// The imitated APIs: what they read of invented requests, and that they follow a plan.
import { describe, expect, test } from "bun:test";
import { chatCompletionsApi } from "../../../scripts/clients/apis/chat-completions.ts";
import { geminiApi } from "../../../scripts/clients/apis/gemini.ts";
import { messagesApi } from "../../../scripts/clients/apis/messages.ts";
import { responsesApi } from "../../../scripts/clients/apis/responses.ts";
import { ApiServer } from "../../../scripts/clients/apis/server.ts";

const text = (of: string) => ({ type: "text", text: of });

describe("Messages", () => {
  const body = {
    model: "claude-opus-5",
    system: [text("Be brief.")],
    tools: [{ name: "mcp__server__a", description: "Lists", input_schema: { type: "object" } }],
    messages: [
      { role: "user", content: "Go" },
      { role: "assistant", content: [{ type: "tool_use", id: "1", name: "a", input: {} }] },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "1",
            content: [
              text("Cold"),
              { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
            ],
          },
          text("A reminder"),
        ],
      },
    ],
  };

  test("reads the newest results, the definitions and the texts of a request", () => {
    expect(messagesApi.newestResults(body)).toEqual([
      { kind: "text", text: "Cold" },
      { kind: "image", data: "AAAA" },
    ]);
    expect(messagesApi.definitions(body)).toEqual([
      { name: "mcp__server__a", description: "Lists", schema: { type: "object" } },
    ]);
    expect(messagesApi.texts(body)).toEqual(["Be brief.", "Go", "A reminder"]);
    const plain = {
      messages: [{ role: "user", content: [{ type: "tool_result", content: "No" }] }],
    };
    expect(messagesApi.newestResults(plain)).toEqual([{ kind: "text", text: "No" }]);
    expect(messagesApi.newestResults({})).toEqual([]);
  });

  test("continues a conversation and nothing else", async () => {
    expect(messagesApi.isTurn("/v1/messages", body)).toBe(true);
    expect(messagesApi.isTurn("/v1/messages", { ...body, tools: [] })).toBe(false);
    const counted = messagesApi.answerOther("/v1/messages/count_tokens", body);
    // "Go\nA reminder\nCold"
    expect(await counted?.json()).toEqual({ input_tokens: 6 });
    expect(messagesApi.answerOther("/v1/other", {})).toBeUndefined();
  });

  test("calls a tool, as a stream or whole", async () => {
    const turn = { kind: "call", name: "mcp__server__a", args: { city: "Oslo" } } as const;
    const whole = messagesApi.reply(turn, "0001", body);
    expect(await whole.json()).toMatchObject({
      stop_reason: "tool_use",
      content: [{ type: "tool_use", name: "mcp__server__a", input: { city: "Oslo" } }],
    });
    const stream = await messagesApi.reply(turn, "0001", { ...body, stream: true }).text();
    expect(stream).toContain("event: content_block_delta\n");
    expect(stream).toContain(String.raw`"partial_json":"{\"city\":\"Oslo\"}"`);
    expect(stream).toContain('"stop_reason":"tool_use"');
  });
});

describe("Responses", () => {
  const tool = {
    type: "function",
    name: "a",
    description: "Lists",
    parameters: { type: "object" },
  };
  const body = {
    instructions: "Be brief.",
    tools: [
      { type: "tool_search", parameters: {} },
      { ...tool, name: "own" },
    ],
    input: [
      { type: "message", role: "user", content: [{ type: "input_text", text: "Go" }] },
      { type: "tool_search_call", call_id: "1" },
      {
        type: "tool_search_output",
        call_id: "1",
        tools: [{ type: "namespace", name: "mcp__server", description: "Be kind.", tools: [tool] }],
      },
      { type: "function_call", call_id: "2" },
      {
        type: "function_call_output",
        call_id: "2",
        output: [
          { type: "input_text", text: "Cold" },
          { type: "input_image", image_url: "data:image/png;base64,AAAA" },
        ],
      },
    ],
  };

  test("reads the newest results, the definitions and the texts of a request", () => {
    expect(responsesApi.newestResults(body)).toEqual([
      { kind: "text", text: "Cold" },
      { kind: "image", data: "data:image/png;base64,AAAA" },
    ]);
    const plain = { input: [{ type: "function_call_output", output: "No" }] };
    expect(responsesApi.newestResults(plain)).toEqual([{ kind: "text", text: "No" }]);
    expect(responsesApi.texts(body)).toEqual(["Be brief.", "Go"]);
    expect(responsesApi.definitions(body)).toEqual([
      { name: "own", description: "Lists", schema: { type: "object" } },
      { name: "mcp__server", description: "Be kind.", schema: undefined },
      { name: "a", description: "Lists", schema: { type: "object" } },
    ]);
  });

  test("calls a tool of a namespace, or the search for tools", async () => {
    const call = { kind: "call", name: "a", namespace: "mcp__server", args: { x: 1 } } as const;
    const events = await responsesApi.reply(call, "0001", body).text();
    expect(events).toContain("event: response.output_item.done\n");
    expect(events).toContain(
      String.raw`"name":"a","namespace":"mcp__server","arguments":"{\"x\":1}"`,
    );
    const search = { kind: "call", name: "tool_search", args: { query: "a" } } as const;
    expect(await responsesApi.reply(search, "0002", body).text()).toContain(
      '"type":"tool_search_call"',
    );
    expect(responsesApi.isTurn("/v1/responses", body)).toBe(true);
    expect(responsesApi.isTurn("/v1/models", undefined)).toBe(false);
  });
});

const answered = (response: object) => ({
  contents: [{ role: "user", parts: [{ functionResponse: { name: "a", response } }] }],
});

describe("Gemini", () => {
  const body = {
    systemInstruction: { parts: [{ text: "Be brief." }] },
    tools: [
      { functionDeclarations: [{ name: "a", description: "Lists", parametersJsonSchema: {} }] },
    ],
    contents: [
      { role: "user", parts: [{ text: "Go" }] },
      { role: "model", parts: [{ functionCall: { name: "a", args: {} } }] },
      {
        role: "user",
        parts: [
          {
            functionResponse: {
              name: "a",
              response: { output: "Cold" },
              parts: [{ inlineData: { mimeType: "image/png", data: "AAAA" } }],
            },
          },
          { inlineData: { mimeType: "application/pdf", data: "BBBB" } },
        ],
      },
    ],
  };
  test("reads the newest results, the definitions and the texts of a request", () => {
    expect(geminiApi.newestResults(body)).toEqual([
      { kind: "text", text: "Cold" },
      { kind: "image", data: "AAAA" },
      { kind: "file", data: "BBBB" },
    ]);
    expect(geminiApi.newestResults(answered({ error: "No" }))).toEqual([
      { kind: "text", text: "No" },
    ]);
    expect(geminiApi.newestResults(answered({}))).toEqual([{ kind: "text", text: "{}" }]);
    expect(
      geminiApi.newestResults({ contents: [{ role: "user", parts: [{ text: "Go" }] }] }),
    ).toEqual([]);
    expect(geminiApi.definitions(body)).toEqual([{ name: "a", description: "Lists", schema: {} }]);
    expect(geminiApi.texts(body)).toEqual(["Be brief.", "Go"]);
  });

  test("continues a conversation, and answers aside of it", async () => {
    const stream = "/v1beta/models/m:streamGenerateContent";
    expect(geminiApi.isTurn(stream, body)).toBe(true);
    expect(geminiApi.isTurn(stream, { ...body, tools: [] })).toBe(false);
    const call = { kind: "call", name: "a", args: { x: 1 } } as const;
    expect(await geminiApi.reply(call, "0001", body).text()).toContain(
      '"functionCall":{"name":"a","args":{"x":1}}',
    );
    const aside = geminiApi.answerOther("/v1beta/models/m:generateContent", body);
    expect(await aside?.text()).toContain('"text":"Aside"');
    expect(geminiApi.answerOther("/v1beta/other", {})).toBeUndefined();
  });
});

describe("Chat Completions", () => {
  const define = { name: "a", description: "Lists", parameters: { type: "object" } };
  const picture = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
  const body = {
    model: "m",
    tools: [{ type: "function", function: define }],
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: [text("Go")] },
      { role: "assistant", content: null, tool_calls: [] },
      { role: "tool", content: "Cold" },
      { role: "user", content: [text("Media:"), picture] },
    ],
  };

  test("reads the newest results, the definitions and the texts of a request", () => {
    expect(chatCompletionsApi.newestResults(body)).toEqual([
      { kind: "text", text: "Cold" },
      { kind: "text", text: "Media:" },
      { kind: "image", data: "data:image/png;base64,AAAA" },
    ]);
    const audio = { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } };
    const file = { type: "file", file: { file_data: "BBBB" } };
    const heard = {
      messages: [
        { role: "tool", content: [audio, file] },
        { role: "user", content: "Go" },
      ],
    };
    expect(chatCompletionsApi.newestResults(heard)).toEqual([
      { kind: "audio", data: "AAAA" },
      { kind: "file", data: "BBBB" },
    ]);
    expect(chatCompletionsApi.definitions(body)).toEqual([
      { name: "a", description: "Lists", schema: { type: "object" } },
    ]);
    expect(chatCompletionsApi.texts(body)).toEqual(["Be brief.", "Go", "Media:"]);
  });

  test("calls a tool, as a stream or whole", async () => {
    const path = "/v1/chat/completions";
    expect(chatCompletionsApi.isTurn(path, body)).toBe(true);
    expect(chatCompletionsApi.isTurn(path, { ...body, tools: [] })).toBe(false);
    const call = { kind: "call", name: "a", args: { x: 1 } } as const;
    const whole = await chatCompletionsApi.reply(call, "0001", body).json();
    expect(whole).toMatchObject({
      choices: [
        {
          finish_reason: "tool_calls",
          message: { tool_calls: [{ function: { name: "a", arguments: '{"x":1}' } }] },
        },
      ],
    });
    const stream = await chatCompletionsApi.reply(call, "0001", { ...body, stream: true }).text();
    expect(stream).toContain('"finish_reason":"tool_calls"');
    expect(stream).toEndWith("data: [DONE]\n\n");
    const aside = chatCompletionsApi.answerOther(path, { ...body, tools: [] });
    expect(await aside?.text()).toContain('"content":"Aside"');
    expect(await chatCompletionsApi.answerOther("/v1/models", {})?.json()).toMatchObject({
      object: "list",
    });
    expect(chatCompletionsApi.answerOther("/v1/other", {})).toBeUndefined();
  });
});

test("a server answers the turns of a conversation by its plan, and keeps every request", async () => {
  const plan = [{ kind: "call", name: "a", args: {} }] as const;
  await using server = new ApiServer(messagesApi, plan);
  const post = async (path: string, body: object) =>
    await fetch(`${server.url}${path}`, { method: "POST", body: JSON.stringify(body) });
  const turn = { tools: [{ name: "a" }], messages: [] };
  expect(await (await post("/v1/messages", turn)).json()).toMatchObject({
    stop_reason: "tool_use",
  });
  expect(await (await post("/v1/messages", { messages: [] })).json()).toMatchObject({
    content: [{ text: "Aside" }],
  });
  expect((await post("/v1/elsewhere", {})).status).toBe(404);
  expect(await (await post("/v1/messages", turn)).json()).toMatchObject({
    content: [{ text: "Done" }],
  });
  expect(server.requests.map(({ path, step }) => [path, step])).toEqual([
    ["/v1/messages", 0],
    ["/v1/messages", undefined],
    ["/v1/elsewhere", undefined],
    ["/v1/messages", 1],
  ]);
});

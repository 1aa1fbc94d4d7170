import { describe, expect, test } from "bun:test";
import { UserError } from "#kit/errors.ts";
import {
  serve,
  servedAnswerBytesMax,
  type ServedArguments,
  type ServedTool,
} from "#transport/mcp-server/serve.ts";
import { rpcPipes } from "../../support/rpc-pipes.ts";

const tool = (answer: (args: ServedArguments) => Promise<string>): ServedTool => ({
  name: "count",
  description: "Counts",
  arguments: { top: { type: "integer", minimum: 1, maximum: 9 } },
  answer,
});

async function answers(served: ServedTool, ...requests: readonly object[]) {
  const reported: string[] = [];
  const pipes = rpcPipes();
  const ended = serve([served], pipes, (sentence) => reported.push(sentence));
  const opening = {
    id: 0,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "c", version: "1" },
    },
  };
  pipes.send(opening, { method: "notifications/initialized" }, ...requests);
  await pipes.endAfter(1 + requests.length);
  await ended;
  return { reported, byId: new Map(pipes.received().map((message) => [message["id"], message])) };
}

const call = (id: number, args?: object, name = "count") => ({
  id,
  method: "tools/call",
  params: { name, ...(args ? { arguments: args } : {}) },
});

describe("makeServer", () => {
  test("lists its tools as read only, with the size of their answers", async () => {
    const { byId } = await answers(
      tool(async () => "1"),
      { id: 1, method: "tools/list" },
    );
    expect(byId.get(1)).toMatchObject({
      result: {
        tools: [
          {
            name: "count",
            description: "Counts",
            inputSchema: {
              type: "object",
              properties: { top: { type: "integer", minimum: 1, maximum: 9 } },
              additionalProperties: false,
            },
            annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
            _meta: { "anthropic/maxResultSizeChars": servedAnswerBytesMax },
          },
        ],
      },
    });
  });

  test("answers with a text, an error for the model, or an error of the protocol", async () => {
    const served = tool(async ({ top }) => {
      if (top === 2) throw new UserError(`Cannot find ${"é".repeat(9_000)}`);
      return `top ${top}`;
    });
    const { byId, reported } = await answers(
      served,
      call(1, { top: 1 }),
      call(2, { top: 2 }),
      call(3, { top: 10 }),
      call(4),
      call(5, {}, "cuont\u001b[2J"),
    );
    const text = (id: number): unknown => byId.get(id)?.["result"];
    expect(text(1)).toEqual({ content: [{ type: "text", text: "top 1" }] });
    expect(text(2)).toMatchObject({ isError: true });
    expect(JSON.stringify(text(2)).length).toBeLessThan(600);
    expect(text(3)).toEqual({
      content: [{ type: "text", text: '"top" must be a whole number from 1 to 9, not 10' }],
      isError: true,
    });
    expect(text(4)).toEqual({ content: [{ type: "text", text: "top undefined" }] });
    expect(byId.get(5)?.["error"]).toEqual({
      code: -32_602,
      message: 'Unknown tool "cuont\\u001b[2J"; the tools are count',
    });
    expect(reported).toEqual([]);
  });

  test("a fault of ours is an error without the fault's text, which may quote records", async () => {
    const { byId, reported } = await answers(
      tool(async () => {
        throw new TypeError("secret");
      }),
      call(1),
    );
    const sentence =
      'Failed because of a bug in mcp-meter (TypeError); report it with the output of "mcp-meter --version"';
    expect(byId.get(1)?.["result"]).toEqual({
      content: [{ type: "text", text: sentence }],
      isError: true,
    });
    expect(reported).toEqual([sentence]);
  });
});

import { isObject, memberAt, textAt } from "#wire/json.ts";
import { createInterface } from "node:readline";
import { answerOf } from "./answers.ts";
import { idleTool, instructions, tools } from "./tools.ts";

// An MCP server with every kind of answer, or with `idle` one with a single tool and without instructions. Started by a client; its
// first argument marks the process as one of the run.

const isIdle = process.argv[3] === "idle";
const serverInfo = { name: "weather", version: "1.0.0" };

function answer(method: string, params: unknown): object {
  switch (method) {
    case "initialize": {
      const protocolVersion = textAt(params, "protocolVersion");
      const hello = { protocolVersion, capabilities: { tools: {} }, serverInfo };
      return { result: isIdle ? hello : { ...hello, instructions } };
    }
    case "ping":
      return { result: {} };
    case "tools/list":
      return { result: { tools: isIdle ? [idleTool] : tools } };
    case "tools/call":
      return answerOf(textAt(params, "name") ?? "");
    default:
      return { error: { code: -32_601, message: "Method not found" } };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request: unknown = JSON.parse(line);
  const id = memberAt(request, "id");
  const method = textAt(request, "method");
  if (!isObject(request) || id === undefined || method === undefined) continue;
  const message = { jsonrpc: "2.0", id, ...answer(method, memberAt(request, "params")) };
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

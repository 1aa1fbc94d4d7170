import { isObject, readMember, readString } from "#wire/json.ts";
import { createInterface } from "node:readline";
import { answerOf } from "./kinds.ts";
import { idleTool, instructions, toolsIn } from "./tools.ts";

// An MCP server with the tools of a set of answers, or with `idle` one with a single tool and without instructions; with
// `modern` behind it, of the revision 2026-07-28. Started by a client; its first argument marks the process as one of the run.

const [, , , set = "idle", era = "legacy"] = process.argv;
const isIdle = set === "idle";
const isModern = era === "modern";
const unknownMethod = { error: { code: -32_601, message: "Method not found" } };
const cached = { ttlMs: 0, cacheScope: "public" };
const about = isIdle ? {} : { instructions };
const serverInfo = { name: "weather", version: "1.0.0" };

function answer(method: string, params: unknown): object {
  switch (method) {
    case "server/discover":
      return isModern ? complete(discovered()) : unknownMethod;
    case "initialize":
      return isModern ? unknownMethod : { result: hello(params) };
    case "ping":
      return { result: {} };
    case "tools/list":
      return complete({ tools: isIdle ? [idleTool] : toolsIn(set), ...(isModern && cached) });
    case "tools/call":
      return complete(answerOf(readString(params, "name") ?? ""));
    default:
      return unknownMethod;
  }
}

function hello(params: unknown): object {
  const protocolVersion = readString(params, "protocolVersion");
  return { protocolVersion, capabilities: { tools: {} }, serverInfo, ...about };
}

function discovered(): object {
  return { supportedVersions: ["2026-07-28"], capabilities: { tools: {} }, ...cached, ...about };
}

function complete(of: object): object {
  if (readMember(of, "error") !== undefined) return of;
  const result = readMember(of, "result") ?? of;
  if (!isModern || !isObject(result)) return { result };
  const meta = isObject(result["_meta"]) ? result["_meta"] : {};
  const named = { ...meta, "io.modelcontextprotocol/serverInfo": serverInfo };
  return { result: { resultType: "complete", ...result, _meta: named } };
}

for await (const line of createInterface({ input: process.stdin })) {
  const request: unknown = JSON.parse(line);
  const id = readMember(request, "id");
  const method = readString(request, "method");
  if (!isObject(request) || id === undefined || method === undefined) continue;
  const message = { jsonrpc: "2.0", id, ...answer(method, readMember(request, "params")) };
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

import { isObject, readMember, readString } from "#wire/json.ts";
import { createInterface } from "node:readline";
import { findAnswer } from "./kinds.ts";
import { idleTool, instructions, defineTools } from "./tools.ts";

// An MCP server with the tools of a set of answers; the set `idle` has a single tool and no instructions. `modern` as the
// last argument selects the revision 2026-07-28. A client starts it; its first argument marks the process as part of the run.

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
      return isModern ? complete(describeServer()) : unknownMethod;
    case "initialize":
      return isModern ? unknownMethod : { result: makeHello(params) };
    case "ping":
      return { result: {} };
    case "tools/list":
      return complete({ tools: isIdle ? [idleTool] : defineTools(set), ...(isModern && cached) });
    case "tools/call":
      return complete(findAnswer(readString(params, "name") ?? ""));
    default:
      return unknownMethod;
  }
}

function makeHello(params: unknown): object {
  const protocolVersion = readString(params, "protocolVersion");
  return { protocolVersion, capabilities: { tools: {} }, serverInfo, ...about };
}

function describeServer(): object {
  return { supportedVersions: ["2026-07-28"], capabilities: { tools: {} }, ...cached, ...about };
}

function complete(answered: object): object {
  if (readMember(answered, "error") !== undefined) return answered;
  const result = readMember(answered, "result") ?? answered;
  if (!isModern || !isObject(result)) return { result };
  const meta = isObject(result["_meta"]) ? result["_meta"] : {};
  const namedMeta = { ...meta, "io.modelcontextprotocol/serverInfo": serverInfo };
  return { result: { resultType: "complete", ...result, _meta: namedMeta } };
}

for await (const line of createInterface({ input: process.stdin })) {
  const request: unknown = JSON.parse(line);
  const id = readMember(request, "id");
  const method = readString(request, "method");
  if (!isObject(request) || id === undefined || method === undefined) continue;
  const message = { jsonrpc: "2.0", id, ...answer(method, readMember(request, "params")) };
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

import { createInterface } from "node:readline";
import { makeDefinition, toolNames } from "./contents.ts";
import { at } from "./reading.ts";

// A server that only lists the tools of the fuzzer's fake server, for `mcp-meter lock`.

const results: Readonly<Record<string, unknown>> = {
  initialize: {
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "fuzz-server", version: "1" },
  },
  "tools/list": { tools: toolNames.map(makeDefinition) },
  ping: {},
};

for await (const line of createInterface({ input: process.stdin })) {
  const message: unknown = JSON.parse(line);
  const id = at(message, "id");
  if (id === undefined) continue;
  const result = results[String(at(message, "method"))];
  const answer =
    result === undefined ? { error: { code: -32_601, message: "Unknown" } } : { result };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
}

import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "#wire/json.ts";

export const canary = "CANARY-7f3a";

const structural =
  /^(?:type|id|uuid|\w*[Uu]uid|sessionId|session_id|agentId|requestId|timestamp|version|model|name|namespace|call_id|tool_use_id|role|subtype|server|tool|turn_id|forked_from_id|parent_thread_id|cli_version|originator|source|thread_id|response_id|status|messageId|stop_reason|service_tier|media_type|kind|projectHash|startTime|lastUpdated|displayName|arguments|toolCallId|mcpServerName|mcpToolName|mcp_server_name|function_name|apiCallId|sourceSessionId|copilotVersion|toolUseID|modelId|modelID|resolvedModel|callID|sessionID|messageID|serverName|toolName|modelAlias|group|uri|originalFunctionName|dateCreated|started_at|say|ask|k)$/;

export function copyWithCanaries(homes: readonly string[], to: string): void {
  for (const from of homes) cpSync(from, to, { recursive: true });
  for (const entry of readdirSync(to, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.jsonl?$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const text = readFileSync(path, "utf8");
    const lines = entry.name.endsWith(".json") ? [text] : text.split("\n");
    writeFileSync(path, lines.map(marked).join("\n"));
  }
}

function marked(line: string): string {
  try {
    return JSON.stringify(withCanary(JSON.parse(line), ""));
  } catch {
    return line;
  }
}

function withCanary(value: unknown, name: string): unknown {
  if (typeof value === "string") {
    // A text that is JSON stays JSON.
    if (name === "text" && value.startsWith("{")) return marked(value);
    if (name === "arguments") return value.replaceAll(/:"/g, `:"${canary} `);
    return structural.test(name) ? value : `${value} ${canary}`;
  }
  if (Array.isArray(value)) return value.map((element) => withCanary(element, name));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key, withCanary(member, key)]);
  return Object.fromEntries(members);
}

import type { Conversation } from "../conversation.ts";
import { text } from "../texts.ts";

/** The beginning of a connection: `initialize`, or `server/discover` in the modern era. */
export function handshake(conversation: Conversation): void {
  const { random, manner } = conversation;
  const capabilities = { tools: { listChanged: true }, resources: {}, prompts: {} };
  const instructions = random.chance(0.5) ? text(random, 80) : undefined;
  if (manner.era === "modern") {
    if (random.chance(0.3)) return;
    const asked = conversation.ask("server/discover", {});
    const serverInfo = { name: "fuzz-server", version: "2" };
    const supported = { protocolVersions: ["2026-07-28"], capabilities };
    conversation.answer(asked, {
      resultType: "complete",
      ...supported,
      instructions,
      _meta: { "io.modelcontextprotocol/serverInfo": serverInfo },
    });
    return;
  }
  const asked = conversation.ask("initialize", {
    protocolVersion: random.pick(["2025-03-26", "2025-06-18", "2025-11-25"]),
    capabilities: { sampling: {}, elicitation: {}, roots: { listChanged: true } },
    clientInfo: { name: "fuzz-client", version: "1" },
  });
  conversation.answer(asked, {
    protocolVersion: "2025-06-18",
    capabilities,
    serverInfo: { name: "fuzz-server", version: "1" },
    instructions,
  });
  conversation.notify("client", "notifications/initialized", {});
}

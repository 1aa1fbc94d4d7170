import type { JsonObject } from "#wire/json.ts";

type Message = { readonly id?: number; readonly method: string; readonly params?: JsonObject };
type Lists =
  | { readonly [method: string]: JsonObject }
  | ((method: string, params: JsonObject | undefined) => unknown);

const empty: { readonly [method: string]: JsonObject } = {
  "tools/list": { tools: [] },
  "prompts/list": { prompts: [] },
  "resources/templates/list": { resourceTemplates: [] },
};

export function listingServer(
  lists: Lists,
  capabilities: object = { tools: {}, prompts: {}, resources: {} },
) {
  const shared = { serverInfo: { name: "s", version: "1" }, capabilities };
  const answer = ({ method, params }: Message): unknown => {
    if (method === "initialize") return { ...shared, protocolVersion: "2025-06-18" };
    const complete = { resultType: "complete", ttlMs: 0, cacheScope: "public" };
    if (method === "server/discover") {
      return { ...shared, ...complete, supportedVersions: ["2026-07-28"] };
    }
    const given = typeof lists === "function" ? lists(method, params) : lists[method];
    if (given === undefined) return { ...complete, ...empty[method] };
    return { resultType: "complete", ...given };
  };
  return {
    onmessage: undefined as ((message: unknown) => void) | undefined,
    start: async () => undefined,
    close: async () => undefined,
    async send(message: Message) {
      if (message.id === undefined) return;
      const result = JSON.parse(JSON.stringify(answer(message)));
      this.onmessage?.({ jsonrpc: "2.0", id: message.id, result });
    },
  };
}

import type { Conversation } from "../conversation.ts";
import { draft, RawJson } from "../draft.ts";
import { text } from "../texts.ts";

/** A request of the server, and the client's answer. */
export function serverRequest(conversation: Conversation): void {
  const { random } = conversation;
  const marker = `m${conversation.number()}`;
  const content = { type: "text", text: text(random, 60) };
  const [method, params, result] = random.pick([
    [
      "sampling/createMessage",
      { messages: [{ role: "user", content }], maxTokens: 100 },
      { role: "assistant", content, model: "some-model", stopReason: "endTurn" },
    ],
    ["elicitation/create", { message: "Name?" }, { action: "accept", content: { name: "x" } }],
    ["roots/list", {}, { roots: [{ uri: "file:///" }] }],
    ["ping", {}, {}],
  ] as const);
  // Ids of the server are a space of their own, also where they look like the client's.
  const id = new RawJson(
    String(random.chance(0.5) ? random.between(1, 40) : conversation.number()),
  );
  const request = draft({ jsonrpc: "2.0", id, method, params: { ...params, _meta: { marker } } });
  conversation.say("server", request);
  if (random.chance(0.1)) return;
  conversation.say("client", draft({ jsonrpc: "2.0", id, result }), JSON.stringify(marker));
}

import { type Asked, Conversation } from "../conversation.ts";
import { draft, RawJson } from "../draft.ts";
import { someLength, text } from "../texts.ts";
import { resultOf } from "./content.ts";
import { toolNames } from "./tools.ts";

type Call = Asked & { readonly method: string };

/** Several calls at once; their answers come in any order, late, twice or never. */
export function calls(conversation: Conversation): void {
  const { random } = conversation;
  const open = Array.from({ length: random.between(1, 5) }, () => ask(conversation));
  for (const call of random.shuffled(open)) settle(conversation, call);
}

/** Identical calls, one after the other. */
export function repeats(conversation: Conversation): void {
  const { random } = conversation;
  const params = { name: random.pick(toolNames), arguments: { query: "again", limit: 1 } };
  const other = { name: params.name, arguments: { limit: 1, query: "again" } };
  for (let count = random.between(2, 6); count > 0; count -= 1) {
    const asked = conversation.ask("tools/call", random.chance(0.3) ? other : params);
    conversation.answer(asked, resultOf("tools/call", random));
  }
}

/** Calls in one batch, as revision 2025-03-26 allows, and their answers in one or several lines. */
export function batch(conversation: Conversation): void {
  const { random } = conversation;
  const asked = Array.from({ length: random.between(1, 4) }, (): Asked => {
    const marker = `m${conversation.number()}`;
    return { rawId: String(conversation.number()), marker: JSON.stringify(marker) };
  });
  const requests = asked.map(({ rawId, marker }) => {
    const params = { ...callParams(conversation), _meta: { marker: JSON.parse(marker) } };
    return draft({ jsonrpc: "2.0", id: new RawJson(rawId), method: "tools/call", params });
  });
  const ping = draft({ jsonrpc: "2.0", method: "notifications/ping", params: {} });
  conversation.sayTogether("client", random.chance(0.3) ? [...requests, ping] : requests);
  if (random.chance(0.5)) {
    for (const one of asked) conversation.answer(one, resultOf("tools/call", random));
    return;
  }
  // Every request of the batch must have arrived, or the answer would be one to a refused request.
  const answers = asked.map(({ rawId }) => {
    const result = resultOf("tools/call", random);
    return draft({ jsonrpc: "2.0", id: new RawJson(rawId), result });
  });
  conversation.sayTogether("server", answers, asked[0]?.marker);
}

function ask(conversation: Conversation): Call {
  const { random } = conversation;
  const method = random.weighted([
    [8, "tools/call"],
    [1, "resources/read"],
    [1, "prompts/get"],
  ]);
  const params =
    method === "resources/read" ? { uri: `file:///${text(random, 12)}` } : callParams(conversation);
  return { ...conversation.ask(method, params), method };
}

/** `params` of a call of a tool, or of a prompt. */
export function callParams({ random }: Conversation): Readonly<Record<string, unknown>> {
  const query = text(random, random.chance(0.9) ? random.between(0, 60) : someLength(random));
  const name = random.chance(0.97) ? random.pick(toolNames) : text(random, 15);
  return random.chance(0.95) ? { name, arguments: { query } } : { name };
}

function settle(conversation: Conversation, call: Call): void {
  const { random } = conversation;
  const answer = (): void => conversation.answer(call, resultOf(call.method, random));
  random.weighted<() => void>([
    [14, answer],
    [2, () => conversation.fail(call, { code: -32_000, message: text(random, 30) })],
    [1, () => conversation.fail(call, { code: -32_602, message: "Unknown tool", data: {} })],
    [1, () => undefined],
    [1, () => [answer(), answer()]],
    [
      1,
      () => {
        conversation.notify("client", "notifications/cancelled", {
          requestId: JSON.parse(call.rawId),
        });
        answer();
      },
    ],
    [
      1,
      () => {
        const progress = { progressToken: call.marker, progress: 0.5 };
        conversation.notify("server", "notifications/progress", progress, call.marker);
        answer();
      },
    ],
  ])();
}

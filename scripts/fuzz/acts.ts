import {
  definition,
  resultOf,
  someLength,
  text,
  type Tool,
  toolNames,
  toolResult,
} from "./contents.ts";
import { type Asked, Conversation } from "./conversation.ts";
import { badByte, bytesOf, draft, RawJson, splitPieces } from "./messages.ts";

type Call = Asked & { readonly method: string };

export function calls(conversation: Conversation): void {
  const { random } = conversation;
  const open = Array.from({ length: random.between(1, 5) }, () => ask(conversation));
  for (const call of random.shuffled(open)) settle(conversation, call);
}

export function repeats(conversation: Conversation): void {
  const { random } = conversation;
  const params = { name: random.pick(toolNames), arguments: { query: "again", limit: 1 } };
  const other = { name: params.name, arguments: { limit: 1, query: "again" } };
  for (let count = random.between(2, 6); count > 0; count -= 1) {
    const asked = conversation.ask("tools/call", random.chance(0.3) ? other : params);
    conversation.answer(asked, resultOf("tools/call", random));
  }
}

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
  // The answer of a batch must not be one to a refused request.
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

export function early(conversation: Conversation): void {
  const { random } = conversation;
  const rawId = String(conversation.number());
  const answer = bytesOf([
    `${JSON.stringify({ jsonrpc: "2.0", id: Number(rawId), result: toolResult(random) })}\n`,
  ]);
  const at = random.chance(0.3) ? answer.length : random.between(1, answer.length - 1);
  conversation.write("server", [{ base64: answer.subarray(0, at).toString("base64") }]);
  conversation.ask("tools/call", callParams(conversation), { rawId });
  if (at === answer.length) return;
  conversation.write("server", [{ base64: answer.subarray(at).toString("base64") }]);
}

export function listing(conversation: Conversation): void {
  const { random } = conversation;
  if (random.chance(0.2)) {
    conversation.notify("server", "notifications/tools/list_changed", {});
  }
  let rest = random.shuffled(toolNames).map((name) => changedAtTimes(conversation, name));
  let cursor: string | undefined;
  for (;;) {
    const page = rest.slice(0, random.between(1, rest.length));
    rest = rest.slice(page.length);
    const next = rest.length === 0 ? undefined : `page-${conversation.number()}`;
    const asked = conversation.ask("tools/list", cursor === undefined ? {} : { cursor }, {
      ...(cursor !== undefined && { needs: JSON.stringify(cursor) }),
    });
    conversation.answer(asked, { tools: page, ...(next !== undefined && { nextCursor: next }) });
    if (next === undefined || random.chance(0.1)) return;
    cursor = next;
  }
}

function changedAtTimes({ random }: Conversation, name: string): Tool {
  const tool = definition(name);
  return random.chance(0.05) ? { ...tool, description: `${tool.description}, and more` } : tool;
}

export function noise(conversation: Conversation): void {
  const { random } = conversation;
  const by = random.pick(["client", "server"] as const);
  random.pick<() => void>([
    () => conversation.answer(conversation.ask("ping", {}), {}),
    () =>
      conversation.notify("server", "notifications/message", {
        level: "info",
        data: text(random, 40),
      }),
    () => conversation.notify("client", "notifications/roots/list_changed", {}),
    () => conversation.write(by, ["\n"]),
    () => conversation.write(by, [" \t\r\n"]),
    () => conversation.write("server", [`listening on ${random.between(1_000, 9_999)}\n`]),
    () => conversation.write(by, splitPieces(`${badByte}${badByte}{"jsonrpc":"2.0"\n`)),
    () => conversation.write(by, ['"2.0"\n', "[]\n", "[1,2]\n", "{}\n", "null\n"]),
    () =>
      conversation.say(
        "server",
        draft({ jsonrpc: "2.0", id: null, error: { code: -32_700, message: "Parse error" } }),
      ),
    () =>
      conversation.say(
        "server",
        draft({ jsonrpc: "2.0", id: "of no request", result: { content: [] } }),
      ),
    () => conversation.notify(by, `notifications/${text(random, 10)}`, { x: 1 }),
    () =>
      conversation.notify("client", "tools/call", {
        name: "alpha",
        arguments: { n: conversation.number() },
      }),
  ])();
}

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

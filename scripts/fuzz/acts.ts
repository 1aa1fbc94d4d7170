import {
  makeDefinition,
  makeResult,
  pickLength,
  text,
  type Tool,
  toolNames,
  makeToolResult,
} from "./contents.ts";
import { type SentRequest, Conversation } from "./conversation.ts";
import { badByte, encodePieces, makeDraft, RawJson, splitPieces } from "./messages.ts";

type Call = SentRequest & { readonly method: string };

export function makeCalls(conversation: Conversation): void {
  const { random } = conversation;
  const open = Array.from({ length: random.between(1, 5) }, () => ask(conversation));
  for (const call of random.shuffle(open)) settle(conversation, call);
}

export function repeatCalls(conversation: Conversation): void {
  const { random } = conversation;
  const params = { name: random.pick(toolNames), arguments: { query: "again", limit: 1 } };
  const reordered = { name: params.name, arguments: { limit: 1, query: "again" } };
  for (let count = random.between(2, 6); count > 0; count -= 1) {
    const request = conversation.ask("tools/call", random.chance(0.3) ? reordered : params);
    conversation.answer(request, makeResult("tools/call", random));
  }
}

export function sendBatch(conversation: Conversation): void {
  const { random } = conversation;
  const sentRequests = Array.from({ length: random.between(1, 4) }, (): SentRequest => {
    const marker = `m${conversation.number()}`;
    return { rawId: String(conversation.number()), marker: JSON.stringify(marker) };
  });
  const requests = sentRequests.map(({ rawId, marker }) => {
    const params = { ...makeCallParams(conversation), _meta: { marker: JSON.parse(marker) } };
    return makeDraft({ jsonrpc: "2.0", id: new RawJson(rawId), method: "tools/call", params });
  });
  const ping = makeDraft({ jsonrpc: "2.0", method: "notifications/ping", params: {} });
  conversation.sayTogether("client", random.chance(0.3) ? [...requests, ping] : requests);
  if (random.chance(0.5)) {
    for (const request of sentRequests)
      conversation.answer(request, makeResult("tools/call", random));
    return;
  }
  // A batch of answers must not contain one to a refused request.
  const answers = sentRequests.map(({ rawId }) => {
    const result = makeResult("tools/call", random);
    return makeDraft({ jsonrpc: "2.0", id: new RawJson(rawId), result });
  });
  conversation.sayTogether("server", answers, sentRequests[0]?.marker);
}

function ask(conversation: Conversation): Call {
  const { random } = conversation;
  const method = random.pickWeighted([
    [8, "tools/call"],
    [1, "resources/read"],
    [1, "prompts/get"],
  ]);
  const params =
    method === "resources/read"
      ? { uri: `file:///${text(random, 12)}` }
      : makeCallParams(conversation);
  return { ...conversation.ask(method, params), method };
}

export function makeCallParams({ random }: Conversation): Readonly<Record<string, unknown>> {
  const query = text(random, random.chance(0.9) ? random.between(0, 60) : pickLength(random));
  const name = random.chance(0.97) ? random.pick(toolNames) : text(random, 15);
  return random.chance(0.95) ? { name, arguments: { query } } : { name };
}

function settle(conversation: Conversation, call: Call): void {
  const { random } = conversation;
  const answer = (): void => conversation.answer(call, makeResult(call.method, random));
  random.pickWeighted<() => void>([
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

export function answerEarly(conversation: Conversation): void {
  const { random } = conversation;
  const rawId = String(conversation.number());
  const answer = encodePieces([
    `${JSON.stringify({ jsonrpc: "2.0", id: Number(rawId), result: makeToolResult(random) })}\n`,
  ]);
  const at = random.chance(0.3) ? answer.length : random.between(1, answer.length - 1);
  conversation.write("server", [{ base64: answer.subarray(0, at).toString("base64") }]);
  conversation.ask("tools/call", makeCallParams(conversation), { rawId });
  if (at === answer.length) return;
  conversation.write("server", [{ base64: answer.subarray(at).toString("base64") }]);
}

export function listTools(conversation: Conversation): void {
  const { random } = conversation;
  if (random.chance(0.2)) {
    conversation.notify("server", "notifications/tools/list_changed", {});
  }
  let rest = random.shuffle(toolNames).map((name) => changeSometimes(conversation, name));
  let cursor: string | undefined;
  for (;;) {
    const page = rest.slice(0, random.between(1, rest.length));
    rest = rest.slice(page.length);
    const next = rest.length === 0 ? undefined : `page-${conversation.number()}`;
    const request = conversation.ask("tools/list", cursor === undefined ? {} : { cursor }, {
      ...(cursor !== undefined && { needs: JSON.stringify(cursor) }),
    });
    conversation.answer(request, { tools: page, ...(next !== undefined && { nextCursor: next }) });
    if (next === undefined || random.chance(0.1)) return;
    cursor = next;
  }
}

function changeSometimes({ random }: Conversation, name: string): Tool {
  const tool = makeDefinition(name);
  return random.chance(0.05) ? { ...tool, description: `${tool.description}, and more` } : tool;
}

export function addNoise(conversation: Conversation): void {
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
        makeDraft({ jsonrpc: "2.0", id: null, error: { code: -32_700, message: "Parse error" } }),
      ),
    () =>
      conversation.say(
        "server",
        makeDraft({ jsonrpc: "2.0", id: "of no request", result: { content: [] } }),
      ),
    () => conversation.notify(by, `notifications/${text(random, 10)}`, { x: 1 }),
    () =>
      conversation.notify("client", "tools/call", {
        name: "alpha",
        arguments: { n: conversation.number() },
      }),
  ])();
}

export function requestFromServer(conversation: Conversation): void {
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
  // The server's ids are independent of the client's, even where they look the same.
  const id = new RawJson(
    String(random.chance(0.5) ? random.between(1, 40) : conversation.number()),
  );
  const request = makeDraft({
    jsonrpc: "2.0",
    id,
    method,
    params: { ...params, _meta: { marker } },
  });
  conversation.say("server", request);
  if (random.chance(0.1)) return;
  conversation.say("client", makeDraft({ jsonrpc: "2.0", id, result }), JSON.stringify(marker));
}

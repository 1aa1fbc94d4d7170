import {
  sendBatch,
  makeCallParams,
  makeCalls,
  answerEarly,
  listTools,
  addNoise,
  repeatCalls,
  requestFromServer,
} from "./acts.ts";
import { text, makeToolResult, Random } from "./contents.ts";
import { Conversation, type Manner } from "./conversation.ts";
import { type Ending, type Script } from "./messages.ts";

export function generateScript(seed: number): Script {
  const random = new Random(seed);
  const conversation = new Conversation(random, pickManner(random));
  shakeHands(conversation);
  for (let scenes = random.between(1, 8); scenes > 0; scenes -= 1) {
    const isSolo = random.chance(0.25);
    const count = isSolo ? 1 : random.between(1, 4);
    const acts = Array.from({ length: count }, () =>
      random.pickWeighted(isSolo ? soloActs : manyActs),
    );
    conversation.together(acts);
  }
  const steps = conversation.take();
  return { seed, steps, ending: pickEnding(random) };
}

function pickManner(random: Random): Manner {
  return {
    era: random.pick(["legacy", "modern"] as const),
    mutationRate: random.pick([0, 0, 0.05, 0.3]),
    cutRate: random.pick([0, 0.1, 0.6]),
  };
}

function pickEnding(random: Random): Ending {
  const code = random.pick([0, 0, 0, 3]);
  return random.pickWeighted<Ending>([
    [12, { kind: "eof", code }],
    [2, { kind: "half-close", code }],
    [3, { kind: "exit", code }],
    [1, { kind: "crash", signal: random.pick(["SIGKILL", "SIGABRT"] as const) }],
    [1, { kind: "term" }],
    [2, { kind: "kill" }],
  ]);
}

type Act = (conversation: Conversation) => void;

const manyActs: readonly (readonly [weight: number, act: Act])[] = [
  [10, makeCalls],
  [3, runTask],
  [3, continueCall],
  [2, requestFromServer],
  [2, addNoise],
  [1, repeatCalls],
  [1, sendBatch],
];

const soloActs: typeof manyActs = [
  [2, listTools],
  [1, answerEarly],
];

function shakeHands(conversation: Conversation): void {
  const { random, manner } = conversation;
  const capabilities = { tools: { listChanged: true }, resources: {}, prompts: {} };
  const instructions = random.chance(0.5) ? text(random, 80) : undefined;
  if (manner.era === "modern") {
    if (random.chance(0.3)) return;
    const request = conversation.ask("server/discover", {});
    const serverInfo = { name: "fuzz-server", version: "2" };
    const supported = { protocolVersions: ["2026-07-28"], capabilities };
    conversation.answer(request, {
      resultType: "complete",
      ...supported,
      instructions,
      _meta: { "io.modelcontextprotocol/serverInfo": serverInfo },
    });
    return;
  }
  const request = conversation.ask("initialize", {
    protocolVersion: random.pick(["2025-03-26", "2025-06-18", "2025-11-25"]),
    capabilities: { sampling: {}, elicitation: {}, roots: { listChanged: true } },
    clientInfo: { name: "fuzz-client", version: "1" },
  });
  conversation.answer(request, {
    protocolVersion: "2025-06-18",
    capabilities,
    serverInfo: { name: "fuzz-server", version: "1" },
    instructions,
  });
  conversation.notify("client", "notifications/initialized", {});
}

function continueCall(conversation: Conversation): void {
  const { random } = conversation;
  const params = makeCallParams(conversation);
  let request = conversation.ask("tools/call", params);
  for (let count = random.between(1, 3); count > 0; count -= 1) {
    const requestState = `state-${conversation.number()}`;
    const inputRequests = {
      answer: random.chance(0.3) ? sampling(conversation) : elicitation(conversation),
    };
    conversation.answer(request, { resultType: "input_required", requestState, inputRequests });
    if (random.chance(0.1)) return;
    const inputResponses = { answer: { action: "accept", content: { text: text(random, 30) } } };
    const needs = JSON.stringify(requestState);
    request = conversation.ask(
      "tools/call",
      { ...params, requestState, inputResponses },
      { needs },
    );
  }
  conversation.answer(request, { resultType: "complete", ...makeToolResult(random) });
}

function sampling({ random }: Conversation): unknown {
  const messages = [{ role: "user", content: { type: "text", text: text(random, 50) } }];
  return { method: "sampling/createMessage", params: { messages, maxTokens: 10 } };
}

function elicitation({ random }: Conversation): unknown {
  const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
  return { method: "elicitation/create", params: { message: text(random, 30), requestedSchema } };
}

function runTask(conversation: Conversation): void {
  if (conversation.manner.era === "legacy") runLegacyTask(conversation);
  else runModernTask(conversation);
}

function runLegacyTask(conversation: Conversation): void {
  const { random } = conversation;
  const taskId = `task-${conversation.number()}`;
  const needs = JSON.stringify(taskId);
  const request = conversation.ask("tools/call", {
    ...makeCallParams(conversation),
    task: { ttl: 60 },
  });
  const state = (status: string): object => ({ taskId, status, createdAt: "2026-01-01T00:00:00Z" });
  conversation.answer(request, { task: state("working") });
  for (let polls = random.between(0, 2); polls > 0; polls -= 1) {
    conversation.answer(conversation.ask("tasks/get", { taskId }, { needs }), state("working"));
  }
  if (random.chance(0.15)) {
    const cancelling = conversation.ask("tasks/cancel", { taskId }, { needs });
    return conversation.answer(cancelling, state("cancelled"));
  }
  if (random.chance(0.3)) {
    const news = { ...state("completed") };
    conversation.notify("server", "notifications/tasks/status", news, request.marker);
  }
  const result = conversation.ask("tasks/result", { taskId }, { needs });
  random.pickWeighted<() => void>([
    [8, () => conversation.answer(result, makeToolResult(random))],
    [1, () => conversation.fail(result, { code: -32_000, message: "It failed" })],
    [1, () => undefined],
  ])();
}

function runModernTask(conversation: Conversation): void {
  const { random } = conversation;
  const taskId = `task-${conversation.number()}`;
  const needs = JSON.stringify(taskId);
  const request = conversation.ask("tools/call", makeCallParams(conversation));
  const working = { taskId, status: "working", ttlMs: 60_000 };
  conversation.answer(request, { resultType: "task", ...working });
  for (let polls = random.between(0, 2); polls > 0; polls -= 1) {
    const poll = conversation.ask("tasks/get", { taskId }, { needs });
    conversation.answer(poll, { resultType: "complete", ...working });
  }
  const failed = { ...working, status: "failed", error: { code: -32_000, message: "It failed" } };
  const completed = { ...working, status: "completed", result: makeToolResult(random) };
  const last = random.chance(0.8) ? completed : failed;
  if (random.chance(0.3)) {
    conversation.notify("server", "notifications/tasks", last, request.marker);
    return;
  }
  const poll = conversation.ask("tasks/get", { taskId }, { needs });
  conversation.answer(poll, { resultType: "complete", ...last });
}

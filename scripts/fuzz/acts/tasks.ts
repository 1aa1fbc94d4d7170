import type { Asked, Conversation } from "../conversation.ts";
import { callParams } from "./calls.ts";
import { toolResult } from "./content.ts";

/** A call that the server answers with a task, and the task to its end. */
export function task(conversation: Conversation): void {
  if (conversation.manner.era === "legacy") legacyTask(conversation);
  else modernTask(conversation);
}

/** Revision 2025-11-25: a handle, polls, and `tasks/result`. */
function legacyTask(conversation: Conversation): void {
  const { random } = conversation;
  const taskId = `task-${conversation.number()}`;
  const needs = JSON.stringify(taskId);
  const asked = conversation.ask("tools/call", { ...callParams(conversation), task: { ttl: 60 } });
  const state = (status: string): object => ({ taskId, status, createdAt: "2026-01-01T00:00:00Z" });
  conversation.answer(asked, { task: state("working") });
  for (let polls = random.between(0, 2); polls > 0; polls -= 1) {
    conversation.answer(conversation.ask("tasks/get", { taskId }, { needs }), state("working"));
  }
  if (random.chance(0.15)) return cancelTask(conversation, taskId, state("cancelled"));
  if (random.chance(0.3)) {
    conversation.notify(
      "server",
      "notifications/tasks/status",
      { ...state("completed") },
      asked.marker,
    );
  }
  const result = conversation.ask("tasks/result", { taskId }, { needs });
  endTask(conversation, result);
}

function endTask(conversation: Conversation, result: Asked): void {
  const { random } = conversation;
  random.weighted<() => void>([
    [8, () => conversation.answer(result, toolResult(random))],
    [1, () => conversation.fail(result, { code: -32_000, message: "It failed" })],
    [1, () => undefined],
  ])();
}

function cancelTask(conversation: Conversation, taskId: string, state: object): void {
  const needs = JSON.stringify(taskId);
  conversation.answer(conversation.ask("tasks/cancel", { taskId }, { needs }), state);
}

/** Revision 2026-07-28: the result is part of the state, in a poll or in a notification. */
function modernTask(conversation: Conversation): void {
  const { random } = conversation;
  const taskId = `task-${conversation.number()}`;
  const needs = JSON.stringify(taskId);
  const asked = conversation.ask("tools/call", callParams(conversation));
  const working = { taskId, status: "working", ttlMs: 60_000 };
  conversation.answer(asked, { resultType: "task", ...working });
  for (let polls = random.between(0, 2); polls > 0; polls -= 1) {
    const poll = conversation.ask("tasks/get", { taskId }, { needs });
    conversation.answer(poll, { resultType: "complete", ...working });
  }
  const failed = { ...working, status: "failed", error: { code: -32_000, message: "It failed" } };
  const completed = { ...working, status: "completed", result: toolResult(random) };
  const last = random.chance(0.8) ? completed : failed;
  if (random.chance(0.3)) {
    conversation.notify("server", "notifications/tasks", last, asked.marker);
    return;
  }
  const poll = conversation.ask("tasks/get", { taskId }, { needs });
  conversation.answer(poll, { resultType: "complete", ...last });
}

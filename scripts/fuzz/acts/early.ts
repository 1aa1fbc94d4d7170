import type { Conversation } from "../conversation.ts";
import { bytesOf } from "../script.ts";
import { callParams } from "./calls.ts";
import { toolResult } from "./content.ts";

/** An answer that begins before its request, or comes before it as a whole. */
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

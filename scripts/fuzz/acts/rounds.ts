import type { Conversation } from "../conversation.ts";
import { text } from "../texts.ts";
import { callParams } from "./calls.ts";
import { toolResult } from "./content.ts";

/** A call of the modern era that needs input of the client, once or several times. */
export function rounds(conversation: Conversation): void {
  const { random } = conversation;
  const params = callParams(conversation);
  let asked = conversation.ask("tools/call", params);
  for (let count = random.between(1, 3); count > 0; count -= 1) {
    const requestState = `state-${conversation.number()}`;
    const inputRequests = {
      answer: random.chance(0.3) ? sampling(conversation) : elicitation(conversation),
    };
    conversation.answer(asked, { resultType: "input_required", requestState, inputRequests });
    if (random.chance(0.1)) return;
    const inputResponses = { answer: { action: "accept", content: { text: text(random, 30) } } };
    const needs = JSON.stringify(requestState);
    asked = conversation.ask("tools/call", { ...params, requestState, inputResponses }, { needs });
  }
  conversation.answer(asked, { resultType: "complete", ...toolResult(random) });
}

function sampling({ random }: Conversation): unknown {
  const messages = [{ role: "user", content: { type: "text", text: text(random, 50) } }];
  return { method: "sampling/createMessage", params: { messages, maxTokens: 10 } };
}

function elicitation({ random }: Conversation): unknown {
  const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
  return { method: "elicitation/create", params: { message: text(random, 30), requestedSchema } };
}

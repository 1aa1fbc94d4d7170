import type { Conversation } from "../conversation.ts";
import { definition, type Tool, toolNames } from "./tools.ts";

/** The client lists the tools, page by page; at times the server then changes them. */
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

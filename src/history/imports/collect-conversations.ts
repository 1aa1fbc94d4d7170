import type { ConversationEvent, LogEvent } from "./log-event.ts";

export type LoggedConversation = {
  readonly id: string;
  session: string;
  role: "main" | "subagent" | "fork";
  parent: string | null;
  clientVersion: string | null;
  project: string | null;
  projectName: string | null;
  isApproximate: boolean;
  isChild: boolean;
  beganAt: number | null;
};

export function collectConversations(
  files: readonly (readonly LogEvent[])[],
): Map<string, LoggedConversation> {
  const conversations = new Map<string, LoggedConversation>();
  for (const events of files) {
    for (const event of events) {
      const conversation =
        conversations.get(event.conversation) ?? makeConversation(event.conversation);
      conversations.set(event.conversation, conversation);
      if (event.at !== null && event.at < (conversation.beganAt ?? Infinity)) {
        conversation.beganAt = event.at;
      }
      if (event.kind === "conversation") updateConversation(conversation, event);
    }
  }
  return conversations;
}

function makeConversation(id: string): LoggedConversation {
  return {
    id,
    session: id,
    role: "main",
    parent: null,
    clientVersion: null,
    project: null,
    projectName: null,
    isApproximate: false,
    isChild: false,
    beganAt: null,
  };
}

function updateConversation(conversation: LoggedConversation, event: ConversationEvent): void {
  conversation.session = event.session;
  if (event.role !== null) conversation.role = event.role;
  conversation.isChild ||= event.role !== null && event.role !== "main";
  conversation.parent ??= event.parent;
  conversation.clientVersion ??= event.clientVersion;
  conversation.project ??= event.project;
  conversation.projectName ??= event.projectName ?? null;
  conversation.isApproximate ||= event.isApproximate === true;
}

import type { ReaderTools } from "#imports/importer.ts";
import type { ConversationEvent } from "#imports/log-event.ts";
import { type JsonObject, memberAt, textAt } from "#wire/json.ts";
import { idAt, projectFacts } from "../log-fields.ts";

export function threadFacts(
  meta: JsonObject,
  thread: string,
  tools: ReaderTools,
): Omit<ConversationEvent, "kind" | "at"> {
  const conversation = idAt(tools, meta, "id") ?? thread;
  const spawned = memberAt(meta, "source", "subagent", "thread_spawn");
  const parent = idAt(tools, meta, "parent_thread_id") ?? idAt(tools, spawned, "parent_thread_id");
  const origin = idAt(tools, meta, "forked_from_id");
  const isSubagent = parent !== null || memberAt(meta, "source", "subagent") !== undefined;
  return {
    conversation,
    session: idAt(tools, meta, "session_id") ?? conversation,
    role: isSubagent ? "subagent" : origin === null ? null : "fork",
    parent: parent ?? origin,
    clientVersion: idAt(tools, meta, "cli_version"),
    ...projectFacts(textAt(meta, "cwd"), tools),
  };
}

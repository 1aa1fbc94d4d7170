import type { ReaderTools } from "#imports/importer.ts";
import type { ConversationEvent } from "#imports/log-event.ts";
import { type JsonObject, textAt } from "#wire/json.ts";
import { idAt } from "../log-fields.ts";

/** A session with a parent is a sub-agent's; a fork has none. */
export function sessionEvent(row: JsonObject, tools: ReaderTools): ConversationEvent {
  const id = idAt(tools, row, "id") ?? "";
  const parent = idAt(tools, row, "parent_id");
  const folder = textAt(row, "directory");
  return {
    kind: "conversation",
    at: null,
    conversation: id,
    session: id,
    role: parent === null ? null : "subagent",
    parent,
    clientVersion: idAt(tools, row, "version"),
    project: folder === undefined ? null : tools.projectHash(folder),
  };
}

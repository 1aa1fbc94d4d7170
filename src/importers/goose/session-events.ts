import type { ReaderTools } from "#imports/importer.ts";
import type { LogEvent } from "#imports/log-event.ts";
import { isNoUsage, type LoggedUsage, tokensFrom } from "#imports/logged-usage.ts";
import { type JsonObject, textAt } from "#wire/json.ts";
import { idAt, parsedText, timeFrom } from "../log-fields.ts";

/** All that Goose keeps of a session's bill. */
export function sessionEvents(
  row: JsonObject,
  id: string,
  tools: ReaderTools,
): { readonly model: string | null; readonly events: readonly LogEvent[] } {
  const parent = idAt(tools, row, "parent_session_id");
  const folder = textAt(row, "working_dir");
  const model = idAt(tools, parsedText(textAt(row, "model_config_json")), "model_name");
  const at = utcFrom(row["updated_at"]);
  const described: LogEvent = {
    kind: "conversation",
    at: utcFrom(row["created_at"]),
    conversation: id,
    session: id,
    role: parent === null ? null : "subagent",
    parent,
    clientVersion: null,
    project: folder === undefined ? null : tools.projectHash(folder),
  };
  const usage = usageOf(row);
  if (isNoUsage(usage)) return { model, events: [described] };
  const models = [{ model: model ?? "unknown", usage }];
  return { model, events: [described, { kind: "session_total", at, conversation: id, models }] };
}

function usageOf(row: JsonObject): LoggedUsage {
  const cacheRead = tokensFrom(row["accumulated_cache_read_tokens"]);
  const cacheWrite5m = tokensFrom(row["accumulated_cache_write_tokens"]);
  const input = tokensFrom(row["accumulated_input_tokens"]);
  return {
    uncached: Math.max(0, input - cacheRead - cacheWrite5m),
    cacheRead,
    cacheWrite5m,
    cacheWrite1h: 0,
    output: tokensFrom(row["accumulated_output_tokens"]),
    reasoning: 0,
  };
}

/** SQLite writes times in UTC without saying so. */
function utcFrom(value: unknown): number | null {
  if (typeof value !== "string") return null;
  const isPlain = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?$/.test(value);
  return timeFrom(isPlain ? `${value.replace(" ", "T")}Z` : value);
}

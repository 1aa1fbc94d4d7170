import type { ReaderTools } from "#imports/importer.ts";
import type { RequestEvent } from "#imports/log-event.ts";
import { type JsonObject, memberAt } from "#wire/json.ts";
import { costFrom, idAt, timeFrom } from "../log-fields.ts";
import { loggedTokens } from "./logged-tokens.ts";

/**
 * Its tokens are those of its last step, so they count only if no step was logged. A fork copies a message under
 * another id, with the same times and tokens.
 */
export function messageEvent(
  data: JsonObject,
  { id, session }: { readonly id: string; readonly session: string },
  tools: ReaderTools,
): RequestEvent | undefined {
  const logged = loggedTokens(data["tokens"]);
  if (!logged) return undefined;
  const created = timeFrom(memberAt(data, "time", "created"));
  const completed = timeFrom(memberAt(data, "time", "completed"));
  const isCopyable = created !== null && completed !== null;
  const nativeCost = costFrom(data["cost"]);
  return {
    kind: "request",
    at: created,
    conversation: session,
    keys: {
      message: id,
      request: null,
      line: null,
      ...(isCopyable && {
        copy: [created, completed, ...Object.values(logged.usage)].join(" "),
      }),
    },
    isSideChain: false,
    model: idAt(tools, data, "modelID"),
    usage: logged.usage,
    merge: "fallback",
    ...(nativeCost === undefined ? {} : { nativeCost }),
  };
}

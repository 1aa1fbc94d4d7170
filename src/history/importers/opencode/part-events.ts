import type { ReaderTools } from "../../imports/importer.ts";
import type {
  LogEvent,
  LoggedOutcome,
  RequestEvent,
  ToolResultEvent,
} from "../../imports/log-event.ts";
import { arrayAt, isObject, type JsonObject, memberAt, textAt } from "#wire/json.ts";
import { argumentFacts, costFrom, idAt, textFacts, timeFrom } from "../log-fields.ts";
import type { CallIds } from "./call-ids.ts";
import { loggedTokens } from "./logged-tokens.ts";

export type PartFacts = {
  readonly id: string;
  readonly session: string;
  readonly message: string;
  readonly model: string | null;
  readonly callId: CallIds;
};

const otherParts = new Set([
  "text",
  "reasoning",
  "file",
  "step-start",
  "snapshot",
  "patch",
  "agent",
  "retry",
  "subtask",
]);

export function partEvents(
  data: JsonObject,
  facts: PartFacts,
  tools: ReaderTools,
): readonly LogEvent[] {
  const type = textAt(data, "type") ?? "";
  if (type === "tool") return toolEvents(data, facts, tools);
  if (type === "step-finish") return stepEvents(data, facts);
  if (type === "compaction") {
    const { id: line, session: conversation } = facts;
    return [{ kind: "boundary", at: null, conversation, why: "compaction", line }];
  }
  if (!otherParts.has(type)) tools.countUnknown();
  return [];
}

/** Time and model come from the message. */
function stepEvents(data: JsonObject, facts: PartFacts): readonly LogEvent[] {
  const logged = loggedTokens(data["tokens"]);
  if (!logged) return [];
  const nativeCost = costFrom(data["cost"]);
  const request: RequestEvent = {
    kind: "request",
    at: null,
    conversation: facts.session,
    keys: { message: facts.message, request: facts.id, line: null },
    isSideChain: false,
    model: facts.model,
    usage: logged.usage,
    merge: "first",
    ...(nativeCost === undefined ? {} : { nativeCost }),
  };
  return logged.isApproximate ? [request, approximate(facts.session)] : [request];
}

function approximate(conversation: string): LogEvent {
  return {
    kind: "conversation",
    at: null,
    conversation,
    session: conversation,
    role: null,
    parent: null,
    clientVersion: null,
    project: null,
    isApproximate: true,
  };
}

function toolEvents(
  data: JsonObject,
  { session: conversation, message, model, callId }: PartFacts,
  tools: ReaderTools,
): readonly LogEvent[] {
  const own = idAt(tools, data, "callID");
  const joined = idAt(tools, data, "tool");
  const { state } = data;
  if (own === null || joined === null || !isObject(state)) return [];
  const at = timeFrom(memberAt(state, "time", "start"));
  const id = callId(own, at);
  const use: LogEvent = {
    kind: "tool_use",
    at,
    conversation,
    id,
    name: { joined, form: "bare" },
    method: "tools/call",
    ...argumentFacts(state["input"], tools, model),
    model,
    isSideChain: false,
    message,
  };
  const result = resultOf(state, { at, conversation, id, model }, tools);
  return result ? [use, result] : [use];
}

const outcomes: ReadonlyMap<string, LoggedOutcome> = new Map([
  ["completed", "ok"],
  ["error", "tool_error"],
]);

/** The time between start and end includes the user's permission. */
function resultOf(
  state: JsonObject,
  {
    model,
    ...facts
  }: Pick<ToolResultEvent, "at" | "conversation" | "id"> & { readonly model: string | null },
  tools: ReaderTools,
): ToolResultEvent | undefined {
  const outcome = outcomes.get(textAt(state, "status") ?? "");
  if (outcome === undefined) return undefined;
  const text = textAt(state, outcome === "ok" ? "output" : "error") ?? "";
  const attachments = arrayAt(state, "attachments");
  return {
    kind: "tool_result",
    ...facts,
    at: timeFrom(memberAt(state, "time", "end")) ?? facts.at,
    outcome,
    visible: "as_logged",
    ...textFacts([text], model, tools),
    images: attachments.filter((one) => textAt(one, "mime")?.startsWith("image/") === true).length,
    durationMs: null,
  };
}

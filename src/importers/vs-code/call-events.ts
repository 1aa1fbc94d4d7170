import type { ReaderTools } from "#imports/importer.ts";
import type { LogEvent, ToolResultEvent } from "#imports/log-event.ts";
import { arrayAt, memberAt, textAt } from "#wire/json.ts";
import { argumentFacts, idAt, textFacts } from "../log-fields.ts";

type AskingFacts = {
  readonly at: number | null;
  readonly conversation: string;
  readonly message: string;
  readonly model: string | null;
};

export function callEvents(
  call: unknown,
  results: unknown,
  { at, conversation, message, model }: AskingFacts,
  tools: ReaderTools,
): readonly LogEvent[] {
  const own = idAt(tools, call, "id");
  const joined = idAt(tools, call, "name");
  if (own === null || joined?.startsWith("mcp_") !== true) return [];
  // Some models number the calls of each session.
  const id = `${conversation}/${own}`;
  const use: LogEvent = {
    kind: "tool_use",
    at,
    conversation,
    id,
    name: { joined, form: "single" },
    method: "tools/call",
    ...argumentFacts(memberAt(call, "arguments"), tools, model),
    model,
    isSideChain: false,
    message,
  };
  const result = memberAt(results, own);
  if (result === undefined) return [use];
  const answer = answerOf(arrayAt(result, "content"), model, tools);
  return [
    use,
    {
      kind: "tool_result",
      at,
      conversation,
      id,
      outcome: "ok",
      ...answer,
      images: 0,
      durationMs: null,
    },
  ];
}

function answerOf(
  parts: readonly unknown[],
  model: string | null,
  tools: ReaderTools,
): Pick<ToolResultEvent, "visible" | "bytes" | "tokens"> {
  const texts = parts.flatMap((part) => textAt(part, "value") ?? []);
  if (texts.length < parts.length) return { visible: "unknown", bytes: null, tokens: null };
  return { visible: "as_logged", ...textFacts(texts, model, tools) };
}

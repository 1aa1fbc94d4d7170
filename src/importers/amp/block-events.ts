import type { ReaderTools } from "#imports/importer.ts";
import type { LogEvent, LoggedOutcome, ToolResultEvent } from "#imports/log-event.ts";
import { compactJson, memberAt, textAt } from "#wire/json.ts";
import { argumentFacts, idAt, textFacts } from "../log-fields.ts";

export type BlockFacts = {
  readonly at: number | null;
  readonly conversation: string;
  readonly type: string;
  readonly model: string | null;
  readonly key: string | null;
};

const outcomes: ReadonlyMap<string, LoggedOutcome> = new Map([
  ["done", "ok"],
  ["error", "tool_error"],
  ["cancelled", "cancelled"],
  ["rejected-by-user", "denied"],
]);

export function blockEvents(
  block: unknown,
  { at, conversation, type, model, key }: BlockFacts,
  tools: ReaderTools,
): readonly LogEvent[] {
  if (type === "tool_use") {
    const own = idAt(tools, block, "id");
    const joined = idAt(tools, block, "name");
    if (own === null || joined?.startsWith("mcp__") !== true) return [];
    return [
      {
        kind: "tool_use",
        at,
        conversation,
        id: own,
        name: { joined, form: "double" },
        method: "tools/call",
        ...argumentFacts(memberAt(block, "input"), tools, model),
        model,
        isSideChain: false,
        message: key,
      },
    ];
  }
  const id = type === "tool_result" ? idAt(tools, block, "toolUseID") : null;
  const outcome = outcomes.get(textAt(block, "run", "status") ?? "");
  if (id === null || outcome === undefined) return [];
  return [resultOf(block, { at, conversation, id, outcome, model }, tools)];
}

function resultOf(
  block: unknown,
  {
    model,
    ...facts
  }: Pick<ToolResultEvent, "at" | "conversation" | "id" | "outcome"> & {
    readonly model: string | null;
  },
  tools: ReaderTools,
): ToolResultEvent {
  const shown = memberAt(block, "run", "result") ?? textAt(block, "run", "error", "message");
  const parts: readonly unknown[] = Array.isArray(shown) ? shown : [shown];
  const images = parts.filter((part) => textAt(part, "type") === "image");
  const texts = parts.filter((part) => !images.includes(part)).map(textOf);
  return {
    kind: "tool_result",
    ...facts,
    visible: shown === undefined ? "none" : "as_logged",
    ...(shown === undefined ? { bytes: null, tokens: null } : textFacts(texts, model, tools)),
    images: images.length,
    durationMs: null,
  };
}

function textOf(part: unknown): string {
  if (typeof part === "string") return part;
  return textAt(part, "text") ?? compactJson(part);
}

import { at, listAt, parseLeniently, textAt } from "./reading.ts";

/** A line that mcp-meter wrote in place of an answer, or the answer to a request that it kept back. */
export type OwnLine = {
  /** `unrun`: the request was kept back; `withheld`: the answer was; `cut`: the answer was shortened. */
  readonly kind: "unrun" | "withheld" | "cut";
  /** Text of the id; undefined in a notification. */
  readonly rawId: string | undefined;
};

const unrunReasons: ReadonlySet<unknown> = new Set([
  "arguments_over_budget",
  "budget_spent",
  "repeated_call",
  "counters_unreachable",
  "definition_changed",
  "tool_not_locked",
  "definition_not_seen",
]);

/** The line as one of mcp-meter's own; undefined for a line of the server. The fake server never imitates one. */
export function ownLine(line: Uint8Array): OwnLine | undefined {
  const text = Buffer.from(line).toString();
  if (!text.includes("mcp-meter")) return undefined;
  const kind = kindOf(parseLeniently(text));
  return (
    kind && { kind, rawId: /^\{"jsonrpc":"2\.0","id":(.*?),"(?:result|error)":/s.exec(text)?.[1] }
  );
}

function kindOf(value: unknown): OwnLine["kind"] | undefined {
  for (const result of [
    at(value, "result"),
    at(value, "result", "result"),
    at(value, "params", "result"),
  ]) {
    const first = textAt(listAt(result, "content")[0], "text");
    if (first?.startsWith("mcp-meter: ") === true) {
      return first.includes(" was not run. ") ? "unrun" : "withheld";
    }
    const last = textAt(listAt(result, "content").at(-1), "text");
    if (/^\[mcp-meter: (?:cut after|shown without) /.test(last ?? "")) return "cut";
  }
  for (const error of [at(value, "error"), at(value, "params", "error")]) {
    if (at(error, "data", "source") !== "mcp-meter") continue;
    return unrunReasons.has(at(error, "data", "reason")) ? "unrun" : "withheld";
  }
  return undefined;
}

import { memberAt } from "#wire/json.ts";
import type { Cause, Entry } from "./entry.ts";

/** JSON-RPC's own errors: parse error, invalid request, method not found, invalid params. */
const neverRunCodes: ReadonlySet<unknown> = new Set([-32_700, -32_600, -32_601, -32_602]);

/** The part of an entry that its consequences depend on. */
export function toCause(entry: Entry): Cause {
  if (entry.kind !== "call") return { kind: entry.kind };
  const didRun = !neverRunCodes.has(memberAt(entry.closing.error, "code"));
  return { kind: "call", call: entry.call, didRun };
}

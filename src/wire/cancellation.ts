import { memberAt } from "./json.ts";
import type { Id } from "./message.ts";

export function cancelledId(params: unknown): Id | undefined {
  const value = memberAt(params, "requestId");
  return typeof value === "string" || typeof value === "number" ? { value } : undefined;
}

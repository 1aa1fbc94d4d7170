import { noCaller } from "#cost/caller.ts";
import type { Side } from "#wire/side.ts";
import type { Arrival } from "./arrival.ts";
import { Call } from "./call.ts";
import type { TaskOwner } from "./tasks.ts";

type Bringing = {
  readonly recordedMethod?: string | undefined;
  readonly from: Side;
  readonly poll: Call | undefined;
  readonly arrival: Arrival;
};

/**
 * A result of a task that no call waits for, as a call of its own, because a model may read it once more. Its
 * tool is null where the `owner` of the task is not certain.
 */
export function redelivery(
  owner: TaskOwner | undefined,
  { from, poll, arrival, recordedMethod }: Bringing,
): Call {
  const method = owner?.method ?? (from === "client" ? "tools/call" : "sampling/createMessage");
  const asked = {
    isPriced: true,
    tool: owner?.tool ?? null,
    input: [],
    arguments: undefined,
    caller: noCaller,
  };
  const origin = { from, size: poll?.readChunks ?? 0, atMs: poll?.startedMs ?? arrival.atMs };
  const named = { method, recordedMethod };
  const request = { id: poll?.id, ...named, truncated: false, isRedelivery: true };
  return new Call(owner ? { ...request, tally: owner.tally } : request, asked, origin);
}

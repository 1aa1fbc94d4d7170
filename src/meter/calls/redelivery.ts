import { noCaller } from "#tokens/cost/caller.ts";
import type { Side } from "#wire/side.ts";
import type { Arrival } from "./arrival.ts";
import { Call } from "./call.ts";
import { inNotification } from "./carrier.ts";
import { answeredWith } from "./endings.ts";
import type { TaskOwner } from "./tasks.ts";
import type { Closed } from "./transition.ts";

type Bringing = {
  readonly recordedMethod?: string | undefined;
  readonly from: Side;
  readonly poll: Call | undefined;
  readonly arrival: Arrival;
};

/** A result that no call waits for, as a call of its own: a model may read it once more. Its tool is null where the `owner` of the task is not certain. */
export function redelivery(
  owner: TaskOwner | undefined,
  { from, poll, arrival, recordedMethod }: Bringing,
): Call {
  const method = owner?.method ?? (from === "client" ? "tools/call" : "sampling/createMessage");
  const asked = { ...noQuestion, tool: owner?.tool ?? null };
  const origin = poll
    ? { from, size: poll.readChunks, atMs: poll.startedMs }
    : { from, size: 0, atMs: arrival.atMs };
  const named = { method, recordedMethod };
  const request = { id: poll?.id, ...named, truncated: false, isRedelivery: true };
  const call = new Call(owner ? { ...request, tally: owner.tally } : request, asked, origin);
  call.isForPage = owner?.isForPage === true;
  return call;
}

const noQuestion = {
  isPriced: true,
  tool: null,
  input: [],
  arguments: undefined,
  caller: noCaller,
};

/** A text that the server pushes to the model: an answer without a request. */
export function pushed(method: string, params: unknown, arrival: Arrival): Closed {
  const request = { method, truncated: false, isRedelivery: true };
  const call = new Call(request, noQuestion, { ...arrival, from: "client", size: 0 });
  call.outputBytes = arrival.size;
  call.truncated = params === undefined;
  const content = params === undefined ? {} : { result: params };
  return answeredWith(call, content, arrival, inNotification(method, {}));
}

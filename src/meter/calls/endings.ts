import type { Outcome } from "#records/record.ts";
import { type Arrival, type Carrier, inNotification, type Origin } from "./arrival.ts";
import { Call, outcomeOfResult, type Closing } from "./call.ts";
import type { Closed } from "./transition.ts";
import { noCaller } from "#tokens/cost/caller.ts";
import type { Side } from "#wire/message.ts";
import type { TaskOwner } from "./tasks.ts";
import { describeRequest, isPriced, describeError, describeResult } from "#tokens/cost/methods.ts";
import { isObject, memberAt, textAt } from "#wire/json.ts";
import type { Reading } from "#tokens/cost/reading.ts";
import { ceilingOf, type Visibility } from "#tokens/cost/visibility.ts";

export function ended(call: Call, outcome: Outcome, atMs: number): Closed {
  return { kind: "closed", call, closing: { outcome, endedMs: atMs } };
}

export function given(call: Call | undefined, atMs: number): readonly Closed[] {
  return call ? [ended(call, "abandoned", atMs)] : [];
}

export type AnswerContent = { readonly result?: unknown; readonly error?: unknown };

export function answeredWith(
  call: Call,
  content: AnswerContent,
  arrival: Arrival,
  carrier?: Carrier,
): Closed {
  const { result, error } = content;
  const isError = "result" in content ? false : error !== undefined;
  const outcome = isError ? "rpc_error" : outcomeOfResult(call.method, result);
  const ending = { outcome, endedMs: arrival.atMs };
  const closing = closingOf(content, ending);
  return carrier
    ? { kind: "closed", call, closing, answer: { arrival, carrier } }
    : { kind: "closed", call, closing };
}

function closingOf(
  content: AnswerContent,
  { outcome, endedMs }: Pick<Closing, "outcome" | "endedMs">,
): Closing {
  const { result, error } = content;
  if (!("result" in content)) return { error, outcome, endedMs };
  return error === undefined ? { result, outcome, endedMs } : { result, error, outcome, endedMs };
}

export const answeredInside =
  (atMs: number) =>
  ({ call, result }: InnerAnswer): Closed => ({
    kind: "closed",
    call,
    closing: { outcome: "ok", result, endedMs: atMs },
  });

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

export type InnerAnswer = { readonly call: Call; readonly result: unknown };

export function entriesOf(rawEntries: unknown): [key: string, entry: unknown][] {
  return isObject(rawEntries) ? Object.entries(rawEntries) : [];
}

/** A priced request inside a message; elicitation and roots ask a person or the client, not a model. */
export function requestInside(entry: unknown, origin: Origin): Call | undefined {
  const method = textAt(entry, "method") ?? "";
  if (!isPriced(method)) return undefined;
  const asked = describeRequest(method, memberAt(entry, "params"));
  return new Call({ method, truncated: false }, asked, origin);
}

const nothing: Visibility = { visible: [], wire: [], duplicate: [] };

/** None where nothing was parsed. Clients differ in which half of an answer with both a result and an error they read: it counts as the dearer. */
export function visibilityOfAnswer(
  method: string,
  { result, error }: Pick<Closing, "result" | "error">,
  reading: Reading,
): Visibility {
  const ofError = error === undefined ? undefined : describeError(method, error, reading);
  if (result === undefined) return ofError ?? nothing;
  const ofResult = describeResult(method, result, reading);
  if (!ofError) return ofResult;
  const tokens = ({ most, visible }: Visibility): number =>
    reading.count(most ?? visible, Infinity);
  const dearer = tokens(ofError) > tokens(ofResult) ? ofError : ofResult;
  if (!ofResult.ceiling) return dearer;
  return { ...dearer, ceiling: () => [...ceilingOf(ofResult), ...ceilingOf(ofError)] };
}

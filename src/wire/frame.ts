import { isAcceptedEverywhere } from "./answer-form.ts";
import { isObject } from "./json.ts";
import type { Id } from "./message.ts";
import { findMember, type Skim, skimmedText } from "./skim.ts";

export type Frame = {
  readonly version: unknown;
  readonly id: Id | undefined;
  readonly hasId: boolean;
  readonly isIdInvalid: boolean;
  readonly method: unknown;
  readonly params: unknown;
  readonly hasResult: boolean;
  readonly result: unknown;
  readonly hasError: boolean;
  readonly error: unknown;
  readonly truncated: boolean;
  /** False when an SDK client may reject an answer of this form. */
  readonly isAcceptedEverywhere: boolean;
};

/** The frame of a parsed message; undefined when it is not an object. `skim` provides the text of an id that is not a safe integer. */
export function parsedFrame(value: unknown, skim?: () => Skim): Frame | undefined {
  if (!isObject(value)) return undefined;
  const { id: rawId } = value;
  const id = parseId(rawId, skim);
  return {
    version: value["jsonrpc"],
    id,
    hasId: "id" in value,
    isIdInvalid: id === undefined && rawId !== undefined && rawId !== null,
    method: value["method"],
    params: value["params"],
    hasResult: "result" in value,
    result: value["result"],
    hasError: "error" in value,
    error: value["error"],
    truncated: false,
    isAcceptedEverywhere: isAcceptedEverywhere(value),
  };
}

/** The frame of a message that was skimmed; undefined when its structure is not one whole object. */
export function skimmedFrame(skim: Skim): Frame | undefined {
  if (skim.shape !== "object" || !skim.closed) return undefined;
  const parse = (key: string): unknown => parseOrUndefined(findMember(skim, key)?.text);
  const rawId = findMember(skim, "id");
  const id = parseId(parse("id"), () => skim);
  return {
    version: parse("jsonrpc"),
    id,
    hasId: rawId !== undefined,
    isIdInvalid: id === undefined && rawId !== undefined && rawId.text !== "null",
    method: parse("method"),
    params: skimmedParams(skim),
    hasResult: findMember(skim, "result") !== undefined,
    result: undefined,
    hasError: findMember(skim, "error") !== undefined,
    error: undefined,
    truncated: true,
    isAcceptedEverywhere: false,
  };
}

function skimmedParams(skim: Skim): unknown {
  const taskId = skimmedText(skim, "taskId");
  const requestState = skimmedText(skim, "requestState");
  if (taskId === undefined && requestState === undefined) return undefined;
  return { taskId, requestState };
}

function parseId(rawId: unknown, skim: (() => Skim) | undefined): Id | undefined {
  if (typeof rawId === "string") return { value: rawId };
  if (typeof rawId !== "number") return undefined;
  if (Number.isSafeInteger(rawId) || !skim) return { value: rawId };
  const raw = findMember(skim(), "id")?.text;
  return raw === undefined ? { value: rawId } : { value: rawId, raw };
}

function parseOrUndefined(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

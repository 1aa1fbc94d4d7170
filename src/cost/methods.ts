import { nameCharactersMax } from "#limits/lines.ts";
import { canonicalJson } from "#wire/canonical.ts";
import { arrayAt, compactJson, isObject, memberAt, textAt } from "#wire/json.ts";
import { withoutMeta } from "#wire/meta.ts";
import { type Caller, callerOf, noCaller } from "./caller.ts";
import type { Estimator } from "./estimator.ts";
import {
  contentParts,
  type MediaPart,
  type Part,
  resourceContentParts,
  type TextPart,
} from "./part.ts";
import type { Reading } from "./reading.ts";
import { describeSampling, messageBlocks, toBlocks } from "./sampling.ts";
import { describeToolResult, echoOf, shownParts, type Visibility } from "./visibility.ts";

/** The texts of a request that cost tokens, and the row that it belongs to. */
export type RequestDescription = {
  /** False for traffic that costs a model nothing. */
  readonly isPriced: boolean;
  /** Tool or prompt; null for methods without one. */
  readonly tool: string | null;
  readonly input: readonly string[];
  /** Images and sounds of the request; absent without any. */
  readonly media?: readonly MediaPart[];
  /** Canonical JSON, by which repeated calls are recognised; undefined where the method has no arguments. */
  readonly arguments: string | undefined;
  /** The client's own words about the call. */
  readonly caller: Caller;
};

/** How to describe requests and results of one method. */
type MethodRule = {
  request(params: unknown): RequestDescription;
  result(result: unknown, reading: Reading): Visibility;
};

/** The methods that cost a model tokens. */
const priced: { readonly [method: string]: MethodRule } = {
  "tools/call": {
    request: namedRequest,
    result: describeToolResult,
  },
  "prompts/get": {
    request: namedRequest,
    result: (result, { profile }) =>
      allVisible(contentParts(messageBlocks(result), profile.resourcesAsJson)),
  },
  "resources/read": {
    request: (params) => {
      const uri = textAt(params, "uri") ?? "";
      const caller = callerOf(params);
      return { isPriced: true, tool: null, input: [uri], arguments: uri, caller };
    },
    result: (result, { profile }) =>
      allVisible(resourceContentParts(arrayAt(result, "contents"), profile.resourcesAsJson)),
  },
  "sampling/createMessage": {
    request: (params) => ({
      isPriced: true,
      tool: null,
      ...describeSampling(params),
      arguments: undefined,
      caller: callerOf(params),
    }),
    result: (result, { profile }) =>
      allVisible(contentParts(toBlocks(memberAt(result, "content")), profile.resourcesAsJson)),
  },
};

/** True for a method that costs a model tokens. */
export function isPriced(method: string): boolean {
  return Object.hasOwn(priced, method);
}

/** Describes a request. Accepts any params and never throws. */
export function describeRequest(method: string, params: unknown): RequestDescription {
  const rule = isPriced(method) ? priced[method] : undefined;
  if (rule) return rule.request(params);
  const shown = method === "tools/list" ? memberAt(params, "cursor") : withoutMeta(params);
  const isEmpty = isObject(shown) && Object.keys(shown).length === 0;
  return {
    isPriced: false,
    tool: null,
    input: isEmpty ? [] : [compactJson(shown)],
    arguments: undefined,
    caller: noCaller,
  };
}

/** Describes the result of a request of that method. Accepts any result and never throws. */
export function describeResult(method: string, result: unknown, reading: Reading): Visibility {
  const rule = isPriced(method) ? priced[method] : undefined;
  if (rule) return rule.result(result, reading);
  return allVisible([{ kind: "text", text: compactJson(withoutMeta(result)) }]);
}

/** Describes a JSON-RPC error: its code, message and data, as the client shows them. */
export function describeError(method: string, error: unknown, reading: Reading): Visibility {
  const { profile, asked } = reading;
  const code = compactJson(memberAt(error, "code"));
  const message = textAt(error, "message") ?? "";
  const data = compactJson(memberAt(error, "data"));
  const texts = [code, message, data];
  const wire = texts.map((text): TextPart => ({ kind: "text", text }));
  if (method !== "tools/call") return allVisible(wire);
  if (profile.isScripted(asked.caller)) return { ...allVisible(wire), isScripted: true };
  const facts = { code, message, data, parts: wire, asked: echoOf(asked) };
  const shown = profile.protocolError(facts);
  return { wire, duplicate: [], ...shownParts(shown, profile.joint, wire) };
}

/** A request of a tool or prompt by its name. */
function namedRequest(params: unknown): RequestDescription {
  const name = textAt(params, "name") ?? "";
  const rawArguments = memberAt(params, "arguments");
  return {
    isPriced: true,
    tool: name.slice(0, nameCharactersMax),
    input: [name, compactJson(rawArguments)],
    arguments: rawArguments === undefined ? "" : canonicalJson(rawArguments),
    caller: callerOf(params),
  };
}

/** The texts that a request is priced by: its own, or one JSON text where the estimator wants it so. */
export function inputTexts(
  { tool, input }: Pick<RequestDescription, "tool" | "input">,
  { framesCalls }: Pick<Estimator, "framesCalls">,
): readonly string[] {
  if (tool === null || framesCalls !== true) return input;
  const [name = "", json = ""] = input;
  const rest = json === "" ? "" : `,"arguments":${json}`;
  return [`{"name":${JSON.stringify(name)}${rest}}`];
}

function allVisible(parts: readonly Part[]): Visibility {
  return { visible: parts, wire: parts, duplicate: [] };
}

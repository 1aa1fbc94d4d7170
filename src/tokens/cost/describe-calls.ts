import { readCaller, noCaller } from "#wire/message.ts";
import { nameCharactersMax } from "#kit/limits.ts";
import {
  canonicalizeJson,
  readArray,
  stringifyCompact,
  isObject,
  readMember,
  readString,
  removeMeta,
} from "#wire/json.ts";
import {
  listPayloadReadings,
  listPromptReadings,
  listResourceReadings,
} from "./client-profiles/unknown-readings.ts";
import type { Estimator } from "./estimator.ts";
import {
  listContentParts,
  type MediaPart,
  type Part,
  listReadResourceParts,
} from "./client-profiles/block.ts";
import {
  type AnswerContext,
  type RequestFacts,
  applyLimit,
  describeToolResult,
  makeEcho,
  composeVisible,
  type Visibility,
} from "./visibility.ts";
import { describeSampling, listMessageBlocks, toBlocks } from "./sampling.ts";
import { makeTextPart } from "./client-profiles/common.ts";
import { rowLimitMembers } from "./narrowing-parameter-names.ts";

export type RequestDescription = RequestFacts & {
  readonly isCall: boolean;
  readonly media?: readonly MediaPart[];
  readonly arguments: string | undefined; // to find repeated calls
  readonly rowLimit?: number | undefined;
};

type CallRule = {
  describeRequest(params: unknown): RequestDescription;
  describeResult(result: unknown, context: AnswerContext): Visibility;
};

const callMethods: { readonly [method: string]: CallRule } = {
  "tools/call": {
    describeRequest: describeNamedRequest,
    describeResult: describeToolResult,
  },
  "prompts/get": {
    describeRequest: describeNamedRequest,
    describeResult: (result, { profile }) => ({
      ...showAll(listContentParts(listMessageBlocks(result), profile.resourcesAsJson)),
      ...(profile.isUnknown && { ceiling: () => listPromptReadings(result) }),
    }),
  },
  "resources/read": {
    describeRequest: (params) => {
      const uri = readString(params, "uri") ?? "";
      const caller = readCaller(params);
      return { isCall: true, tool: null, input: [uri], arguments: uri, caller };
    },
    describeResult: (result, { profile }) => ({
      ...showAll(listReadResourceParts(readArray(result, "contents"), profile.resourcesAsJson)),
      ...(profile.isUnknown && { ceiling: () => listResourceReadings(result) }),
    }),
  },
  "sampling/createMessage": {
    describeRequest: (params) => ({
      isCall: true,
      tool: null,
      ...describeSampling(params),
      arguments: undefined,
      caller: readCaller(params),
    }),
    describeResult: (result, { profile }) =>
      showAll(listContentParts(toBlocks(readMember(result, "content")), profile.resourcesAsJson)),
  },
};

// Claude Code shows notifications of this method to its model: docs/adr/0008-calls-and-their-readers.md.
export const channelMethod = "notifications/claude/channel";

export function isCallMethod(method: string): boolean {
  return Object.hasOwn(callMethods, method);
}

export function describeRequest(method: string, params: unknown): RequestDescription {
  const rule = isCallMethod(method) ? callMethods[method] : undefined;
  if (rule) return rule.describeRequest(params);
  const countedParams = method === "tools/list" ? readMember(params, "cursor") : removeMeta(params);
  const isEmpty = isObject(countedParams) && Object.keys(countedParams).length === 0;
  return {
    isCall: false,
    tool: null,
    input: isEmpty ? [] : [stringifyCompact(countedParams)],
    arguments: undefined,
    caller: noCaller,
  };
}

// `payload` is a result, or the params of a channel notification.
export function describeResult(
  method: string,
  payload: unknown,
  context: AnswerContext,
): Visibility {
  const rule = isCallMethod(method) ? callMethods[method] : undefined;
  if (rule) return rule.describeResult(payload, context);
  if (method === channelMethod) return describeChannel(payload, context);
  return showAll([makeTextPart(stringifyCompact(removeMeta(payload)))]);
}

function describeChannel(params: unknown, { profile }: AnswerContext): Visibility {
  const text = profile.formatChannel?.(params) ?? "";
  const visible = text === "" ? [] : [makeTextPart(text)];
  const withCeiling = profile.isUnknown
    ? { ceiling: () => listPayloadReadings(params, visible) }
    : {};
  return { ...showAll([makeTextPart(stringifyCompact(params))]), visible, ...withCeiling };
}

export function describeError(method: string, error: unknown, context: AnswerContext): Visibility {
  const { profile, request } = context;
  const code = stringifyCompact(readMember(error, "code"));
  const message = readString(error, "message") ?? "";
  const data = stringifyCompact(readMember(error, "data"));
  const wire = [code, message, data].map(makeTextPart);
  const withCeiling = profile.isUnknown ? { ceiling: () => listPayloadReadings(error, wire) } : {};
  if (method !== "tools/call") return { ...showAll(wire), ...withCeiling };
  if (profile.isScripted(request.caller)) return { ...showAll(wire), isScripted: true };
  const items = profile.renderProtocolError({
    code,
    message,
    data,
    parts: wire,
    echo: makeEcho(request),
  });
  const shown = composeVisible(items, profile.separator, wire);
  const limited = profile.limitError?.(shown.visible, { isProtocolError: true });
  return { wire, duplicate: [], ...shown, ...applyLimit(shown.visible, limited), ...withCeiling };
}

function describeNamedRequest(params: unknown): RequestDescription {
  const name = readString(params, "name") ?? "";
  const rawArguments = readMember(params, "arguments");
  return {
    isCall: true,
    tool: name.slice(0, nameCharactersMax),
    input: [name, stringifyCompact(rawArguments)],
    arguments: rawArguments === undefined ? "" : canonicalizeJson(rawArguments),
    rowLimit: readRowLimit(rawArguments),
    caller: readCaller(params),
  };
}

export function listInputTexts(
  { tool, input }: Pick<RequestDescription, "tool" | "input">,
  { framesCalls }: Pick<Estimator, "framesCalls">,
): readonly string[] {
  if (tool === null || framesCalls !== true) return input;
  const [name = "", json = ""] = input;
  const argumentsMember = json === "" ? "" : `,"arguments":${json}`;
  return [`{"name":${JSON.stringify(name)}${argumentsMember}}`];
}

function showAll(parts: readonly Part[]): Visibility {
  return { visible: parts, wire: parts, duplicate: [] };
}

// A larger number is probably not a row limit, and only row limits may be recorded.
export const rowLimitMax = 1_000_000_000;

export function readRowLimit(rawArguments: unknown): number | undefined {
  if (!isObject(rawArguments)) return undefined;
  for (const name of rowLimitMembers) {
    const limit = readMember(rawArguments, name);
    if (typeof limit !== "number" || !Number.isInteger(limit)) continue;
    if (limit > 0 && limit <= rowLimitMax) return limit;
  }
  return undefined;
}

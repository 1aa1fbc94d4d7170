import { nameCharactersMax } from "#kit/limits.ts";
import { canonicalizeJson } from "#wire/json-equal.ts";
import {
  readArray,
  stringifyCompact,
  isObject,
  readMember,
  readString,
  removeMeta,
} from "#wire/json.ts";
import { type Caller, readCaller, noCaller } from "./caller.ts";
import { listErrorReadings, listPromptReadings, listResourceReadings } from "./clients/unknown.ts";
import type { Estimator } from "./estimator.ts";
import {
  listContentParts,
  type MediaPart,
  type Part,
  listContentsParts,
  type TextPart,
} from "./part.ts";
import type { Reading } from "./reading.ts";
import { readRowLimit } from "./shape.ts";
import { describeSampling, listMessageBlocks, toBlocks } from "./sampling.ts";
import {
  applyLimit,
  describeToolResult,
  makeEcho,
  composeVisible,
  type Visibility,
} from "./visibility.ts";

export type RequestDescription = {
  readonly isPriced: boolean;
  readonly tool: string | null;
  readonly input: readonly string[];
  readonly media?: readonly MediaPart[];
  // Canonical JSON, to recognise repeated calls; undefined if the method has no arguments.
  readonly arguments: string | undefined;
  readonly rowLimit?: number | undefined;
  readonly caller: Caller;
};

type MethodRule = {
  request(params: unknown): RequestDescription;
  result(result: unknown, reading: Reading): Visibility;
};

const priced: { readonly [method: string]: MethodRule } = {
  "tools/call": {
    request: describeNamedRequest,
    result: describeToolResult,
  },
  "prompts/get": {
    request: describeNamedRequest,
    result: (result, { profile }) => ({
      ...showAll(listContentParts(listMessageBlocks(result), profile.resourcesAsJson)),
      ...(profile.isUnknown && { ceiling: () => listPromptReadings(result) }),
    }),
  },
  "resources/read": {
    request: (params) => {
      const uri = readString(params, "uri") ?? "";
      const caller = readCaller(params);
      return { isPriced: true, tool: null, input: [uri], arguments: uri, caller };
    },
    result: (result, { profile }) => ({
      ...showAll(listContentsParts(readArray(result, "contents"), profile.resourcesAsJson)),
      ...(profile.isUnknown && { ceiling: () => listResourceReadings(result) }),
    }),
  },
  "sampling/createMessage": {
    request: (params) => ({
      isPriced: true,
      tool: null,
      ...describeSampling(params),
      arguments: undefined,
      caller: readCaller(params),
    }),
    result: (result, { profile }) =>
      showAll(listContentParts(toBlocks(readMember(result, "content")), profile.resourcesAsJson)),
  },
};

// Claude Code shows this server notification to its model: docs/adr/0158-pushed-texts.md.
export const channelMethod = "notifications/claude/channel";

export function isPriced(method: string): boolean {
  return Object.hasOwn(priced, method);
}

/** Accepts any params and never throws. */
export function describeRequest(method: string, params: unknown): RequestDescription {
  const rule = isPriced(method) ? priced[method] : undefined;
  if (rule) return rule.request(params);
  const shown = method === "tools/list" ? readMember(params, "cursor") : removeMeta(params);
  const isEmpty = isObject(shown) && Object.keys(shown).length === 0;
  return {
    isPriced: false,
    tool: null,
    input: isEmpty ? [] : [stringifyCompact(shown)],
    arguments: undefined,
    caller: noCaller,
  };
}

/** Accepts any result and never throws. */
export function describeResult(method: string, result: unknown, reading: Reading): Visibility {
  const rule = isPriced(method) ? priced[method] : undefined;
  if (rule) return rule.result(result, reading);
  if (method === channelMethod) return describeChannel(result, reading);
  return showAll([{ kind: "text", text: stringifyCompact(removeMeta(result)) }]);
}

function describeChannel(params: unknown, { profile }: Reading): Visibility {
  const text = profile.channel?.(params) ?? "";
  const visible: readonly TextPart[] = text === "" ? [] : [{ kind: "text", text }];
  const ceiling = profile.isUnknown ? { ceiling: () => listErrorReadings(params, visible) } : {};
  return { ...showAll([{ kind: "text", text: stringifyCompact(params) }]), visible, ...ceiling };
}

export function describeError(method: string, error: unknown, reading: Reading): Visibility {
  const { profile, request } = reading;
  const code = stringifyCompact(readMember(error, "code"));
  const message = readString(error, "message") ?? "";
  const data = stringifyCompact(readMember(error, "data"));
  const texts = [code, message, data];
  const wire = texts.map((text): TextPart => ({ kind: "text", text }));
  const ceiling = profile.isUnknown ? { ceiling: () => listErrorReadings(error, wire) } : {};
  if (method !== "tools/call") return { ...showAll(wire), ...ceiling };
  if (profile.isScripted(request.caller)) return { ...showAll(wire), isScripted: true };
  const facts = { code, message, data, parts: wire, echo: makeEcho(request) };
  const shown = composeVisible(profile.protocolError(facts), profile.separator, wire);
  const cut = applyLimit(shown.visible, profile.errorLimit?.(shown.visible, true));
  return { wire, duplicate: [], ...shown, ...cut, ...ceiling };
}

function describeNamedRequest(params: unknown): RequestDescription {
  const name = readString(params, "name") ?? "";
  const rawArguments = readMember(params, "arguments");
  return {
    isPriced: true,
    tool: name.slice(0, nameCharactersMax),
    input: [name, stringifyCompact(rawArguments)],
    arguments: rawArguments === undefined ? "" : canonicalizeJson(rawArguments),
    rowLimit: readRowLimit(rawArguments),
    caller: readCaller(params),
  };
}

// Some estimators count the whole request as one JSON text.
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

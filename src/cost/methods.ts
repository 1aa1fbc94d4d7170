import { arrayAt, compactJson, isObject, memberAt, textAt } from "#wire/json.ts";
import { withoutMeta } from "#wire/meta.ts";
import { nameCharactersMax } from "#limits.ts";
import type { ClientProfile } from "./client-profile.ts";
import {
  partsOf,
  partsOfContents,
  describeToolResult,
  type Part,
  type Visibility,
} from "./visibility.ts";

/** What a request of one method costs, and whose row it belongs to. */
export type RequestDescription = {
  /** False for traffic that no model pays for. */
  readonly isPriced: boolean;
  /** Tool or prompt; null for methods without one. */
  readonly tool: string | null;
  readonly input: readonly string[];
  /** Identifies repeated calls; undefined where the method has no arguments. */
  readonly arguments: string | undefined;
};

/** The priced methods: what they ask and what they answer, in texts and media. */
const priced: {
  readonly [method: string]: {
    ask(params: unknown): Omit<RequestDescription, "isPriced">;
    see(result: unknown, profile: ClientProfile): Visibility;
  };
} = {
  "tools/call": {
    ask: askedByName,
    see: describeToolResult,
  },
  "prompts/get": {
    ask: askedByName,
    see: (result, profile) => everything(partsOf(messageBlocks(result), profile)),
  },
  "resources/read": {
    ask: (params) => ({
      tool: null,
      input: [textAt(params, "uri") ?? ""],
      arguments: textAt(params, "uri") ?? "",
    }),
    see: (result, profile) => everything(partsOfContents(arrayAt(result, "contents"), profile)),
  },
  "sampling/createMessage": {
    ask: (params) => ({
      tool: null,
      input: [textAt(params, "systemPrompt") ?? "", ...messageBlocks(params).map(blockText)],
      arguments: undefined,
    }),
    see: (result, profile) => everything(partsOf(blocksIn(memberAt(result, "content")), profile)),
  },
};

export function isPriced(method: string): boolean {
  return Object.hasOwn(priced, method);
}

/** Reads a request. Total: hostile params cost what they say and throw nothing. */
export function describeRequest(method: string, params: unknown): RequestDescription {
  const rule = isPriced(method) ? priced[method] : undefined;
  if (rule) return { isPriced: true, ...rule.ask(params) };
  const shown = method === "tools/list" ? memberAt(params, "cursor") : withoutMeta(params);
  const isEmpty = isObject(shown) && Object.keys(shown).length === 0;
  return {
    isPriced: false,
    tool: null,
    input: isEmpty ? [] : [compactJson(shown)],
    arguments: undefined,
  };
}

/** Reads an answer to a request of that method. */
export function describeResult(
  method: string,
  result: unknown,
  profile: ClientProfile,
): Visibility {
  const rule = isPriced(method) ? priced[method] : undefined;
  if (rule) return rule.see(result, profile);
  return everything([{ kind: "text", text: compactJson(withoutMeta(result)) }]);
}

/** A JSON-RPC error as it is read: code, message, data. */
export function describeError(error: unknown): Visibility {
  const texts = [
    compactJson(memberAt(error, "code")),
    textAt(error, "message") ?? "",
    compactJson(memberAt(error, "data")),
  ];
  return everything(texts.map((text) => ({ kind: "text", text })));
}

function askedByName(params: unknown): Omit<RequestDescription, "isPriced"> {
  const name = textAt(params, "name") ?? "";
  const args = compactJson(memberAt(params, "arguments"));
  return { tool: name.slice(0, nameCharactersMax), input: [name, args], arguments: args };
}

/** The content of `messages`: one block or an array of blocks each. */
function messageBlocks(value: unknown): readonly unknown[] {
  return arrayAt(value, "messages").flatMap((message) => blocksIn(memberAt(message, "content")));
}

function blocksIn(content: unknown): readonly unknown[] {
  if (content === undefined) return [];
  return Array.isArray(content) ? content : [content];
}

/** A sampling message is text to the model that answers it; media are named, not priced. */
function blockText(block: unknown): string {
  return textAt(block, "text") ?? textAt(block, "mimeType") ?? compactJson(withoutMeta(block));
}

function everything(parts: readonly Part[]): Visibility {
  return { visible: parts, wire: parts, duplicate: [] };
}

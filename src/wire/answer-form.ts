import { isObject, type JsonObject, memberAt } from "./json.ts";

/** Members of `_meta` that the SDKs check; an answer with a wrong one is rejected. */
const checkedMetaKey = /^(?:progressToken$|io\.modelcontextprotocol\/)/;

/**
 * True for a parsed answer that every SDK client accepts as the answer to its request: nothing but the members of
 * JSON-RPC, each of the right type. Source: `JSONRPCMessageSchema` of the SDK clients 1.32 and 2.4, which reject any
 * other message and keep waiting.
 */
export function isAcceptedEverywhere(message: JsonObject): boolean {
  const { id, result, error } = message;
  if (Object.keys(message).length !== 3 || !isAcceptedId(id)) return false;
  return "result" in message ? isAcceptedResult(result) : isAcceptedError(error);
}

function isAcceptedId(id: unknown): boolean {
  return typeof id === "string" || Number.isSafeInteger(id);
}

function isAcceptedResult(result: unknown): boolean {
  if (!isObject(result)) return false;
  const { _meta: meta } = result;
  if (meta === undefined) return true;
  return isObject(meta) && !Object.keys(meta).some((key) => checkedMetaKey.test(key));
}

function isAcceptedError(error: unknown): boolean {
  return (
    Number.isSafeInteger(memberAt(error, "code")) && typeof memberAt(error, "message") === "string"
  );
}

const answerMembers = ["content", "contents", "messages", "structuredContent", "toolResult"];

/** True for a result that contains an answer, even where it also asks for more or creates a task. */
export function hasAnswer(result: unknown): boolean {
  return answerMembers.some((name) => {
    const value = memberAt(result, name);
    return value !== undefined && !(Array.isArray(value) && value.length === 0);
  });
}

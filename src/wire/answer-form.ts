import { isObject, type JsonObject, readMember } from "./json.ts";

// SDKs validate these `_meta` members and reject an answer with an invalid one.
const checkedMetaKey = /^(?:progressToken$|io\.modelcontextprotocol\/)/;

/**
 * True if every SDK client accepts the answer: only the members of JSON-RPC, each of the right type.
 * Source: `JSONRPCMessageSchema` of SDK clients 1.32 and 2.4, which reject anything else and keep
 * waiting.
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
    Number.isSafeInteger(readMember(error, "code")) &&
    typeof readMember(error, "message") === "string"
  );
}

const answerMembers = ["content", "contents", "messages", "structuredContent", "toolResult"];

// True if the result has content, even if it also asks for input or creates a task.
export function hasAnswer(result: unknown): boolean {
  return answerMembers.some((name) => {
    const value = readMember(result, name);
    return value !== undefined && !(Array.isArray(value) && value.length === 0);
  });
}

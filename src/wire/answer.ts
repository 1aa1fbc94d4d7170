import { arrayAt, memberAt } from "./json.ts";

export function hasAnswer(result: unknown): boolean {
  const isFilled = (member: string): boolean => arrayAt(result, member).length > 0;
  return memberAt(result, "structuredContent") !== undefined || answerLists.some(isFilled);
}

const answerLists = ["content", "contents", "messages"];

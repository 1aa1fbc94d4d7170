import { arrayAt, memberAt } from "./json.ts";

const answerLists = ["content", "contents", "messages"];

/** True for a result that contains an answer, even where it also asks for more or creates a task. */
export function hasAnswer(result: unknown): boolean {
  const isFilled = (member: string): boolean => arrayAt(result, member).length > 0;
  return memberAt(result, "structuredContent") !== undefined || answerLists.some(isFilled);
}

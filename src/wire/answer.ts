import { memberAt } from "./json.ts";

const answers = ["content", "contents", "messages", "structuredContent", "toolResult"];

/** True for a result that contains an answer, even where it also asks for more or creates a task. */
export function hasAnswer(result: unknown): boolean {
  return answers.some((name) => {
    const value = memberAt(result, name);
    return value !== undefined && !(Array.isArray(value) && value.length === 0);
  });
}

import { isatty } from "node:tty";

/** True when a person can answer a question on stdin. */
export function canAsk(): boolean {
  return isatty(0);
}

/** The first line that a person writes to stdin, without its end; what they wrote until it was closed. */
export async function readAnswer(): Promise<string> {
  const decoder = new TextDecoder();
  let answer = "";
  for await (const chunk of Bun.stdin.stream()) {
    answer += decoder.decode(chunk, { stream: true });
    if (/[\r\n]/.test(answer)) break;
  }
  return answer.split(/[\r\n]/, 1)[0] ?? "";
}

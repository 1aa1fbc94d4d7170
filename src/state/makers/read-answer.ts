import { problemColumnsMax } from "#kit/limits.ts";
import { clip } from "#kit/text/display.ts";
import { memberAt, textAt } from "#wire/json.ts";

// Counts have some hundred bytes, errors some thousand.
export const exactAnswerBytesMax = 64 * 1024;

export async function readAnswer(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop cancels the rest.
    if (bytes > exactAnswerBytesMax) return tooLong;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return undefined;
  }
}

export const tooLong = Symbol("too long");

export function messageIn(answer: unknown, key: string): string {
  const message = textAt(memberAt(answer, "error"), "message") ?? "";
  return clip(message.replaceAll(key, "***").replaceAll(/\s+/g, " ").trim(), problemColumnsMax);
}

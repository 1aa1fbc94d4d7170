import { isUtf8 } from "node:buffer";
import { UserError } from "#kit/errors.ts";
import { decodePart } from "#tokens/estimators/parts.ts";
import { toolsIn } from "#lock/tools-payload.ts";
import type { ExactCounts } from "#state/makers/exact-counts.ts";
import { readChunks } from "#kit/os/named-file.ts";
import type { CountedInput } from "#screens/renderers/documents/count.ts";
import { countSentences } from "./sentences.ts";

// Requests to Anthropic have at most 32 MiB, and escapes double a text.
export const exactTextBytesMax = 15 * 1024 * 1024;

export async function countExactly(
  file: string,
  counts: Pick<ExactCounts, "text" | "list">,
): Promise<CountedInput> {
  const content = await readAll(file);
  const text = decodePart(content);
  const tools = toolsIn(text);
  return {
    file,
    tokens: await (tools ? counts.list(tools) : counts.text(text)),
    bytes: content.length,
    is_utf8: isUtf8(content),
    is_definitions: tools !== undefined,
  };
}

async function readAll(file: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of readChunks(file)) {
    bytes += chunk.length;
    if (bytes > exactTextBytesMax) {
      throw new UserError(countSentences.exactTextTooLong(file, exactTextBytesMax));
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

import { isUtf8 } from "node:buffer";
import { sentences, UserError } from "#errors.ts";
import { decodePart } from "#estimators/parts.ts";
import { exactTextBytesMax } from "#limits/counting.ts";
import { toolsIn } from "#lock/tools-payload.ts";
import type { ExactCounts } from "#makers/exact-counts.ts";
import { readChunks } from "#os/named-file.ts";
import type { CountedInput } from "#renderers/documents/count.ts";

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
      throw new UserError(sentences.exactTextTooLong(file, exactTextBytesMax));
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

import { attempt } from "#kit/errors.ts";

const dataUrlHeadCharactersMax = 256;

export function countBase64Bytes(data: string): number {
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  return Math.max(0, Math.floor((data.length * 3) / 4) - padding);
}

export function decodeBase64(data: string, byteOffset: number, bytesMax: number): Uint8Array {
  const skipped = byteOffset % 3;
  const start = ((byteOffset - skipped) / 3) * 4;
  const text = data.slice(start, start + Math.ceil((skipped + bytesMax) / 3) * 4);
  return attempt(() => {
    const bytes = Uint8Array.fromBase64(text, { lastChunkHandling: "stop-before-partial" });
    return bytes.subarray(skipped, skipped + bytesMax);
  }, new Uint8Array());
}

export function stripDataUrl(data: string): string {
  if (!data.startsWith("data:")) return data;
  const comma = data.slice(0, dataUrlHeadCharactersMax).indexOf(",");
  return comma === -1 ? data : data.slice(comma + 1);
}

import { statSync } from "node:fs";
import type { RecordSources } from "#state/storage/record-files.ts";

export function newestSources(
  { sources, leftOut }: RecordSources,
  bytesMax: number,
): RecordSources {
  const sized = sources.map((source) => ({ source, ...sizeOf(source.file) }));
  let bytes = 0;
  const kept = new Set(
    sized
      .toSorted((one, other) => other.changedMs - one.changedMs)
      .filter(({ size }) => {
        const isKept = bytes + size <= bytesMax;
        if (isKept) bytes += size;
        return isKept;
      })
      .map(({ source }) => source),
  );
  const left = sources.filter((source) => kept.has(source));
  return { sources: left, leftOut: leftOut + sources.length - left.length };
}

function sizeOf(file: string): { readonly size: number; readonly changedMs: number } {
  try {
    const { size, mtimeMs } = statSync(file);
    return { size, changedMs: mtimeMs };
  } catch {
    return { size: 0, changedMs: 0 };
  }
}

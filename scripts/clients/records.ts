import { existsSync, readFileSync } from "node:fs";
import type { MeterRecord } from "#records/record.ts";

/** The records of one type from a log; none when there is no log. */
export function recordsIn<Type extends MeterRecord["type"]>(
  file: string,
  type: Type,
): readonly Extract<MeterRecord, { type: Type }>[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  const records = lines
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as MeterRecord);
  return records.filter(
    (record): record is Extract<MeterRecord, { type: Type }> => record.type === type,
  );
}

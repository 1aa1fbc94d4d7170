import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import ndjson from "ndjson";
import { dropReplacedEnds } from "./final-ends.ts";

export type LogRecord = { readonly type: string } & Readonly<Record<string, unknown>>;

/** A record file as read by somebody who trusts nothing: what parses, without replaced ends, and what does not. */
export type LogFile = {
  readonly records: LogRecord[];
  readonly torn: string[];
  readonly raw: Buffer;
};

export function logsBelow(stateDir: string): string[] {
  if (!existsSync(stateDir)) return [];
  return readdirSync(stateDir, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ndjson"))
    .map((name) => join(stateDir, name));
}

export function filesBelow(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(dir, name)).isFile(),
  );
}

export function allRecordsIn(text: string): Promise<Record<string, unknown>[]> {
  const parser = ndjson.parse();
  parser.end(text);
  return Array.fromAsync<Record<string, unknown>>(parser);
}

/** Not by ndjson: it either stops at a torn line or leaves it out unnoticed. */
export function readLog(...paths: readonly string[]): LogFile {
  const raw = Buffer.concat(paths.map((path) => readFileSync(path)));
  const records: LogRecord[] = [];
  const torn: string[] = [];
  for (const line of raw.toString().split("\n")) {
    if (line === "") continue;
    const record = parseRecord(line);
    if (record === undefined) torn.push(line);
    else records.push(record);
  }
  return { records: dropReplacedEnds(records), torn, raw };
}

function parseRecord(line: string): LogRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is LogRecord {
  return (
    typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"
  );
}

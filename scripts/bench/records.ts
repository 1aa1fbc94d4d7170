/** What a record file holds, as far as the benchmarks promise something about it. */
export interface RecordCount {
  /** Without empty ones. */
  readonly lines: number;
  /** Lines that are not JSON objects. */
  readonly torn: number;
  readonly calls: number;
  /** Calls whose outcome is not `ok`. */
  readonly unanswered: number;
}

/** Counts a file of any size, a chunk at a time. */
export async function countRecords(path: string): Promise<RecordCount> {
  const count = { lines: 0, torn: 0, calls: 0, unanswered: 0 };
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of Bun.file(path).stream()) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) countLine(line, count);
  }
  countLine(rest, count);
  return count;
}

function countLine(line: string, count: { -readonly [Key in keyof RecordCount]: number }): void {
  if (line === "") return;
  count.lines++;
  const record = parseObject(line);
  if (record === undefined) count.torn++;
  if (record?.type !== "call") return;
  count.calls++;
  if (record.outcome !== "ok") count.unanswered++;
}

function parseObject(line: string): { type?: unknown; outcome?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

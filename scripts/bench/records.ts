/** What a record file holds, as far as the benchmarks promise something about it. */
export type RecordCount = {
  /** Without empty ones. */
  readonly lines: number;
  /** Lines that are not JSON objects. */
  readonly torn: number;
  readonly calls: number;
  /** Calls that have exactly one record, by session and id. */
  readonly once: number;
  /** Calls whose outcome is not `ok`. */
  readonly unanswered: number;
  /** Calls of which a part was priced by its length. */
  readonly truncated: number;
  /** What the sessions' `end` records say: calls that were counted, records that did not reach the file. */
  readonly counted: number;
  readonly dropped: number;
};

/** Counts a file of any size, a chunk at a time. */
export async function countRecords(path: string): Promise<RecordCount> {
  const count = {
    lines: 0,
    torn: 0,
    calls: 0,
    once: 0,
    unanswered: 0,
    truncated: 0,
    counted: 0,
    dropped: 0,
  };
  const ids = new Ids();
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of Bun.file(path).stream()) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) countLine(line, count, ids);
  }
  countLine(rest, count, ids);
  return { ...count, once: ids.once };
}

/** The ids of calls, which are unique in a session. */
class Ids {
  readonly #seen = new Set<string>();
  readonly #repeated = new Set<string>();

  add({ session_id: session, request_id: id }: AnyRecord): void {
    const key = `${String(session)} ${JSON.stringify(id)}`;
    if (this.#seen.has(key)) this.#repeated.add(key);
    this.#seen.add(key);
  }

  get once(): number {
    return this.#seen.size - this.#repeated.size;
  }
}

function countLine(
  line: string,
  count: { -readonly [Key in keyof RecordCount]: number },
  ids: Ids,
): void {
  if (line === "") return;
  count.lines++;
  const record = parseObject(line);
  if (record === undefined) count.torn++;
  if (record?.type === "call") {
    count.calls++;
    ids.add(record);
    if (record.outcome !== "ok") count.unanswered++;
    if (record.truncated === true) count.truncated++;
  }
  if (record?.type === "end" && isFinal(record)) {
    count.counted += Number(record.calls);
    count.dropped += Number(record.dropped_records);
  }
}

/** False for the sums so far of a session that had not ended. */
function isFinal({ exit_code: code, signal }: AnyRecord): boolean {
  return code !== null || signal !== null;
}

type AnyRecord = {
  readonly session_id?: unknown;
  readonly request_id?: unknown;
  readonly exit_code?: unknown;
  readonly signal?: unknown;
  readonly type?: unknown;
  readonly outcome?: unknown;
  readonly truncated?: unknown;
  readonly calls?: unknown;
  readonly dropped_records?: unknown;
};

function parseObject(line: string): AnyRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

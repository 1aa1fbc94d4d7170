export type Member = {
  readonly key: string;
  readonly start: number;
  readonly end: number;
  /**
   * JSON text of the value, with white space outside strings shortened; undefined for `params` and for a value of
   * more than `skimTextBytesMax` bytes, `frameTextBytesMax` for a member of the frame.
   */
  readonly text: string | undefined;
};

export type Skim = {
  readonly shape: "object" | "array" | "other";
  readonly members: readonly Member[];
  /** Deepest nesting, and the number of opening brackets and commas outside strings. */
  readonly depth: number;
  readonly structures: number;
  /** JSON text of each member of `params` that says what a request is about; without those that are too long. */
  readonly subjects: ReadonlyMap<string, string>;
  readonly closed: boolean;
  /** Present when readers may find other members: a name is repeated, or only some take it for that of a message. */
  readonly ambiguity: "id" | "members" | undefined;
  readonly hasZeros: boolean;
};

/** The members that make a message of JSON-RPC. They are always found, however many others there are. */
export const frameKeys: ReadonlySet<string> = new Set([
  "jsonrpc",
  "id",
  "method",
  "params",
  "result",
  "error",
]);

/** The members of `params` that name a tool or a prompt, a task, or a round of input. */
export const subjectKeys: ReadonlySet<string> = new Set(["name", "taskId", "requestState"]);

/** The last member with that key, which is also the one that JSON.parse keeps. */
export function findMember(skim: Skim, key: string): Member | undefined {
  return skim.members.findLast((member) => member.key === key);
}

export function skimmedText({ subjects }: Skim, key: string): string | undefined {
  try {
    const value: unknown = JSON.parse(subjects.get(key) ?? "");
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

export type TraceParent = {
  /** 32 and 16 lower-case hexadecimal digits. */
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
};

const traceParentForm =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

export function parseTraceParent(text: string): TraceParent | undefined {
  const [, traceId, spanId, flags] = traceParentForm.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export type Member = {
  readonly key: string;
  readonly start: number;
  readonly end: number;
  // JSON text of the value, white space outside strings shortened. Undefined for `params`, and beyond
  // `skimTextBytesMax` bytes (`frameTextBytesMax` for frame members).
  readonly text: string | undefined;
};

export type Skim = {
  readonly shape: "object" | "array" | "other";
  readonly members: readonly Member[];
  readonly depth: number; // `structures` counts opening brackets and commas outside strings
  readonly structures: number;
  // JSON text of the `params` members in `subjectKeys`, without those that are too long.
  readonly subjects: ReadonlyMap<string, string>;
  readonly closed: boolean;
  // Set if readers may find other members: a name is repeated, or only some take it for a message's.
  readonly ambiguity: "id" | "members" | undefined;
  readonly hasZeros: boolean;
};

// Always found, however many other members there are.
export const frameKeys: ReadonlySet<string> = new Set([
  "jsonrpc",
  "id",
  "method",
  "params",
  "result",
  "error",
]);

// Members of `params` that name a tool or prompt, a task, or a round of input.
export const subjectKeys: ReadonlySet<string> = new Set(["name", "taskId", "requestState"]);

// The last one wins, as with JSON.parse.
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
  // Lower-case hexadecimal: 32 and 16 digits.
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

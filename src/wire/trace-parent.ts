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

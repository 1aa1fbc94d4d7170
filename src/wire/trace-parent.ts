export type TraceParent = {
  /** 32 and 16 lower-case hexadecimal digits. */
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
};

const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

export function parseTraceParent(text: string): TraceParent | undefined {
  const [, traceId, spanId, flags] = form.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** A moment: wall clock for people, monotonic clock for durations. */
export type Instant = { readonly wallMs: number; readonly monoMs: number };

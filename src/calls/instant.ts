/** A moment, told from outside: wall clock for people, monotonic clock for durations. */
export type Instant = { readonly wallMs: number; readonly monoMs: number };

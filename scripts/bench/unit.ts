/** MB is 10^6 bytes, `""` a plain count. */
export type Unit = "µs" | "ms" | "s" | "MB" | "MB/s" | "MB/min" | "/s" | "×" | "%" | "";

import type { Problem } from "#check/report.ts";

/** `search: it takes 90 tokens; its budget is 50`: a problem with its subject, neither clipped nor escaped. */
export function problemText({ about, text }: Problem): string {
  return about === null ? text : `${about}: ${text}`;
}

import type { Problem } from "#check/report.ts";

export function problemText({ about, text }: Problem): string {
  return about === null ? text : `${about}: ${text}`;
}

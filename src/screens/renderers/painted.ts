import type { Tone } from "./document.ts";

const paints: { readonly [tone in Tone]: string } = {
  good: "\u001b[32m",
  caution: "\u001b[33m",
  bad: "\u001b[31m",
  worst: "\u001b[1;31m",
  strong: "\u001b[1m",
};

export function painted(text: string, tone: Tone | undefined): string {
  return tone === undefined || text === "" ? text : `${paints[tone]}${text}\u001b[0m`;
}

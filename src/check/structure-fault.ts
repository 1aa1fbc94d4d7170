import { type Clean, inOneLine } from "#kit/text/one-line.ts";
import { escapeUnsafe } from "#kit/text/unsafe-text.ts";
import type { CallFault } from "./played-call.ts";

export const structureFaultCharactersMax = 300;

export type StructureFault = {
  readonly pointer: string;
  readonly reason: string;
  /** Only clients of SDK 1.x reject it: they read every schema as draft-07. */
  readonly isOlderOnly: boolean;
};

export type Uncompared = "too_slow" | "crashed";

export function structureFault(found: StructureFault | Uncompared, clean: Clean): CallFault {
  if (typeof found === "string") return { rule: "structure_not_compared", text: causes[found] };
  const { pointer, reason, isOlderOnly } = found;
  const place = pointer === "" ? "it" : withoutSecrets(pointer, clean);
  const whose = isOlderOnly ? "SDK 1.x, which reads it as draft-07" : "its outputSchema";
  const about = isOlderOnly ? `the outputSchema by ${whose}` : whose;
  const text = `structuredContent does not match ${about}: ${place} ${reason}`;
  return { rule: "structure_mismatch", text: shortened(text, clean) };
}

const causes: { readonly [cause in Uncompared]: string } = {
  too_slow: "its outputSchema takes too long to be compared with, and would keep a client busy",
  crashed: "its outputSchema ends the process that compares",
};

export function shortened(text: string, clean: Clean): string {
  const line = inOneLine(text, clean);
  const isLong = line.length > structureFaultCharactersMax;
  const kept = isLong ? `${line.slice(0, structureFaultCharactersMax).toWellFormed()}…` : line;
  return escapeUnsafe(kept);
}

/** A secret with a slash is escaped in a pointer. */
function withoutSecrets(pointer: string, clean: Clean): string {
  const names = pointer.split("/").map((step) => {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    const cleaned = clean(name);
    return cleaned === name ? step : cleaned;
  });
  return names.join("/");
}

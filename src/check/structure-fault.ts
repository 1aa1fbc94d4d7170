import { structureFaultCharactersMax } from "#limits/definitions.ts";
import { type Clean, inOneLine } from "#text/one-line.ts";
import { escapeUnsafe } from "#text/unsafe-text.ts";
import type { CallFault } from "./played-call.ts";

/** Why clients reject the structured content of an answer. It quotes the server. */
export type StructureFault = {
  /** JSON pointer to the part that does not match the schema; empty for the whole. */
  readonly pointer: string;
  /** The form that this part must have, as a clause without its subject. */
  readonly reason: string;
  /** True when only clients of SDK 1.x reject it, which read every schema as draft-07. */
  readonly isOlderOnly: boolean;
};

/** Why a comparison has no result: its schema kept the process busy, or ended it. */
export type Uncompared = "too_slow" | "crashed";

/** The fault of structured content, without secrets, in one line and shortened. */
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

/** A text of the server in one line, without secrets and shortened. */
export function shortened(text: string, clean: Clean): string {
  const line = inOneLine(text, clean);
  const isLong = line.length > structureFaultCharactersMax;
  const kept = isLong ? `${line.slice(0, structureFaultCharactersMax).toWellFormed()}…` : line;
  return escapeUnsafe(kept);
}

/** A pointer whose names have no secrets: a secret with a slash is escaped in it. */
function withoutSecrets(pointer: string, clean: Clean): string {
  const names = pointer.split("/").map((step) => {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    const cleaned = clean(name);
    return cleaned === name ? step : cleaned;
  });
  return names.join("/");
}

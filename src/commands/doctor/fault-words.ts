import { alertFailures } from "#alert-sentences.ts";
import { inWords } from "#error-words.ts";
import { redisCause } from "#redis-sentences.ts";
import type { FaultRecord } from "#records/record.ts";

export function faultWords({ where, what }: Pick<FaultRecord, "where" | "what">): string {
  return `${where}: ${wordsOf(where, what)}`;
}

function wordsOf(where: string, what: string): string {
  if (where === "budget counters") return redisCause(what);
  if (where === "alert command") return alertWords(what);
  // A member of a config.
  const isMember = where === "config" && /^[a-z_]+(?:\.\(name\))?[a-z_.[\]\d]*$/.test(what);
  return isMember ? `a mistake in ${what}` : inWords(what);
}

function alertWords(what: string): string {
  const code = /^exit (\d{1,3})$/.exec(what)?.[1];
  if (code !== undefined) return alertFailures.exit(Number(code));
  if (what === "timeout") return alertFailures.tooLate();
  return /^SIG[A-Z]+$/.test(what) ? alertFailures.signal(what) : inWords(what);
}

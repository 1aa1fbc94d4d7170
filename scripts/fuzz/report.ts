import { bytesOf, type Play } from "./script.ts";
import type { Finding, Tally } from "./tally.ts";

const shownCharacters = 200;

/** A violation for a person: seed, option set, and the script that is left of the play. */
export function describeFinding({ oracle, detail, play, isRepeatable, file }: Finding): string {
  const again = isRepeatable ? "" : " (did not happen again)";
  return [
    `${oracle}: ${detail}${again}`,
    `  options ${play.set}, seeds ${play.scripts.map(({ seed }) => seed).join(" ")}`,
    ...describePlay(play),
    `  bun scripts/fuzz.ts --replay ${file}`,
  ].join("\n");
}

/** The steps of a play, one line each. */
function describePlay({ scripts }: Play): readonly string[] {
  return scripts.flatMap(({ steps, ending }) => [
    ...steps.map(({ by, pieces, needs }) => {
      const text = JSON.stringify(bytesOf(pieces).toString());
      const shown = text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
      return `  ${by === "client" ? "→" : "←"} ${shown}${needs === undefined ? "" : ` after ${needs}`}`;
    }),
    `  ends by ${ending.kind}${"code" in ending ? ` ${ending.code}` : ""}`,
  ]);
}

/** The figures of a run as one JSON document. */
export function reportJson(tally: Tally, seed: number): string {
  const { plays, sessions, messages, bytes, findings } = tally;
  const violations = findings.map(({ oracle, detail, play, isRepeatable, file }) => {
    return { oracle, detail, set: play.set, isRepeatable, file };
  });
  const seconds = Math.round(tally.seconds * 10) / 10;
  return JSON.stringify({ seed, seconds, plays, sessions, messages, bytes, violations });
}

import type { Transcript } from "../transcript.ts";
import { ceiling } from "./ceiling.ts";
import { downward } from "./downward.ts";
import { ending } from "./ending.ts";
import { locked } from "./locked.ts";
import { files, stderr } from "./outputs.ts";
import { records, sums } from "./records.ts";
import { upward } from "./upward.ts";
import type { Oracle, Violation } from "./violation.ts";

/** The oracles about one session, by name. */
const sessionOracles: Readonly<Record<string, Oracle>> = {
  upward,
  downward,
  records,
  sums,
  ending,
  stderr,
  files,
  locked,
};

/** Every broken promise in the sessions of a play. */
export function violationsIn(transcripts: readonly Transcript[]): readonly Violation[] {
  const ofSessions = transcripts.flatMap((transcript) =>
    Object.entries(sessionOracles).flatMap(([oracle, judge]) =>
      judge(transcript).map((detail) => ({ oracle, detail })),
    ),
  );
  return [...ofSessions, ...ceiling(transcripts).map((detail) => ({ oracle: "ceiling", detail }))];
}

import { linesOf } from "../reading.ts";
import { ownLine } from "../refusal.ts";
import type { Transcript } from "../transcript.ts";
import { endedInOrder, type Oracle } from "./violation.ts";

/** The end: in time, with the server's exit code or signal, and nothing is left running. */
export const ending: Oracle = (transcript) => {
  const { stalled, leftovers, exit, didServerEnd } = transcript;
  if (stalled !== undefined) return [`hung while it waited for ${stalled}`];
  const wanted = wantedExits(transcript);
  const actual = exit.signal ?? exit.code;
  return [
    ...leftovers.map((name) => `${name} is still running`),
    ...(wanted.includes(actual) ? [] : [`exit ${actual}, expected ${wanted.join(" or ")}`]),
    ...(didServerEnd || !endedInOrder(transcript) ? [] : ["the server was not told of the end"]),
  ];
};

/** The exit codes and signals that are right. */
function wantedExits(transcript: Transcript): readonly (number | string | null)[] {
  const { ending: end } = transcript;
  switch (end.kind) {
    case "kill":
      return ["SIGKILL"];
    case "term":
      return ["SIGTERM"];
    case "crash":
      return [end.signal];
    default:
      return end.code === 0 ? enforcedExits(transcript) : [end.code];
  }
}

/** 1 when a rule was enforced; a call that wanted no answer is refused without a trace at the client. */
function enforcedExits({ set, clientGot, clientSent, ending: end }: Transcript): readonly number[] {
  const isEnforced = linesOf(clientGot).some((line) => ownLine(line) !== undefined);
  if (isEnforced) return [1];
  // A request that waited may be refused after the way back to the client was closed.
  if (set.isDelaying && end.kind !== "eof") return [0, 1];
  const mayBeSilent = set.isGating && Buffer.from(clientSent).includes("tools/call");
  return mayBeSilent && hasUnansweredCall(clientSent) ? [0, 1] : [0];
}

/** True when a call has no id that could be answered. */
function hasUnansweredCall(clientSent: Uint8Array): boolean {
  return linesOf(clientSent).some((line) => {
    const text = line.toString();
    return text.includes('"tools/call"') || text.includes('"resources/read"')
      ? !/"(?:id|\\u0069d)"\s*:\s*[-"\d]/.test(text)
      : false;
  });
}

import { pricedMethods } from "../client-model.ts";
import { linesOf, readMessages } from "../reading.ts";
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

/** 1 when a rule was enforced; 0 or 1 when it may have been enforced without a trace at the client. */
function enforcedExits(transcript: Transcript): readonly number[] {
  const { set, clientGot, clientSent, serverSent, ending: end } = transcript;
  if (linesOf(clientGot).some((line) => ownLine(line) !== undefined)) return [1];
  // A request that waited may be refused after the way back to the client was closed.
  if (set.isDelaying && end.kind !== "eof") return [0, 1];
  // Nothing takes the place of a line that was not read, nor of a call that wants no answer.
  const isSilent = linesOf(serverSent).some(isUnreadable) || hasUnansweredCall(clientSent);
  return set.isGating && isSilent ? [0, 1] : [0];
}

function isUnreadable(line: Buffer): boolean {
  return line.toString().trim() !== "" && readMessages(line).length === 0;
}

/** True when a call has no id that could be answered. */
function hasUnansweredCall(clientSent: Uint8Array): boolean {
  return linesOf(clientSent)
    .flatMap(readMessages)
    .some(({ kind, method }) => kind === "notification" && pricedMethods.has(method));
}

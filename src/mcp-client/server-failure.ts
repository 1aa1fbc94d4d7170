import { exitCodes, UserError } from "#errors.ts";
import { cleanNothing } from "#text/one-line.ts";
import {
  describeFailure,
  type FailedServer,
  RefusedRequest,
  TimeoutError,
  UselessAnswer,
} from "./failure.ts";

/** The ways in which a server fails. */
export type FaultKind =
  "not_found" | "not_executable" | "exited" | "timeout" | "refused" | "invalid_answer";

/** A failure as it can be shown where texts of the server must not be: they may hold the secrets that it was started with. */
export type ServerFault = {
  readonly kind: FaultKind;
  /** A clause about "it", in our own words. */
  readonly reason: string;
};

/** A server that could not be started, or that failed; its sentence may quote the server. */
export class ServerFailure extends UserError {
  readonly fault: ServerFault;

  constructor(sentence: string, fault: ServerFault) {
    super(sentence, exitCodes.serverUnreachable);
    this.fault = fault;
  }
}

/** The fault behind an error of a connection: the server's own end comes first, then the error. */
export function faultOf(error: unknown, server: FailedServer, timeoutMs: number): ServerFault {
  const isEnded = server.life === "ended-by-itself";
  if (!isEnded && error instanceof RefusedRequest) {
    return { kind: "refused", reason: `it refused ${error.method} (${error.code})` };
  }
  const isDescribed = isEnded || error instanceof TimeoutError || error instanceof UselessAnswer;
  // The words of any other error are those of the server, or of the library about its answer.
  const shown = isDescribed ? error : new UselessAnswer("its answer is not valid");
  return {
    kind: kindOf(error, isEnded),
    reason: describeFailure(shown, server, { timeoutMs, clean: cleanNothing }),
  };
}

function kindOf(error: unknown, isEnded: boolean): FaultKind {
  if (isEnded) return "exited";
  return error instanceof TimeoutError ? "timeout" : "invalid_answer";
}

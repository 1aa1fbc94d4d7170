import { exitCodes, UserError } from "#errors.ts";

/** The ways in which a server fails. */
type FaultKind =
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

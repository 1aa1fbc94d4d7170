import { exitCodes, UserError } from "#kit/errors.ts";

type FaultKind =
  "not_found" | "not_executable" | "exited" | "timeout" | "refused" | "invalid_answer";

/** Can be shown where texts of the server must not be: they may hold the secrets that it was started with. */
export type ServerFault = {
  readonly kind: FaultKind;
  readonly reason: string;
};

/** Its sentence may quote the server. */
export class ServerFailure extends UserError {
  readonly fault: ServerFault;

  constructor(sentence: string, fault: ServerFault) {
    super(sentence, exitCodes.serverUnreachable);
    this.fault = fault;
  }
}

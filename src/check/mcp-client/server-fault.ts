import { cleanNothing } from "#kit/text/one-line.ts";
import {
  describeFailure,
  type FailedServer,
  RefusedRequest,
  TimeoutError,
  UselessAnswer,
} from "./failure.ts";
import type { ServerFault } from "./server-failure.ts";

/** The server's own end comes first, then the error. */
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

function kindOf(error: unknown, isEnded: boolean): ServerFault["kind"] {
  if (isEnded) return "exited";
  return error instanceof TimeoutError ? "timeout" : "invalid_answer";
}

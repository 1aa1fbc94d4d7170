import { UserError } from "#kit/errors.ts";
import { nameCharactersMax } from "#kit/limits.ts";
import { type Clean, cleanNothing } from "#kit/text/one-line.ts";
import { escapeUnsafe } from "#kit/text/unsafe-text.ts";
import {
  describeFailure,
  type FailedServer,
  RefusedRequest,
  UselessAnswer,
  TimeoutError,
} from "./failure.ts";
import { ServerFailure, type ServerFault } from "./server-failure.ts";
import { cannotConnect, isRemote, type ServerTarget, targetName } from "./server-target.ts";
import type { ServerTransport } from "./server-transport.ts";
import { mcpClientSentences } from "./sentences.ts";

export type FailedConnection = {
  readonly target: ServerTarget;
  readonly transport: ServerTransport;
  readonly greeted: string | undefined;
  readonly timeoutMs: number;
  readonly clean: Clean;
};

export function connectionFailure(error: unknown, failed: FailedConnection): UserError {
  const { target, transport, greeted, timeoutMs, clean } = failed;
  const cause = transport.explained(error);
  if (cause instanceof UserError) return cause;
  const server: FailedServer = {
    life: transport.life,
    exit: transport.exit,
    foreignLines: transport.traffic.foreignLines,
    isRemote: isRemote(target),
  };
  const fault = faultOf(cause, server, timeoutMs);
  const named = greeted === undefined ? targetName(target) : clean(greeted);
  const name = escapeUnsafe(named.slice(0, nameCharactersMax));
  if (cause instanceof RefusedRequest && server.life !== "ended-by-itself") {
    const { method, code, message } = cause;
    return new ServerFailure(mcpClientSentences.serverRefused(name, method, message, code), fault);
  }
  const reason = describeFailure(cause, server, { timeoutMs, clean });
  // On stdio, an answer of any kind is that of a server; behind a URL it may be that of any site.
  const isServer = greeted !== undefined || (cause instanceof UselessAnswer && !isRemote(target));
  const sentence = isServer
    ? mcpClientSentences.serverFailed(name, reason)
    : cannotConnect(target, reason);
  return new ServerFailure(sentence, fault);
}

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

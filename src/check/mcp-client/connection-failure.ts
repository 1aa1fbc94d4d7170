import { UserError } from "#kit/errors.ts";
import { nameCharactersMax } from "#kit/limits.ts";
import type { Clean } from "#kit/text/one-line.ts";
import { escapeUnsafe } from "#kit/text/unsafe-text.ts";
import { describeFailure, type FailedServer, RefusedRequest, UselessAnswer } from "./failure.ts";
import { ServerFailure } from "./server-failure.ts";
import { faultOf } from "./server-fault.ts";
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

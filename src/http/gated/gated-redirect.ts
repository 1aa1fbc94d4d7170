import { sentences } from "#errors.ts";
import type { ClientAnswer } from "#http-server/client-request.ts";
import type { Line } from "#wire/line.ts";
import type { DirectedAnswer } from "../directed-answer.ts";
import { bodilessHeaders } from "../headers.ts";
import { bodilessAnswer, gatewayAnswer } from "../own-answers.ts";
import type { Redirect } from "../redirects.ts";

/**
 * Where limits are enforced, a redirect leads to metered addresses alone, with the same request, and has no body: clients
 * that do not follow it read that. `shown` is the server as sentences name it.
 */
export function gatedRedirect(
  { answer, isAskedAgain }: DirectedAnswer,
  redirect: Redirect,
  asked: Line | undefined,
  shown: string,
): ClientAnswer {
  const { status, statusText, headers } = answer;
  if (redirect.kind === "outside")
    return gatewayAnswer(asked, sentences.redirectLeaves(shown, redirect.origin));
  if (!isAskedAgain) return gatewayAnswer(asked, sentences.redirectUnmetered(shown));
  return bodilessAnswer({ status, statusText, headers: bodilessHeaders(headers) });
}

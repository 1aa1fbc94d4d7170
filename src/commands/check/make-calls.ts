import { answerIn } from "#check/answer.ts";
import type { CallAttempt } from "#check/judge-calls.ts";
import { judgeAnswer } from "#check/judge-answer.ts";
import type { Plan } from "#check/plan-calls.ts";
import type { PlannedCall } from "#check/planned-call.ts";
import { createRedact } from "#check/redact.ts";
import type { McpConnection, ToolAnswer } from "#mcp-client/connection.ts";
import type { Progress } from "#mcp-client/progress.ts";
import { clip } from "#text/display.ts";

/** The time for a call without a timeout of its own, and the line of progress. */
export type PlayTerms = { readonly timeoutMs: number; readonly begin: Progress["begin"] };

/** Makes the calls one after the other, except for those that are skipped. Throws UserError when the server exits. */
export async function makeCalls(
  server: Pick<McpConnection, "call">,
  { calls, secrets }: Plan,
  { timeoutMs, begin }: PlayTerms,
): Promise<CallAttempt[]> {
  const redact = createRedact(secrets);
  const rounds = calls.flatMap(roundsOf);
  const attempts: CallAttempt[] = [];
  for (const [at, { planned, round }] of rounds.entries()) {
    if (planned.skip !== undefined) {
      attempts.push({ planned, round, ...notMade });
      continue;
    }
    begin(`call ${at + 1} of ${rounds.length}: ${clip(planned.name)}`);
    const { tool, sent } = planned;
    const within = planned.timeoutMs ?? timeoutMs;
    const answer = await server.call({ tool, arguments: sent, timeoutMs: within, clean: redact });
    const { result: _result, ...ending } = answer;
    const unmet = judgeAnswer(planned.expectations, answerIn(textOrResult(answer)), redact);
    attempts.push({ planned, round, ...ending, unmet });
  }
  return attempts;
}

const notMade = {
  isError: false,
  isAnswered: false,
  error: null,
  unmet: [],
  requestId: null,
} as const;

function roundsOf(planned: PlannedCall): { planned: PlannedCall; round: number }[] {
  const rounds = planned.skip === undefined ? planned.repeat : 1;
  return Array.from({ length: rounds }, (_, at) => ({ planned, round: at + 1 }));
}

/** The result of a call; of a JSON-RPC error its message, as the text of a result. */
function textOrResult({ result, error }: ToolAnswer): unknown {
  return result ?? { content: [{ type: "text", text: error ?? "" }] };
}

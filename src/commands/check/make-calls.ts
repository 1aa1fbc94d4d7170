import { answerIn } from "#check/answer.ts";
import type { CallAttempt } from "#check/judge-calls.ts";
import { judgeAnswer } from "#check/judge-answer.ts";
import type { Plan } from "#check/plan-calls.ts";
import type { PlannedCall } from "#check/planned-call.ts";
import { createRedact, type Redact } from "#check/redact.ts";
import { sentences, UserError } from "#errors.ts";
import type { McpConnection, ToolAnswer } from "#mcp-client/connection.ts";
import type { Progress } from "#mcp-client/progress.ts";
import { clip } from "#text/display.ts";
import { nearestName } from "#text/nearest.ts";

/** The terms of the calls of a plan. */
export type PlayTerms = {
  /** For a call without a timeout of its own. */
  readonly timeoutMs: number;
  /** The line of progress. */
  readonly begin: Progress["begin"];
  /** Names of the tools that the server lists. */
  readonly tools: readonly string[];
};

/** The calls of a plan as they ended. */
export type MadeCalls = {
  readonly attempts: readonly CallAttempt[];
  /** Present when the server failed at a call: the error to end with. The calls that follow it are skipped. */
  readonly failure: UserError | undefined;
};

type Round = { readonly planned: PlannedCall; readonly round: number };

/**
 * Makes the calls one after the other, except for those that are skipped or whose tool is not listed: no client would
 * make these.
 */
export async function makeCalls(
  server: Pick<McpConnection, "call">,
  { calls, secrets }: Plan,
  { timeoutMs, begin, tools }: PlayTerms,
): Promise<MadeCalls> {
  const redact = createRedact(secrets);
  const rounds = calls.flatMap(roundsOf);
  const attempts: CallAttempt[] = [];
  let failure: UserError | undefined;
  let failedAt: string | undefined;
  for (const [at, round] of rounds.entries()) {
    const { planned } = round;
    const unmade = withoutCall(round, tools, failedAt);
    if (unmade) {
      attempts.push(unmade);
      continue;
    }
    begin(`call ${at + 1} of ${rounds.length}: ${clip(planned.name)}`);
    try {
      attempts.push(await makeCall(server, round, { timeoutMs, redact }));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const reason = redact(error.message);
      attempts.push({
        ...round,
        ...notMade,
        isError: true,
        error: reason,
        failure: "server_failed",
      });
      failedAt = planned.name;
      failure = new UserError(
        sentences.serverFailedAtCall(clip(planned.name), reason),
        error.exitCode,
      );
    }
  }
  return { attempts, failure };
}

/** The attempt at a call that is not made; undefined for one that is. */
function withoutCall(
  { planned, round }: Round,
  tools: readonly string[],
  failedAt: string | undefined,
): CallAttempt | undefined {
  const after = failedAt === undefined ? undefined : sentences.callsAfterFailure(failedAt);
  const skip = planned.skip ?? after;
  if (skip !== undefined) return { planned: { ...planned, skip }, round, ...notMade };
  const { tool } = planned;
  if (tools.includes(tool)) return undefined;
  const error = sentences.toolUnlisted(tool, nearestName(tool, tools));
  return { planned, round, ...notMade, error, failure: "unlisted_tool" };
}

async function makeCall(
  server: Pick<McpConnection, "call">,
  { planned, round }: Round,
  { timeoutMs, redact }: { readonly timeoutMs: number; readonly redact: Redact },
): Promise<CallAttempt> {
  const { tool, sent } = planned;
  const within = planned.timeoutMs ?? timeoutMs;
  const answer = await server.call({ tool, arguments: sent, timeoutMs: within, clean: redact });
  const { result: _result, ...ending } = answer;
  const unmet = judgeAnswer(planned.expectations, answerIn(textOrResult(answer)), redact);
  return { planned, round, ...ending, unmet };
}

const notMade = {
  isError: false,
  isAnswered: false,
  error: null,
  unmet: [],
  requestId: null,
} as const;

function roundsOf(planned: PlannedCall): Round[] {
  const rounds = planned.skip === undefined ? planned.repeat : 1;
  return Array.from({ length: rounds }, (_, at) => ({ planned, round: at + 1 }));
}

/** The result of a call; of a JSON-RPC error its message, as the text of a result. */
function textOrResult({ result, error }: ToolAnswer): unknown {
  return result ?? { content: [{ type: "text", text: error ?? "" }] };
}

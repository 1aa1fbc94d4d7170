import { answerIn } from "#check/answer.ts";
import type { CallAttempt } from "#check/judge-calls.ts";
import { judgeAnswer } from "#check/judge-answer.ts";
import type { PlannedCall } from "#check/planned-call.ts";
import type { Redact } from "#check/redact.ts";
import { UserError } from "#kit/errors.ts";
import type { McpConnection } from "#check/mcp-client/connection.ts";
import type { Progress } from "#check/mcp-client/progress.ts";
import type { StructureComparer } from "#check/mcp-client/structures/structure-comparer.ts";
import type { ToolAnswer } from "#check/mcp-client/tool-call.ts";
import { clip } from "#kit/text/display.ts";
import { nearestName } from "#kit/text/nearest.ts";
import { type JsonObject, memberAt, textAt } from "#wire/json.ts";
import { findStructureFault } from "./output-schemas.ts";
import { findMalformation } from "#check/malformed-answer.ts";
import type { CallFault } from "#check/played-call.ts";
import { deniesTool } from "#check/unknown-tool.ts";
import type { Clean } from "#kit/text/one-line.ts";
import { checkSentences } from "./sentences.ts";

export type PlayTerms = AnswerTerms & {
  readonly timeoutMs: number;
  readonly begin: Progress["begin"];
  readonly clean: Redact;
  readonly comparer: Pick<StructureComparer, "compare">;
};

export type MadeCalls = {
  readonly attempts: readonly CallAttempt[];
  readonly failure: UserError | undefined;
};

type Round = { readonly planned: PlannedCall; readonly round: number };

/** Skips calls of unlisted tools: no client would make them. */
export async function makeCalls(
  server: Pick<McpConnection, "call">,
  calls: readonly PlannedCall[],
  terms: PlayTerms,
): Promise<MadeCalls> {
  const names = terms.tools.map((tool) => textAt(tool, "name") ?? "");
  const rounds = calls.flatMap(roundsOf);
  const attempts: CallAttempt[] = [];
  let failure: UserError | undefined;
  let failedAt: string | undefined;
  for (const [at, round] of rounds.entries()) {
    const { planned } = round;
    const unmade = withoutCall(round, names, failedAt);
    if (unmade) {
      attempts.push(unmade);
      continue;
    }
    terms.begin(`call ${at + 1} of ${rounds.length}: ${clip(planned.name)}`);
    try {
      attempts.push(await makeCall(server, round, terms));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const reason = terms.clean(error.message);
      attempts.push({
        ...round,
        ...notMade,
        isError: true,
        error: reason,
        failure: "server_failed",
      });
      failedAt = planned.name;
      failure = new UserError(
        checkSentences.serverFailedAtCall(clip(planned.name), reason),
        error.exitCode,
      );
    }
  }
  return { attempts, failure };
}

function withoutCall(
  { planned, round }: Round,
  tools: readonly string[],
  failedAt: string | undefined,
): CallAttempt | undefined {
  const after = failedAt === undefined ? undefined : checkSentences.callsAfterFailure(failedAt);
  const skip = planned.skip ?? after;
  if (skip !== undefined) return { planned: { ...planned, skip }, round, ...notMade };
  const { tool } = planned;
  if (tools.includes(tool)) return undefined;
  const error = checkSentences.toolUnlisted(tool, nearestName(tool, tools));
  return { planned, round, ...notMade, error, failure: "unlisted_tool" };
}

async function makeCall(
  server: Pick<McpConnection, "call">,
  { planned, round }: Round,
  terms: PlayTerms,
): Promise<CallAttempt> {
  const { tool, sent } = planned;
  const timeoutMs = planned.timeoutMs ?? terms.timeoutMs;
  const inputSchema = memberAt(definitionOf(terms.tools, tool), "inputSchema");
  const answer = await server.call({ tool, arguments: sent, timeoutMs, inputSchema });
  // The result is not kept: there may be thousands.
  const { isError, isAnswered, error, requestId } = answer;
  const { expectations } = planned;
  // Read again only for numbers that are compared.
  const line = expectations.some(({ rule }) => rule === "equals") ? answer.line : undefined;
  const unmet = judgeAnswer(expectations, answerIn(textOrResult(answer), line), terms.clean);
  const fault = findFault(answer, tool, terms) ?? (await findStructureFault(answer, tool, terms));
  return { planned, round, isError, isAnswered, error, requestId, unmet, fault: fault ?? null };
}

const notMade = {
  isError: false,
  isAnswered: false,
  error: null,
  unmet: [],
  fault: null,
  requestId: null,
} as const;

function roundsOf(planned: PlannedCall): Round[] {
  const rounds = planned.skip === undefined ? planned.repeat : 1;
  return Array.from({ length: rounds }, (_, at) => ({ planned, round: at + 1 }));
}

function textOrResult({ result, error }: ToolAnswer): unknown {
  return result ?? { content: [{ type: "text", text: error ?? "" }] };
}

type AnswerTerms = {
  readonly tools: readonly JsonObject[];
  readonly isModern: boolean;
  readonly clean: Clean;
};

function findFault(
  { isError, errorCode, error, result }: ToolAnswer,
  tool: string,
  { tools, isModern, clean }: AnswerTerms,
): CallFault | undefined {
  const said = { code: errorCode, text: error ?? "" };
  if (isError && deniesTool(said, tool)) {
    return { rule: "unknown_tool", text: checkSentences.toolDenied(said.text) };
  }
  if (result === undefined) return undefined;
  const hasOutputSchema = memberAt(definitionOf(tools, tool), "outputSchema") !== undefined;
  const text = findMalformation(result, { hasOutputSchema, isModern, clean });
  return text === undefined ? undefined : { rule: "malformed_answer", text };
}

/** Of a name listed twice, clients take the last definition. */
function definitionOf(tools: readonly JsonObject[], name: string): JsonObject | undefined {
  return tools.findLast((one) => textAt(one, "name") === name);
}

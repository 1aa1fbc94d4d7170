import type { Plan, PlannedCall } from "#check/plan-calls.ts";
import {
  type SchemaRejection,
  findOutputSchemaFault,
  findRejectingSdks,
  describeOutputMismatch,
} from "#check/output-schema-problems.ts";
import { createRedactor } from "#check/redact-known-values.ts";
import type { ListFault, ListsAfterCalls } from "#check/list-changes-and-faults.ts";
import { UserError } from "#kit/errors.ts";
import type { Ending, Io } from "#kit/io.ts";
import type { ServerListing } from "#lock/profile.ts";
import { findListFaults } from "#check/mcp-client/list-faults.ts";
import type { McpConnection } from "#check/mcp-client/connection.ts";
import { OutputValidator } from "#check/mcp-client/structured-content/output-validator.ts";
import {
  makeServerListing,
  type Progress,
  type ResolvedServer,
  type Visit,
  visitServer,
} from "#check/mcp-client/visit.ts";
import type { MeterRecord } from "#records/record.ts";
import { type Tell, Teller } from "#kit/text/teller.ts";
import type { ServerOptions } from "../connection-options.ts";
import { basename } from "node:path";
import { createDefinitionCache } from "#tokens/cost/count-definition.ts";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import { isRemote } from "#check/mcp-client/transports.ts";
import type { LineHandler } from "#check/mcp-client/traffic.ts";
import { sha256 } from "#kit/os/hash.ts";
import { Observer } from "#transport/proxy/observer.ts";
import { Meter } from "#meter/session/meter.ts";
import { version } from "#kit/version.ts";
import { createReaderChooser } from "../reader-chooser.ts";
import { findMalformation } from "#check/malformed-answer.ts";
import type { CallAttempt, CallFault } from "#check/judge-calls.ts";
import { judgeAnswer, readAnswer } from "#check/expected-content.ts";
import { saysToolIsUnknown, type ToolCallOutcome } from "#check/mcp-client/tool-call.ts";
import { clip } from "#kit/text/columns.ts";
import { type Redactor } from "#kit/text/unsafe-text.ts";
import { findNearestName } from "#kit/text/match-names.ts";
import { commonSentences } from "#kit/sentences.ts";
import { type JsonObject, readMember, readString, isObject } from "#wire/json.ts";
import { checkSentences } from "../sentences.ts";

export type PlayedVisit = CallsResult & {
  readonly listing: ServerListing;
  readonly rejections: readonly SchemaRejection[];
  readonly listFaults: readonly ListFault[];
  readonly listsAfterCalls: ListsAfterCalls | undefined;
  readonly records: readonly MeterRecord[];
};

export async function playCalls(
  plan: Plan,
  options: Omit<ServerOptions, "server"> & Pick<ResolvedServer, "target">,
  io: Io,
): Promise<PlayedVisit | { readonly interrupted: Ending }> {
  const meter = new CallMeter(options, new Teller(io.stderr).tell);
  const { target, timeoutMs } = options;
  const redact = createRedactor(plan.secrets);
  const validator = new OutputValidator(io);
  let isListingAgain = false;
  try {
    const visited = await visitServer(
      {
        target,
        timeoutMs,
        redact,
        work: async (server, showStep, { server: { era }, lists: { tools } }) => {
          const context = { timeoutMs, showStep, redact, tools, validator };
          const played = await play(server, plan, { ...context, isModern: era === "modern" });
          if (!shouldListAgain(played)) return { ...played, listsAfterCalls: undefined };
          isListingAgain = true;
          showStep("reading the lists again");
          return { ...played, listsAfterCalls: await readListsAgain(server, timeoutMs) };
        },
        makeLineHandler: () => {
          const handle = meter.start();
          return (from, line) => {
            // Definitions are counted in the first lists only, so the second reading is not metered.
            if (!isListingAgain) handle(from, line);
          };
        },
      },
      io,
    );
    if ("interrupted" in visited) return visited;
    const { visit } = visited;
    return { ...visit.result, ...collectListing(visit), records: await meter.finish() };
  } finally {
    validator.close();
  }
}

function collectListing(visit: Visit<unknown>): Pick<PlayedVisit, "listing" | "listFaults"> {
  const listFaults = findListFaults(visit.lists, visit.server.era === "modern");
  return { listing: makeServerListing(visit), listFaults };
}

async function play(
  server: Pick<McpConnection, "call">,
  { calls }: Plan,
  context: PlayContext & { readonly validator: OutputValidator },
): Promise<Pick<PlayedVisit, "rejections" | keyof CallsResult>> {
  context.showStep("compiling the output schemas");
  const rejections = await findRejectedSchemas(context.tools, context.isModern, context.validator);
  return { ...(await makeCalls(server, calls, context)), rejections };
}

// Any call may have changed the server's lists without a notification.
function shouldListAgain({ failure, attempts }: CallsResult): boolean {
  return failure === undefined && attempts.some(({ requestId }) => requestId !== null);
}

async function readListsAgain(
  server: Pick<McpConnection, "rereadLists">,
  timeoutMs: number,
): Promise<ListsAfterCalls> {
  try {
    return await server.rereadLists(timeoutMs);
  } catch (error) {
    if (error instanceof UserError) return { fault: error.message };
    throw error;
  }
}

type MeterOptions = Pick<ServerOptions, "reading" | "risk"> & Pick<ResolvedServer, "target">;

class CallMeter {
  readonly #options: MeterOptions;
  readonly #tell: Tell;
  #records: MeterRecord[] = [];
  #observer: Observer | undefined;

  constructor(options: MeterOptions, tell: Tell) {
    this.#options = options;
    this.#tell = tell;
  }

  // Drops the records of an earlier connection: after a failed probe, there is a second connection.
  start(): LineHandler {
    const { target, reading, risk } = this.#options;
    const program = isRemote(target) ? target.endpoint.host : basename(target.command[0] ?? "");
    const meter = new Meter({
      version,
      sessionId: crypto.randomUUID(),
      command: program,
      serverLabel: undefined,
      serverLabelFallback: program,
      risk: risk ?? riskThresholdsDefault,
      readerFor: createReaderChooser(reading),
      hash: sha256,
      definitionCache: createDefinitionCache(),
    });
    const records: MeterRecord[] = [];
    const observer = new Observer(meter, {
      record: (record) => records.push(record),
      failed: (where, what) => this.#tell(commonSentences.meteringFailed(where, what)),
    });
    this.#records = records;
    this.#observer = observer;
    return (from, line) => void observer.judgeLine(from, line);
  }

  async finish(): Promise<readonly MeterRecord[]> {
    await this.#observer?.finish({ code: 0 });
    return this.#records;
  }
}

type PlayContext = {
  readonly tools: readonly JsonObject[];
  readonly isModern: boolean;
  readonly redact: Redactor;
  readonly timeoutMs: number;
  readonly showStep: Progress["showStep"];
  readonly validator: Pick<OutputValidator, "validate">;
};

type CallsResult = {
  readonly attempts: readonly CallAttempt[];
  readonly failure: UserError | undefined;
};

type PlannedRound = { readonly planned: PlannedCall; readonly round: number };

// Does not call unlisted tools, because no client would.
export async function makeCalls(
  server: Pick<McpConnection, "call">,
  calls: readonly PlannedCall[],
  context: PlayContext,
): Promise<CallsResult> {
  const toolNames = context.tools.map((tool) => readString(tool, "name") ?? "");
  const rounds = calls.flatMap(expandRounds);
  const attempts: CallAttempt[] = [];
  let failure: UserError | undefined;
  let failedCall: string | undefined;
  for (const [index, plannedRound] of rounds.entries()) {
    const { planned } = plannedRound;
    const skipped = makeSkippedAttempt(plannedRound, toolNames, failedCall);
    if (skipped) {
      attempts.push(skipped);
      continue;
    }
    context.showStep(`call ${index + 1} of ${rounds.length}: ${clip(planned.name)}`);
    try {
      attempts.push(await makeCall(server, plannedRound, context));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const reason = context.redact(error.message);
      attempts.push({
        ...plannedRound,
        ...unansweredCall,
        isError: true,
        error: reason,
        failure: "server_failed",
      });
      failedCall = planned.name;
      failure = new UserError(
        checkSentences.serverFailedAtCall(clip(planned.name), reason),
        error.exitCode,
      );
    }
  }
  return { attempts, failure };
}

function makeSkippedAttempt(
  { planned, round }: PlannedRound,
  toolNames: readonly string[],
  failedCall: string | undefined,
): CallAttempt | undefined {
  const failureReason =
    failedCall === undefined ? undefined : checkSentences.serverFailedEarlier(failedCall);
  const skip = planned.skip ?? failureReason;
  if (skip !== undefined) return { planned: { ...planned, skip }, round, ...unansweredCall };
  const { tool } = planned;
  if (toolNames.includes(tool)) return undefined;
  const error = checkSentences.toolUnlisted(tool, findNearestName(tool, toolNames));
  return { planned, round, ...unansweredCall, error, failure: "unlisted_tool" };
}

async function makeCall(
  server: Pick<McpConnection, "call">,
  { planned, round }: PlannedRound,
  context: PlayContext,
): Promise<CallAttempt> {
  const { tool, filledArguments } = planned;
  const timeoutMs = planned.timeoutMs ?? context.timeoutMs;
  const inputSchema = readMember(findDefinition(context.tools, tool), "inputSchema");
  const answer = await server.call({ tool, arguments: filledArguments, timeoutMs, inputSchema });
  const { isError, isAnswered, error, requestId } = answer;
  const { expectations } = planned;
  // Only `equals` needs the raw line, to compare numbers exactly.
  const line = expectations.some(({ rule }) => rule === "equals") ? answer.line : undefined;
  const result = answer.result ?? { content: [{ type: "text", text: error ?? "" }] };
  const unmet = judgeAnswer(expectations, readAnswer(result, line), context.redact);
  const fault =
    findFault(answer, tool, context) ?? (await findOutputMismatch(answer, tool, context));
  return { planned, round, isError, isAnswered, error, requestId, unmet, fault: fault ?? null };
}

const unansweredCall = {
  isError: false,
  isAnswered: false,
  error: null,
  unmet: [],
  fault: null,
  requestId: null,
} as const;

function expandRounds(planned: PlannedCall): PlannedRound[] {
  const rounds = planned.skip === undefined ? planned.repeat : 1;
  return Array.from({ length: rounds }, (_, index) => ({ planned, round: index + 1 }));
}

function findFault(
  { isError, errorCode, error, result }: ToolCallOutcome,
  tool: string,
  { tools, isModern, redact }: PlayContext,
): CallFault | undefined {
  const callError = { code: errorCode, text: error ?? "" };
  if (isError && saysToolIsUnknown(callError, tool)) {
    return { rule: "unknown_tool", text: checkSentences.toolDenied(callError.text) };
  }
  if (result === undefined) return undefined;
  const hasOutputSchema = readMember(findDefinition(tools, tool), "outputSchema") !== undefined;
  const text = findMalformation(result, { hasOutputSchema, isModern, redact });
  return text === undefined ? undefined : { rule: "malformed_answer", text };
}

// Of two tools with the same name, clients use the last.
function findDefinition(tools: readonly JsonObject[], name: string): JsonObject | undefined {
  return tools.findLast((definition) => readString(definition, "name") === name);
}

export async function findRejectedSchemas(
  tools: readonly JsonObject[],
  isModern: boolean,
  validator: Pick<OutputValidator, "add">,
): Promise<SchemaRejection[]> {
  const rejections: SchemaRejection[] = [];
  for (const definition of tools) {
    const schema = readMember(definition, "outputSchema");
    if (schema === undefined) continue;
    const tool = readString(definition, "name") ?? "";
    const reason = findOutputSchemaFault(schema, isModern);
    if (reason !== undefined || !isObject(schema)) {
      // `sdk1`: only clients of SDK 1.x reject the whole list of tools. `list`: all clients reject the list.
      const rejectedBy = findRejectingSdks(schema, isModern) === "sdk1" ? "sdk1" : "list";
      rejections.push({ tool, reason: reason ?? "", rejectedBy });
      continue;
    }
    const rejection = await validator.add(tool, schema, isModern);
    if (rejection) rejections.push({ tool, ...rejection });
  }
  return rejections;
}

export async function findOutputMismatch(
  { result, isError }: Pick<ToolCallOutcome, "result" | "isError">,
  tool: string,
  { validator, redact }: Pick<PlayContext, "validator" | "redact">,
): Promise<CallFault | undefined> {
  const structure = readMember(result, "structuredContent");
  if (structure === undefined) return undefined;
  const fault = await validator.validate(tool, structure, isError);
  return fault && describeOutputMismatch(fault, redact);
}

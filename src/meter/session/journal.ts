import type { Gate } from "../budgets/gate.ts";
import { countsTokens } from "../budgets/gate-options.ts";
import type { Call, Instant, Closing } from "../calls/call.ts";
import type { Tracker } from "../calls/tracker.ts";
import { isTrialName } from "#tokens/cost/client-profiles/recognize-client.ts";
import { channelMethod } from "#tokens/cost/describe-calls.ts";
import { makeLockAlerts } from "#lock/lock-guard.ts";
import { trimTools } from "#lock/trim-tools.ts";
import { noTrim } from "#lock/hidden-tools.ts";
import { EntryList, ToolList } from "#tokens/cost/tool-list.ts";
import { describeReaderEstimation, type Reader } from "#tokens/cost/reader.ts";
import type { BudgetState, MeterRecord, RecordBody } from "#records/record.ts";
import { canonicalizeJson, readMember } from "#wire/json.ts";
import {
  isAppOnlyTool,
  isAppPage,
  readClientIntroduction,
  readServerIntroduction,
  type Side,
} from "#wire/message.ts";
import type { ParseOptions } from "#wire/parse-message.ts";
import { CallAlerts, findSlowCall } from "./call-alerts.ts";
import { UnmatchedNames } from "../budgets/budget-alerts.ts";
import { type Cause, type Finished, Recorder } from "./recorder.ts";
import type { EndEvent, MeterOptions } from "./event.ts";
import { type Introductions, makeSessionKey, Participants } from "./participants.ts";
import { chooseLabel } from "./server-label.ts";

// An unchanged session is not saved twice within this time.
const checkpointRepeatMinMs = 1_000;

export class Journal {
  readonly #options: MeterOptions;
  readonly #gate: Gate | undefined;
  readonly #participants: Participants;
  readonly #recorder: Recorder;
  readonly #alerts: CallAlerts;
  readonly #unmatchedNames: UnmatchedNames;
  readonly #hasTokenBudgets: boolean;
  readonly #tools = new ToolList();
  readonly #skills = new EntryList("skills");
  #hasUnrecordedList = false;
  #listHash: string | undefined;
  #started: Instant | undefined;
  #records: MeterRecord[] = [];
  #checkpointed = { recordCount: 0, atMs: 0 };

  constructor(options: MeterOptions, gate: Gate | undefined) {
    this.#options = options;
    this.#gate = gate;
    this.#participants = new Participants({
      readerFor: (client, version) => ({
        ...options.readerFor(client, version),
        tools: this.#tools,
      }),
      mayBeShared: options.transport === "http",
    });
    this.#hasTokenBudgets = countsTokens(options.gate);
    const deps = { ...options, hasTokenBudgets: this.#hasTokenBudgets };
    this.#recorder = new Recorder(options.sessionId, deps);
    this.#alerts = new CallAlerts(options.risk);
    this.#unmatchedNames = new UnmatchedNames(options.gate?.budgets ?? [], options.trim);
  }

  get reader(): Reader {
    return this.#participants.reader;
  }

  // An unknown client may show a number as it was sent (`1.0`) or rewritten (`1e2` as `100.0`). Token budgets count the
  // longest form, so the parser must keep the form that was sent.
  makeParseOptions(from: Side, guarded: Side | undefined): ParseOptions {
    const { parseShortText } = this.#options;
    const isCounted = from === "server" && this.#hasTokenBudgets;
    const keepsNumberSpellings = isCounted && this.reader.profile.isUnknown;
    return { keepsNumberSpellings, guarded, parseShortText };
  }

  get isModern(): boolean {
    return this.#participants.isModern;
  }

  // Of the known clients, only Claude Code reads channels, but it does not subscribe to channels of modern servers.
  // An unknown client may read any channel.
  get mayReadChannels(): boolean {
    const { formatChannel, isUnknown } = this.reader.profile;
    return formatChannel !== null && (isUnknown || !this.isModern);
  }

  get backlog(): number {
    return this.#recorder.backlog;
  }

  get isBehind(): boolean {
    return this.#recorder.isCountingBehind;
  }

  get started(): Instant | undefined {
    return this.#started;
  }

  begin(at: Instant): void {
    this.#started ??= at;
  }

  noteRequest(method: string, params: unknown, at: Instant): void {
    const introduction = readClientIntroduction(method, params);
    if (introduction && this.#participants.meetClient(introduction)) this.#recordAgain(at);
  }

  // True if no model reads the answer: it is the page of an MCP App, or it answers an app's call to an
  // app-only tool. A call with a `callId` comes from the model.
  isForApp({ from, method, request }: Call): boolean {
    if (from !== "client" || request.caller.callId !== undefined) return false;
    const { showsApps } = this.#participants.introductions;
    if (method === "resources/read") return showsApps && isAppPage(request.arguments);
    const mayBeForApp = method === "tools/call" && this.#hidesAppTools;
    return mayBeForApp && this.#tools.isForApps(request.tool ?? "");
  }

  get #hidesAppTools(): boolean {
    const { showsApps } = this.#participants.introductions;
    return showsApps || this.reader.profile.definitions.hidesAppTools === true;
  }

  noteAnswer({ method, subject }: Call, result: unknown, at: Instant): void {
    const introduction = readServerIntroduction(method, result);
    const hasNewInstructions =
      introduction !== undefined && this.#participants.meetServer(introduction);
    if (hasNewInstructions) this.#hasUnrecordedList = true;
    if (method !== "tools/list" && method !== "skills/list") return;
    this.#recorder.draftPending();
    (method === "tools/list" ? this.#tools : this.#skills).addPage(subject, result);
    this.#noteChangedList(at);
  }

  recordCall(call: Call, closing: Closing, at: Instant): void {
    if (isFailedList(call, closing)) this.#noteFailedList(call, closing, at);
    this.#recorder.add({ kind: "call", call, closing }, at);
    if (this.#recorder.isOpen) return;
    if (!this.#mayWait(call) || this.#recorder.isWaitingListFull) this.#startRecording(at);
  }

  // A client that only asks for capabilities may be a probe, with the real session in another process.
  #mayWait({ method, request }: Call): boolean {
    if (method === channelMethod) return this.#participants.introductions.client === undefined;
    return method === "server/discover" || (this.#isTrial && !request.isCall);
  }

  get #isTrial(): boolean {
    return isTrialName(this.#participants.introductions.client?.name);
  }

  addBodies(bodies: readonly RecordBody[], at: Instant): void {
    for (const body of bodies) this.#recorder.add({ kind: "body", body }, at);
  }

  count(charactersMax: number): void {
    this.#recorder.countSlice(charactersMax, this.#onFinished);
  }

  settle(): void {
    this.#recorder.settle(this.#onFinished);
  }

  recordPending(isProbe: boolean, at: Instant): void {
    if (!this.#recorder.isOpen && (isProbe || this.#isTrial)) return;
    if (this.#hasUnrecordedList) this.#addList(at);
    this.#startRecording(at);
  }

  end(makeBody: (sums: Recorder["sums"]) => RecordBody, at: Instant): void {
    if (!this.#recorder.isOpen) return;
    this.settle();
    this.#records.push(this.#recorder.stamp(makeBody(this.#recorder.sums), at));
  }

  checkpoint(makeBody: (sums: Recorder["sums"]) => RecordBody, at: Instant): void {
    if (!this.#recorder.isOpen) return;
    const { recordCount, atMs } = this.#checkpointed;
    if (recordCount === this.#recorder.recordCount && at.monoMs - atMs < checkpointRepeatMinMs)
      return;
    this.#records.push(this.#recorder.stamp(makeBody(this.#recorder.sums), at));
    this.#checkpointed = { recordCount: this.#recorder.recordCount, atMs: at.monoMs };
  }

  takeRecords(): readonly MeterRecord[] {
    if (this.#records.length === 0) return noRecords;
    const records = this.#records;
    this.#records = [];
    return records;
  }

  #startRecording(at: Instant): void {
    if (this.#recorder.isOpen) return;
    const reader = this.#participants.freezeReader();
    this.#recorder.open(this.#serverLabel, reader);
    this.#records.push(this.#recorder.stamp(this.#makeSessionBody(), this.#started ?? at));
  }

  #recordAgain(at: Instant): void {
    const hasNewProfile = this.#recorder.changeReader(this.reader);
    this.addBodies([this.#makeSessionBody()], at);
    if (!hasNewProfile || this.#listHash === undefined) return;
    this.#listHash = undefined;
    if (!this.#hasUnrecordedList) this.#addList(at);
  }

  get #serverLabel(): string {
    return chooseLabel(this.#participants.introductions, this.#options);
  }

  #makeSessionBody(): RecordBody {
    return makeSessionBody(this.#participants.introductions, this.reader, this.#options);
  }

  #noteFailedList({ method, subject }: Call, { outcome, error }: Closing, at: Instant): void {
    this.#recorder.draftPending();
    const isMissing = readMember(error, "code") === methodNotFound;
    if (method === "skills/list") this.#skills.fail(subject);
    // A server that does not implement tools/list has no tools.
    else if (isMissing) this.#tools.addPage(undefined, { tools: [] });
    else if (outcome === "ok") this.#tools.markPageUnread(subject);
    else this.#tools.fail(subject);
    this.#noteChangedList(at);
  }

  // Does not record the lists yet if more pages may follow, or if the tools have not been listed.
  #noteChangedList(at: Instant): void {
    this.#hasUnrecordedList = true;
    const [tools, skills] = [this.#tools.state, this.#skills.state];
    if (tools !== "cut_short" && tools !== "none" && skills !== "cut_short") this.#addList(at);
  }

  #addList(at: Instant): void {
    const { tools: all, total: listed, isComplete, state } = this.#tools;
    const { entries: skills } = this.#skills;
    const { instructions } = this.#participants.introductions;
    this.#hasUnrecordedList = false;
    const appOnlyTools = this.#hidesAppTools ? all.filter(isAppOnlyTool) : [];
    const forModel = appOnlyTools.length > 0 ? all.filter((tool) => !isAppOnlyTool(tool)) : all;
    const { shown: tools, hidden, unshortened } = trimTools(forModel, this.#options.trim ?? noTrim);
    const total = listed - appOnlyTools.length - hidden.length;
    const list = { tools, skills, appOnlyTools, hidden, total, isComplete, state };
    // An unchanged list is not recorded again, even if the server changed the member order.
    const hash = this.#options.hash(canonicalizeJson({ ...list, instructions }));
    if (hash === this.#listHash) return;
    this.#listHash = hash;
    this.#recorder.add({ kind: "definitions", list: { ...list, unshortened }, instructions }, at);
  }

  readonly #onFinished = (finished: Finished): void => {
    this.#records.push(finished.record);
    for (const next of this.#deriveBodies(finished)) {
      this.#records.push(this.#recorder.stamp(next, finished.at));
    }
  };

  #deriveBodies({ cause, record, shown, at }: Finished): readonly RecordBody[] {
    if (cause.kind === "body") return noBodies;
    if (cause.kind === "definitions") return this.#findListAlerts(record);
    this.#gate?.settleNotes(cause.call, record, shown?.limited === undefined);
    const charged = this.#charge(cause, record, at);
    const alerts = this.#alerts.find(record, shown);
    const slow = findSlowCall(record, cause.call.heldMs, this.#options.slowMs);
    return [...alerts, ...slow, ...charged];
  }

  #findListAlerts(record: MeterRecord): readonly RecordBody[] {
    const { lock } = this.#options;
    const lockAlerts = lock ? makeLockAlerts(record, lock) : noBodies;
    return [...lockAlerts, ...this.#unmatchedNames.find(record, this.#serverLabel)];
  }

  #charge({ call, didRun }: CallCause, record: MeterRecord, at: Instant): readonly RecordBody[] {
    if (!this.#gate) return noBodies;
    const isCounted = record.type === "call" && !record.truncated;
    const tokens = isCounted ? (record.most_tokens ?? record.total_tokens) : undefined;
    return this.#gate.settle(call, { tokens, didRun }, at.wallMs);
  }
}

const methodNotFound = -32_601;

function isFailedList({ from, method }: Call, { outcome, result }: Closing): boolean {
  if (from !== "client" || !["tools/list", "skills/list"].includes(method)) return false;
  return outcome === "rpc_error" || (outcome === "ok" && result === undefined);
}

type CallCause = Extract<Cause, { readonly kind: "call" }>;

const noRecords: readonly MeterRecord[] = [];
const noBodies: readonly RecordBody[] = [];

function makeSessionBody(
  { client, server, protocolVersion, era }: Introductions,
  reader: Reader,
  options: MeterOptions,
): RecordBody {
  const { estimator, profile, model, windowTokens } = reader;
  const { confidence, error } = describeReaderEstimation(reader);
  const machine = options.machine?.();
  return {
    type: "session",
    meter_version: options.version,
    command: options.command,
    ...(options.transport ? { transport: options.transport } : {}),
    ...(machine === undefined ? {} : { machine }),
    ...makeUserMember(options),
    ...makeSessionKey(profile.clientSessionId, options.hash),
    client_name: client?.name ?? null,
    client_version: client?.version ?? null,
    server_version: server?.version ?? null,
    protocol_version: protocolVersion ?? null,
    era: era ?? null,
    profile: profile.recordedAs,
    model,
    window: windowTokens,
    is_estimated: confidence !== "high",
    estimator: estimator.id,
    estimation_method: estimator.method,
    estimation_encoding: estimator.encoding,
    estimation_error: error,
    confidence,
  };
}

function makeUserMember({ user }: MeterOptions): { readonly user?: string } {
  return user === undefined ? {} : { user };
}

export type EndFacts = {
  readonly began: Instant;
  readonly bytes: { readonly client: number; readonly server: number };
  readonly tracker: Tracker;
  readonly sums: { readonly calls: number; readonly tokens: number };
  readonly budgets: readonly BudgetState[];
};

export function makeEndBody(
  event: EndEvent,
  { began, bytes, tracker, sums, budgets }: EndFacts,
): RecordBody {
  const { opaqueLines, notifications, unknownAnswers, lateAnswers } = tracker;
  return {
    type: "end",
    exit_code: event.exitCode,
    signal: event.signal,
    duration_ms: Math.round(event.at.monoMs - began.monoMs),
    client_bytes: bytes.client,
    server_bytes: bytes.server,
    calls: sums.calls,
    total_tokens: sums.tokens,
    notifications,
    opaque_client_lines: opaqueLines.client,
    opaque_server_lines: opaqueLines.server,
    unknown_answers: unknownAnswers,
    late_answers: lateAnswers,
    dropped_records: event.droppedRecords,
    observer_faults: event.observerFaults,
    budgets,
  };
}

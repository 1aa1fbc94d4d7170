import { type ChooseReader, describeReaderEstimation, type Reader } from "#tokens/cost/reader.ts";
import {
  type ClientIntroduction,
  type ServerIntroduction,
  type Era,
  type Implementation,
  type Caller,
  noCaller,
} from "#wire/message.ts";
import { nameCharactersMax } from "#kit/limits.ts";
import type { CallRecord, BudgetState, RecordBody } from "#records/record.ts";
import type { EndEvent, MeterOptions } from "./event.ts";
import type { Instant } from "../calls/call.ts";
import type { Tracker } from "../calls/tracker.ts";

export type Introductions = ServerIntroduction & {
  readonly era: Era | undefined;
  readonly client: Implementation | undefined;
  readonly showsApps: boolean;
};

export const noIntroductions: Introductions = {
  era: undefined,
  client: undefined,
  server: undefined,
  protocolVersion: undefined,
  instructions: undefined,
  showsApps: false,
};

/** A connection has one era: a handshake overrides the era of a failed probe. */
export function addClient(known: Introductions, client: ClientIntroduction): Introductions {
  return {
    ...known,
    era: client.era,
    client: client.client ?? known.client,
    protocolVersion: client.protocolVersion ?? known.protocolVersion,
    showsApps: client.showsApps,
  };
}

export function addServer(known: Introductions, server: ServerIntroduction): Introductions {
  return {
    ...known,
    server: server.server ?? known.server,
    protocolVersion: server.protocolVersion ?? known.protocolVersion,
    instructions: server.instructions ?? known.instructions,
  };
}

type ParticipantOptions = {
  readonly readerFor: ChooseReader;
  readonly mayBeShared: boolean; // several clients may connect, as behind a URL without sessions
};

export class Participants {
  readonly #readerFor: ParticipantOptions["readerFor"];
  readonly #mayBeShared: boolean;
  #introductions: Introductions = noIntroductions;
  #isFrozen = false;
  #isShared = false;
  #chosen: { readonly client: string | undefined; readonly reader: Reader } | undefined;

  constructor({ readerFor, mayBeShared }: ParticipantOptions) {
    this.#readerFor = readerFor;
    this.#mayBeShared = mayBeShared;
  }

  get introductions(): Introductions {
    return this.#introductions;
  }

  get isModern(): boolean {
    return this.#introductions.era === "modern";
  }

  get reader(): Reader {
    const client = this.#introductions.client?.name;
    if (!this.#chosen || (!this.#isFrozen && this.#chosen.client !== client)) {
      const reader = {
        ...this.#readerFor(client, this.#version),
        profile: this.#findProfile(client),
      };
      this.#chosen = { client, reader };
    }
    return this.#chosen.reader;
  }

  // Afterwards the estimator does not change, so that budgets and records count alike.
  freezeReader(): Reader {
    const { reader } = this;
    this.#isFrozen = true;
    return reader;
  }

  // True if the reader was frozen and now gets another profile. Its estimator stays.
  meetClient(introduction: ClientIntroduction): boolean {
    const { client: before } = this.#introductions;
    const showsApps = this.#showsApps(introduction);
    this.#introductions = addClient(this.#introductions, { ...introduction, showsApps });
    const { client } = this.#introductions;
    if (!client || client.name === before?.name) return false;
    if (before && this.#mayBeShared) {
      this.#isShared ||= !isSameProfile(
        this.#findProfile(before.name),
        this.#findProfile(client.name),
      );
    }
    if (!this.#isFrozen || !this.#chosen || (before && !this.#isShared)) return false;
    const { reader } = this.#chosen;
    const profile = this.#findProfile(client.name);
    this.#chosen = { client: client.name, reader: { ...reader, profile } };
    return before === undefined || !isSameProfile(reader.profile, profile);
  }

  // True if all clients that share the session show apps. Such clients hide the tools of apps from their models.
  #showsApps(introduction: ClientIntroduction): boolean {
    const { client, showsApps } = this.#introductions;
    const isAlone = !this.#mayBeShared || client === undefined;
    return introduction.showsApps && (isAlone || showsApps);
  }

  // True if the instructions changed.
  meetServer(introduction: ServerIntroduction): boolean {
    const { instructions } = this.#introductions;
    this.#introductions = addServer(this.#introductions, introduction);
    return this.#introductions.instructions !== instructions;
  }

  // Sharing clients with different profiles are treated as an unknown one: docs/adr/0018-unknown-clients.md.
  #findProfile(client: string | undefined): Reader["profile"] {
    return this.#readerFor(this.#isShared ? undefined : client, this.#version).profile;
  }

  get #version(): string | undefined {
    return this.#mayBeShared ? undefined : this.#introductions.client?.version;
  }
}

// Profiles are rebuilt for each version; their names identify them.
function isSameProfile(left: Reader["profile"], right: Reader["profile"]): boolean {
  return String(left.names) === String(right.names);
}

type Hash = (text: string) => string;

type ClientKeys = Pick<
  CallRecord,
  | "model"
  | "call_id_sha256"
  | "thread_id_sha256"
  | "client_session_id_sha256"
  | "turn_id_sha256"
  | "traceparent"
>;

/** Keys that pair a record with the client's log; undefined if the client sends none. */
export function makeClientKeys(caller: Caller, hash: Hash): ClientKeys | undefined {
  if (caller === noCaller) return undefined;
  const { model, callId, threadId, sessionId, turnId, traceParent } = caller;
  return {
    ...(model === undefined ? {} : { model }),
    ...(isId(callId) ? { call_id_sha256: hash(callId) } : {}),
    ...(isId(threadId) ? { thread_id_sha256: hash(threadId) } : {}),
    ...makeSessionKey(sessionId, hash),
    ...(isId(turnId) ? { turn_id_sha256: hash(turnId) } : {}),
    ...(traceParent === undefined ? {} : { traceparent: traceParent }),
  };
}

export function makeSessionKey(
  id: string | undefined,
  hash: Hash,
): Pick<ClientKeys, "client_session_id_sha256"> {
  return isId(id) ? { client_session_id_sha256: hash(id) } : {};
}

function isId(id: string | undefined): id is string {
  return id !== undefined && id !== "" && id.length <= nameCharactersMax;
}

export function chooseLabel({ server }: Introductions, options: MeterOptions): string {
  const label = options.serverLabel ?? server?.name ?? options.serverLabelFallback;
  return label.slice(0, nameCharactersMax);
}

export function makeSessionBody(
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

// A server that one of these starts gets the name of its script or package as its label.
const launchers = new Set([
  "node",
  "bun",
  "deno",
  "npx",
  "bunx",
  "uvx",
  "uv",
  "python",
  "python3",
  "sh",
  "env",
]);

// Subcommands and options that may stand between a launcher and its program, which also follows `-m`.
const launcherWords = new Set([
  "run",
  "x",
  "exec",
  "tool",
  "-y",
  "--yes",
  "-q",
  "--quiet",
  "-u",
  "-m",
  "--bun",
  "--silent",
]);

/** `npx -y @scope/server-git@1.2` → `server-git`. Uses no other arguments: they may hold secrets. */
export function makeServerLabel(command: readonly string[]): string {
  const [program = "", ...args] = command;
  const name = readLastSegment(program).replace(/\.(exe|cmd)$/i, "");
  if (!launchers.has(name)) return name;
  const script = args.find((arg) => !launcherWords.has(arg)) ?? "";
  if (!/^[\w@./\\][^\s=]*$/.test(script)) return name;
  return readLastSegment(script.replace(/(?<=.)@[^/]*$/, ""));
}

function readLastSegment(path: string): string {
  return /([^\\/]*)[\\/]*$/.exec(path)?.[1] ?? "";
}

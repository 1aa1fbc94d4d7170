import type { ChooseReader, Reader } from "#tokens/cost/reader.ts";
import {
  type ClientIntroduction,
  type ServerIntroduction,
  type Era,
  type Implementation,
  type Caller,
  noCaller,
} from "#wire/message.ts";
import { nameCharactersMax } from "#kit/limits.ts";
import type { CallRecord } from "#records/record.ts";

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

/** The latest era wins: a client's probe for the modern era may fail, and the client then sends `initialize`. */
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
  readonly mayBeShared: boolean; // several clients may connect, as over HTTP without sessions
};

export class Participants {
  readonly #readerFor: ParticipantOptions["readerFor"];
  readonly #mayBeShared: boolean;
  #introductions: Introductions = noIntroductions;
  #isFrozen = false;
  #hasSeveralProfiles = false;
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

  // May replace the profile even of a frozen reader. True if a frozen reader gets its first client or another profile.
  meetClient(introduction: ClientIntroduction): boolean {
    const { client: before } = this.#introductions;
    const showsApps = this.#showsApps(introduction);
    this.#introductions = addClient(this.#introductions, { ...introduction, showsApps });
    const { client } = this.#introductions;
    if (!client || client.name === before?.name) return false;
    if (before && this.#mayBeShared) {
      this.#hasSeveralProfiles ||= !isSameProfile(
        this.#findProfile(before.name),
        this.#findProfile(client.name),
      );
    }
    if (!this.#isFrozen || !this.#chosen || (before && !this.#hasSeveralProfiles)) return false;
    const { reader } = this.#chosen;
    const profile = this.#findProfile(client.name);
    this.#chosen = { client: client.name, reader: { ...reader, profile } };
    return before === undefined || !isSameProfile(reader.profile, profile);
  }

  // True if every client that shares the session shows apps. Such clients hide app-only tools from their models.
  #showsApps(introduction: ClientIntroduction): boolean {
    const { client, showsApps } = this.#introductions;
    const isAlone = !this.#mayBeShared || client === undefined;
    return introduction.showsApps && (isAlone || showsApps);
  }

  meetServer(introduction: ServerIntroduction): boolean {
    const { instructions } = this.#introductions;
    this.#introductions = addServer(this.#introductions, introduction);
    return this.#introductions.instructions !== instructions;
  }

  // Clients with different profiles in one session count as one unknown client: docs/adr/0015-ceiling.md.
  #findProfile(client: string | undefined): Reader["profile"] {
    return this.#readerFor(this.#hasSeveralProfiles ? undefined : client, this.#version).profile;
  }

  get #version(): string | undefined {
    return this.#mayBeShared ? undefined : this.#introductions.client?.version;
  }
}

// Compares names, because a profile may be a different object for each version of the client.
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

/** Makes the record members that come from a client's request. Most of them pair the record with the client's log. */
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

import { raceTimeout } from "#kit/os/race-timeout.ts";
import { UserError } from "#kit/errors.ts";
import type { Io } from "#kit/io.ts";
import { type Redactor, keepText, escapeUnsafe } from "#kit/text/unsafe-text.ts";
import { version } from "#kit/version.ts";
import type { Introduction } from "#lock/profile.ts";
import { type JsonObject, isObject, readArray, readMember, readString } from "#wire/json.ts";
import {
  describeTimeout,
  describeUnreadable,
  describeFirstLine,
  isTimeout,
  RefusedRequest,
  readSdkErrorCode,
  TimeoutError,
  UnusableAnswer,
  describeFailure,
  type FailedServer,
} from "./failure.ts";
import { readLists, rereadLists, type SendRequest, type ServerLists } from "./read-lists.ts";
import { Client } from "./sdk.ts";
import type { ComparedLists } from "../list-changes-and-faults.ts";
import {
  isRemote,
  openTransport,
  type ServerTarget,
  describeConnectFailure,
  nameTarget,
  type ServerTransport,
} from "./transports.ts";
import {
  makeFailedOutcome,
  makeResultOutcome,
  type ToolCallOutcome,
  type ToolCall,
} from "./tool-call.ts";
import { type LineHandler, Traffic } from "./traffic.ts";
import { isHeaderName } from "#wire/endpoint/mcp-endpoint.ts";
import { nameCharactersMax } from "#kit/limits.ts";
import { ServerFailure, type ServerFault } from "./stdio-server.ts";
import { mcpClientSentences } from "./sentences.ts";
import { schemaLevelsMax } from "#wire/schema-walk.ts";

// `#runWithin` limits the requests that use this timeout, so they need no other limit. The value is the longest that a
// timer accepts.
const noTimeoutMs = 2 ** 31 - 1;

// Malformed results are reported, so the SDK must not reject them.
const anyResult = {
  "~standard": {
    version: 1 as const,
    vendor: "mcp-meter",
    validate: (value: unknown): { readonly value: unknown } => ({ value }),
  },
};

export type ServerIdentity = {
  readonly name: string | null;
  readonly version: string | null;
  readonly protocolVersion: string | null;
  readonly era: "legacy" | "modern" | null;
  readonly instructions: string | undefined;
  readonly introduction: Introduction;
};

type ConnectionOptions = {
  readonly makeLineHandler: () => LineHandler;
  readonly redact?: Redactor | undefined;
};

// An older server may exit or fail when it is asked for the 2026 protocol. `connect` then connects again
// and begins with `initialize`. UserErrors from this class have exit code 3. A failed `connect`, `readLists` or
// `rereadLists` kills the server.
export class McpConnection {
  readonly #target: ServerTarget;
  readonly #io: Pick<Io, "platform" | "signals">;
  readonly #makeLineHandler: () => LineHandler;
  readonly #redact: Redactor;
  #transport: ServerTransport;
  #client: Client;
  #isEnded = false;

  constructor(
    target: ServerTarget,
    io: Pick<Io, "platform" | "signals">,
    { makeLineHandler, redact = keepText }: ConnectionOptions,
  ) {
    this.#target = target;
    this.#io = io;
    this.#makeLineHandler = makeLineHandler;
    this.#redact = redact;
    this.#transport = this.#createTransport();
    this.#client = createClient("auto", 0);
  }

  get traffic(): Pick<Traffic, "foreignLineCount" | "firstForeignLine"> {
    return this.#transport.traffic;
  }

  async connect(timeoutMs: number): Promise<ServerIdentity> {
    await this.#runWithin(timeoutMs, () => this.#negotiate(timeoutMs));
    return readIdentity(this.#client);
  }

  async readLists(timeoutMs: number): Promise<ServerLists> {
    const capabilities = this.#client.getServerCapabilities();
    return this.#runWithin(timeoutMs, () =>
      readLists(this.#requestList, capabilities, () => this.#transport.traffic.receivedBytes),
    );
  }

  async rereadLists(timeoutMs: number): Promise<ComparedLists> {
    const { traffic } = this.#transport;
    const earlierBytes = traffic.receivedBytes;
    const capabilities = this.#client.getServerCapabilities();
    return this.#runWithin(timeoutMs, () =>
      rereadLists(this.#requestList, capabilities, () => traffic.receivedBytes - earlierBytes),
    );
  }

  // If the server sends an error or no answer, the outcome has `isError`. Throws UserError if the server has ended,
  // cannot be reached or answers 401.
  async call({
    tool,
    arguments: args,
    timeoutMs,
    inputSchema,
  }: ToolCall): Promise<ToolCallOutcome> {
    const { traffic } = this.#transport;
    const previousId = traffic.lastRequestId;
    const readRequestId = (): ToolCallOutcome["requestId"] =>
      traffic.lastRequestId === previousId ? null : (traffic.lastRequestId ?? null);
    const isModern = this.#client.getProtocolEra() === "modern";
    const headers = isModern ? makeParameterHeaders(inputSchema, args) : {};
    try {
      const params = { name: tool, arguments: { ...args } };
      const result = await this.#request("tools/call", params, { timeout: timeoutMs, headers });
      const requestId = readRequestId();
      const outcome = makeResultOutcome(result, this.#redact);
      return { ...outcome, requestId, line: traffic.readResultLine(requestId) };
    } catch (error) {
      const isFatal = this.#transport.exit !== undefined || error instanceof UserError;
      if (isFatal) throw this.#makeFailure(error, timeoutMs);
      const errorCode = error instanceof RefusedRequest ? error.code : null;
      const reason = isTimeout(error) ? describeTimeout(timeoutMs) : this.#describeError(error);
      const requestId = readRequestId();
      return { ...makeFailedOutcome(reason, errorCode), requestId, line: undefined };
    }
  }

  async close(): Promise<void> {
    this.#isEnded = true;
    await this.#transport.close();
  }

  async kill(): Promise<void> {
    this.#isEnded = true;
    await this.#transport.kill();
  }

  async #negotiate(timeoutMs: number): Promise<void> {
    try {
      await this.#open("auto", timeoutMs);
    } catch (error) {
      if (!this.#transport.shouldRetry) throw error;
      await this.#transport.close();
      // No `await` may come between reading `#isEnded` and storing a new transport: `kill` ends only the stored one.
      if (this.#isEnded) throw error;
      this.#transport = this.#createTransport();
      await this.#open("legacy", timeoutMs);
    }
  }

  async #open(mode: "auto" | "legacy", timeoutMs: number): Promise<void> {
    // A legacy server on stdio may never answer the probe, so the probe gets only a third of the time.
    const probeMs = isRemote(this.#target) ? noTimeoutMs : Math.ceil(timeoutMs / 3);
    this.#client = createClient(mode, probeMs);
    try {
      await this.#client.connect(this.#transport, { timeout: timeoutMs });
    } catch (error) {
      throw this.#explainRefusal(error, "to connect", "initialize");
    }
    // A byte order mark makes the first answer unreadable. Our client connects anyway, because its first request is
    // only a probe. A client that begins with `initialize` would wait in vain, so the mark is an error.
    const unread = this.#transport.traffic.unreadableAnswer;
    if (unread?.cause !== "byte_order_mark") return;
    throw new UnusableAnswer(describeUnreadable(unread, "the first request"));
  }

  readonly #requestList: SendRequest = (method, params) =>
    this.#request(method, params, { timeout: noTimeoutMs });

  async #request(
    method: string,
    params: JsonObject,
    options: { readonly timeout: number; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<unknown> {
    try {
      return await this.#client.request({ method, params: { ...params } }, anyResult, options);
    } catch (error) {
      throw this.#explainRefusal(error, method);
    }
  }

  #createTransport(): ServerTransport {
    const traffic = new Traffic(this.#makeLineHandler(), this.#redact);
    return openTransport(this.#target, this.#io, traffic);
  }

  #explainRefusal(error: unknown, refusedAction: string, method = refusedAction): unknown {
    const code = readSdkErrorCode(error);
    if (typeof code !== "number") return this.#transport.explain(error);
    const { unreadableAnswer: unreadable, lastRequestId } = this.#transport.traffic;
    const isUnreadable = unreadable !== undefined && unreadable.requestId === lastRequestId;
    if (isUnreadable) return new UnusableAnswer(describeUnreadable(unreadable, method));
    return new RefusedRequest(refusedAction, code, describeFirstLine(error, this.#redact));
  }

  #describeError(error: unknown): string {
    return error instanceof UnusableAnswer ? error.message : describeFirstLine(error, this.#redact);
  }

  async #runWithin<T>(timeoutMs: number, work: () => Promise<T>): Promise<T> {
    try {
      return await raceTimeout(work(), timeoutMs, () => {
        throw new TimeoutError();
      });
    } catch (error) {
      const failure = error instanceof UserError ? error : this.#makeFailure(error, timeoutMs);
      await this.kill();
      throw failure;
    }
  }

  #makeFailure(error: unknown, timeoutMs: number): UserError {
    return explainConnectionFailure(error, {
      target: this.#target,
      transport: this.#transport,
      serverName: this.#client.getServerVersion()?.name,
      timeoutMs,
      redact: this.#redact,
    });
  }
}

function createClient(mode: "auto" | "legacy", probeMs: number): Client {
  return new Client(
    { name: "mcp-meter", version },
    {
      versionNegotiation: { mode, probe: { timeoutMs: probeMs } },
      enforceStrictCapabilities: false,
    },
  );
}

function readIdentity(client: Client): ServerIdentity {
  const server = client.getServerVersion();
  return {
    name: server?.name ?? null,
    version: server?.version ?? null,
    protocolVersion: client.getNegotiatedProtocolVersion() ?? null,
    era: client.getProtocolEra() ?? null,
    instructions: client.getInstructions(),
    introduction: readIntroduction(server),
  };
}

function readIntroduction(server: unknown): ServerIdentity["introduction"] {
  const [title, description] = [readString(server, "title"), readString(server, "description")];
  const websiteUrl = readString(server, "websiteUrl");
  const icons = readArray(server, "icons").filter(isObject);
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(websiteUrl === undefined ? {} : { websiteUrl }),
    ...(icons.length === 0 ? {} : { icons }),
  };
}

// In the modern era, clients repeat a scalar argument in a header. `x-mcp-header` in its schema names the header.
function makeParameterHeaders(
  inputSchema: unknown,
  args: unknown,
  levels: number = schemaLevelsMax,
): Readonly<Record<string, string>> {
  const properties = readMember(inputSchema, "properties");
  if (!isObject(properties) || levels === 0) return {};
  const headers = Object.entries(properties).map(([name, schema]) => {
    const value = isObject(args) && Object.hasOwn(args, name) ? args[name] : undefined;
    const header = readString(schema, "x-mcp-header");
    const text = formatArgument(value);
    const isSent = header !== undefined && isHeaderName(header) && text !== undefined;
    const entry = isSent ? { [`Mcp-Param-${header}`]: encodeHeader(text) } : {};
    return { ...entry, ...makeParameterHeaders(schema, value, levels - 1) };
  });
  return Object.assign({}, ...headers);
}

function formatArgument(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
}

function encodeHeader(text: string): string {
  const isPlain = /^[!-~](?:[\t -~]*[!-~])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}

type FailedConnection = {
  readonly target: ServerTarget;
  readonly transport: ServerTransport;
  readonly serverName: string | undefined;
  readonly timeoutMs: number;
  readonly redact: Redactor;
};

export function explainConnectionFailure(error: unknown, failed: FailedConnection): UserError {
  const { target, transport, serverName, timeoutMs, redact } = failed;
  const cause = transport.explain(error);
  if (cause instanceof UserError) return cause;
  const server: FailedServer = {
    life: transport.life,
    exit: transport.exit,
    foreignLineCount: transport.traffic.foreignLineCount,
    isRemote: isRemote(target),
  };
  const fault = makeServerFault(cause, server, timeoutMs);
  const label = serverName === undefined ? nameTarget(target) : redact(serverName);
  const name = escapeUnsafe(label.slice(0, nameCharactersMax));
  if (cause instanceof RefusedRequest && server.life !== "ended-by-itself") {
    const { action, code, message } = cause;
    return new ServerFailure(mcpClientSentences.serverRefused(name, action, message, code), fault);
  }
  const reason = describeFailure(cause, server, { timeoutMs, redact });
  // On stdio, any answer comes from a server; behind a URL, it may come from any website.
  const isServer =
    serverName !== undefined || (cause instanceof UnusableAnswer && !isRemote(target));
  const sentence = isServer
    ? mcpClientSentences.serverFailed(name, reason)
    : describeConnectFailure(target, reason);
  return new ServerFailure(sentence, fault);
}

export function makeServerFault(
  error: unknown,
  server: FailedServer,
  timeoutMs: number,
): ServerFault {
  const isEnded = server.life === "ended-by-itself";
  if (!isEnded && error instanceof RefusedRequest) {
    return { kind: "refused", reason: `it refused ${error.action} (${error.code})` };
  }
  const isSafeToShow = isEnded || error instanceof TimeoutError || error instanceof UnusableAnswer;
  // Any other message may quote the server, which a ServerFault must not do.
  const shown = isSafeToShow ? error : new UnusableAnswer("its answer is not valid");
  return {
    kind: classifyFault(error, isEnded),
    reason: describeFailure(shown, server, { timeoutMs, redact: keepText }),
  };
}

function classifyFault(error: unknown, isEnded: boolean): ServerFault["kind"] {
  if (isEnded) return "exited";
  return error instanceof TimeoutError ? "timeout" : "invalid_answer";
}

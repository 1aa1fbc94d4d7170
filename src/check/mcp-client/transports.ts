import { raceTimeout } from "#kit/os/race-timeout.ts";
import type { McpEndpoint } from "#wire/endpoint/mcp-endpoint.ts";
import { exitCodes, UserError } from "#kit/errors.ts";
import type { Io } from "#kit/io.ts";
import {
  type ServerLife,
  type ServerLaunch,
  serverExitMaxMs,
  StdioServer,
} from "./stdio-server.ts";
import type { Traffic } from "./traffic.ts";
import { version } from "#kit/version.ts";
import { readMember } from "#wire/json.ts";
import { TimeoutError, UnusableAnswer, foreignLinesMax } from "./failure.ts";
import { HttpAnswers, type HttpRefusal, UnreachableServer } from "./http-answers.ts";
import { StreamableHTTPClientTransport, type Transport } from "./sdk.ts";
import { commonSentences } from "#kit/sentences.ts";
import { mcpClientSentences } from "./sentences.ts";
import { LineSplitter, type Line } from "#wire/line.ts";

const locationCharactersMax = 200;

export type ServerTarget = ServerLaunch | { readonly endpoint: McpEndpoint };

export function isRemote(target: ServerTarget): target is Exclude<ServerTarget, ServerLaunch> {
  return "endpoint" in target;
}

export function openTransport(
  target: ServerTarget,
  io: Pick<Io, "platform" | "signals">,
  traffic: Traffic,
): ServerTransport {
  return isRemote(target)
    ? new HttpTransport(target.endpoint, traffic)
    : new StdioTransport(target, io, traffic);
}

export function nameTarget(target: ServerTarget): string {
  return isRemote(target) ? target.endpoint.shown : (target.command[0] ?? "");
}

export function describeConnectFailure(target: ServerTarget, reason: string): string {
  const name = nameTarget(target);
  return isRemote(target)
    ? mcpClientSentences.endpointUnusable(name, reason)
    : mcpClientSentences.serverUnreachable(name, reason);
}

type Message = Parameters<StreamableHTTPClientTransport["send"]>[0];
type SendOptions = Parameters<StreamableHTTPClientTransport["send"]>[1];

class HttpTransport extends StreamableHTTPClientTransport implements ServerTransport {
  readonly traffic: Traffic;
  readonly #endpoint: McpEndpoint;
  readonly #answers: HttpAnswers;
  #life: ServerLife = "new";
  #ending: Promise<void> | undefined;

  constructor(endpoint: McpEndpoint, traffic: Traffic) {
    const answers = new HttpAnswers(endpoint, traffic);
    const headers = new Headers({ "user-agent": `mcp-meter/${version}` });
    for (const [name, value] of endpoint.headers) headers.set(name, value);
    super(endpoint.url, { fetch: answers.fetch, requestInit: { headers } });
    this.traffic = traffic;
    this.#endpoint = endpoint;
    this.#answers = answers;
  }

  get life(): ServerLife {
    return this.#life;
  }

  get exit(): undefined {
    return undefined;
  }

  get shouldRetry(): boolean {
    return this.#answers.hasProbeFailed;
  }

  override async start(): Promise<void> {
    if (this.#life === "ended-by-us") throw new Error("Cannot start a transport that has ended");
    this.#life = "running";
    await super.start();
  }

  override async send(message: Message, options?: SendOptions): Promise<void> {
    this.traffic.encodeOutgoing(message);
    await super.send(message, options);
  }

  // Searches the causes, because the SDK wraps the errors of a probe.
  explain(error: unknown): unknown {
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      if (cause instanceof UnreachableServer) {
        return makeConnectError(
          commonSentences.upstreamUnreachable(this.#endpoint.shown, cause.message),
        );
      }
      if (cause instanceof UnusableAnswer || cause instanceof TimeoutError) return cause;
      const status = readMember(Reflect.get(cause, "data"), "status");
      const { refusal } = this.#answers;
      if (refusal && refusal.status === status) return this.#explainRefusal(refusal);
    }
    return error;
  }

  override close(): Promise<void> {
    this.#life = "ended-by-us";
    this.#ending ??= this.#end();
    return this.#ending;
  }

  kill(): Promise<void> {
    return this.close();
  }

  async #end(): Promise<void> {
    const ended = this.terminateSession().catch(() => undefined);
    await raceTimeout(ended, serverExitMaxMs, () => undefined);
    await super.close();
  }

  #explainRefusal({ method, status, requiresOauth, location }: HttpRefusal): Error {
    const { shown } = this.#endpoint;
    if (status === 401) {
      return makeConnectError(
        requiresOauth
          ? mcpClientSentences.oauthRequired(shown)
          : commonSentences.tokenRequired(shown),
      );
    }
    if (location !== undefined) {
      return new UnusableAnswer(
        `it redirects to ${this.traffic.quote(location, locationCharactersMax)}, which is not followed`,
      );
    }
    return new UnusableAnswer(`it answered ${method} with status ${status}`);
  }
}

function makeConnectError(sentence: string): UserError {
  return new UserError(sentence, exitCodes.serverUnreachable);
}

// The SDK recognizes a stdio transport by `stderr` and `pid`.
export class StdioTransport implements ServerTransport {
  readonly traffic: Traffic;
  readonly #server: StdioServer;
  #reading: Promise<void> = Promise.resolve();
  onmessage: ((message: unknown) => void) | undefined;
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;

  constructor(launch: ServerLaunch, io: Pick<Io, "platform" | "signals">, traffic: Traffic) {
    this.#server = new StdioServer(launch, io);
    this.traffic = traffic;
  }

  get pid(): number | null {
    return this.#server.pid;
  }

  get stderr(): null {
    return null;
  }

  get life(): ServerLife {
    return this.#server.life;
  }

  get exit(): string | undefined {
    return this.#server.exit;
  }

  get shouldRetry(): boolean {
    return this.life === "ended-by-itself";
  }

  async start(): Promise<void> {
    this.#server.start();
    this.#reading = this.#readAll();
    // `close` throws if reading failed. Until then, an unhandled rejection must not end our process.
    this.#reading.catch(() => undefined);
  }

  async send(message: unknown): Promise<void> {
    await this.#server.write(this.traffic.encodeOutgoing(message));
  }

  explain(error: unknown): unknown {
    return error;
  }

  async close(): Promise<void> {
    await this.#server.close();
    await this.#reading;
  }

  async kill(): Promise<void> {
    this.#server.kill();
    await this.close();
  }

  async #readAll(): Promise<void> {
    const splitter = new LineSplitter();
    try {
      for await (const chunk of this.#server.output()) {
        for (const line of splitter.push(chunk)) {
          this.#handleLine(line);
          if (this.traffic.foreignLineCount > foreignLinesMax) return;
        }
      }
      const last = splitter.end();
      if (last) this.#handleLine(last);
      // A server usually exits soon after it closes stdout. Error messages include the exit status.
      if (this.life === "ended-by-itself") await this.#server.waitForExit();
    } finally {
      if (this.life === "running") this.#server.kill();
      this.onclose?.();
    }
  }

  #handleLine(line: Line): void {
    for (const message of this.traffic.receive(line)) this.#deliver(message);
  }

  // Skips a message on which the SDK throws, as the SDK's own transport does.
  #deliver(message: unknown): void {
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

export type ServerTransport = Transport & {
  readonly traffic: Traffic;
  readonly life: ServerLife;
  readonly exit: string | undefined;
  // True if the server exited, closed stdout or failed the HTTP probe: the server may be too old for the 2026 protocol.
  readonly shouldRetry: boolean;
  // Returns a UserError, an UnusableAnswer, a TimeoutError, or the error itself.
  explain(error: unknown): unknown;
  kill(): Promise<void>;
};

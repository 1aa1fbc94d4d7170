import type { McpEndpoint } from "#wire/endpoint/mcp-endpoint.ts";
import { exitCodes, UserError } from "#kit/errors.ts";
import type { Io } from "#kit/io.ts";
import type { ServerTransport } from "./server-transport.ts";
import { type ServerLife, type ServerStart, serverExitMaxMs } from "./stdio-server.ts";
import { StdioTransport } from "./stdio-transport.ts";
import type { Traffic } from "./traffic.ts";
import { version } from "#kit/version.ts";
import { memberAt } from "#wire/json.ts";
import { TimeoutError, UselessAnswer } from "./failure.ts";
import { HttpAnswers, type HttpRefusal, NotReached } from "./http-answers.ts";
import { StreamableHTTPClientTransport } from "./sdk.ts";
import { mcpClientSentences } from "./sentences.ts";

const locationCharactersMax = 200;

export type ServerTarget = ServerStart | { readonly endpoint: McpEndpoint };

export function isRemote(target: ServerTarget): target is Exclude<ServerTarget, ServerStart> {
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

export function targetName(target: ServerTarget): string {
  return isRemote(target) ? target.endpoint.shown : (target.command[0] ?? "");
}

export function cannotConnect(target: ServerTarget, reason: string): string {
  const name = targetName(target);
  return isRemote(target)
    ? mcpClientSentences.endpointUnusable(name, reason)
    : mcpClientSentences.serverUnreachable(name, reason);
}

type Message = Parameters<StreamableHTTPClientTransport["send"]>[0];
type SendOptions = Parameters<StreamableHTTPClientTransport["send"]>[1];

/** Sessions, protocol headers, redirects inside one origin and resumed streams are the SDK's. We read answers first. */
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

  /** Breaks on the probe for the newer era, or answers something else. */
  get isToBeAskedAgain(): boolean {
    return this.#answers.hasFailedProbe;
  }

  override async start(): Promise<void> {
    if (this.#life === "ended-by-us") throw new Error("Cannot start a transport that has ended");
    this.#life = "running";
    await super.start();
  }

  override async send(message: Message, options?: SendOptions): Promise<void> {
    this.traffic.sent(message);
    await super.send(message, options);
  }

  /** The SDK wraps the errors of a probe. */
  explained(error: unknown): unknown {
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      if (cause instanceof NotReached) {
        const { reason } = cause;
        return unusable(mcpClientSentences.upstreamUnreachable(this.#endpoint.shown, reason));
      }
      if (cause instanceof UselessAnswer || cause instanceof TimeoutError) return cause;
      const status = memberAt(Reflect.get(cause, "data"), "status");
      const { refusal } = this.#answers;
      if (refusal && refusal.status === status) return this.#refused(refusal);
    }
    return error;
  }

  /** Says goodbye to a session, which may take a second. */
  override close(): Promise<void> {
    this.#life = "ended-by-us";
    this.#ending ??= this.#end();
    return this.#ending;
  }

  kill(): Promise<void> {
    return this.close();
  }

  async #end(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, serverExitMaxMs);
    await Promise.race([this.terminateSession().catch(() => undefined), late]);
    clearTimeout(timer);
    await super.close();
  }

  #refused({ method, status, wantsOauth, location }: HttpRefusal): Error {
    const { shown } = this.#endpoint;
    if (status === 401) {
      return unusable(
        wantsOauth
          ? mcpClientSentences.oauthWantedHere(shown)
          : mcpClientSentences.tokenWanted(shown),
      );
    }
    if (location !== undefined) {
      return new UselessAnswer(
        `it redirects to ${this.traffic.quoted(location, locationCharactersMax)}, which is not followed`,
      );
    }
    return new UselessAnswer(`it answered ${method} with status ${status}`);
  }
}

function unusable(sentence: string): UserError {
  return new UserError(sentence, exitCodes.serverUnreachable);
}

import { Client } from "@modelcontextprotocol/client";
import { exitCodes, sentences, UserError } from "#errors.ts";
import type { Io } from "#io.ts";
import { listBytesMax, listPagesMax, toolsListedMax } from "#limits.ts";
import { arrayAt, isObject, memberAt, textAt, type JsonObject } from "#wire/json.ts";
import { version } from "#version.ts";
import { codeOfError, failureOf, Late, messageOf } from "./failure.ts";
import { type Hear, ServerPipe } from "./pipe.ts";

/** Who a server says it is. */
export type ServerIdentity = {
  readonly name: string | null;
  readonly version: string | null;
  readonly protocolVersion: string | null;
  readonly era: "legacy" | "modern" | null;
  readonly instructions: string | undefined;
};

/** What a server offers, as it wrote it. Lists a server does not have are empty. */
export type ServerOffer = {
  readonly tools: readonly JsonObject[];
  readonly prompts: readonly JsonObject[];
  readonly resources: readonly JsonObject[];
  readonly resourceTemplates: readonly JsonObject[];
};

/** How one call ended: `error` holds the message of a JSON-RPC error or of an answer that never came. */
export type Played = {
  readonly isError: boolean;
  readonly error: string | null;
  /** Id of its request; null when none was sent. */
  readonly requestId: string | number | null;
};

/** Any result as it came: what we look at, we check ourselves. */
const asItCame = {
  "~standard": {
    version: 1 as const,
    vendor: "mcp-meter",
    validate: (value: unknown): { readonly value: unknown } => ({ value }),
  },
};

/**
 * A connection to a stdio server of our own, in either era: `server/discover` is asked first; a server that
 * refuses it is greeted as in 2025, and one that dies of it is started once more.
 *
 * Every method throws UserError with exit code 3 and one sentence when the server is not up to it.
 */
export class McpServer {
  readonly #command: readonly string[];
  readonly #io: Pick<Io, "platform" | "signals">;
  readonly #newListener: () => Hear;
  #pipe: ServerPipe;
  #client: Client;

  /** `newListener` is asked for whoever hears the lines of one connection; the last one's connection lasts. */
  constructor(
    command: readonly string[],
    io: Pick<Io, "platform" | "signals">,
    newListener: () => Hear,
  ) {
    this.#command = command;
    this.#io = io;
    this.#newListener = newListener;
    this.#pipe = new ServerPipe(command, io, newListener());
    this.#client = newClient("auto", 0);
  }

  async connect(timeoutMs: number): Promise<ServerIdentity> {
    await this.#within(timeoutMs, async () => {
      this.#client = newClient("auto", timeoutMs);
      try {
        await this.#client.connect(this.#pipe, { timeout: timeoutMs });
      } catch (error) {
        if (this.#pipe.exit === undefined) throw error;
        await this.#startAgain(timeoutMs);
      }
    });
    const server = this.#client.getServerVersion();
    return {
      name: server?.name ?? null,
      version: server?.version ?? null,
      protocolVersion: this.#client.getNegotiatedProtocolVersion() ?? null,
      era: this.#client.getProtocolEra() ?? null,
      instructions: this.#client.getInstructions(),
    };
  }

  /** Everything the server lists, all pages. */
  async offer(timeoutMs: number): Promise<ServerOffer> {
    const capabilities: unknown = this.#client.getServerCapabilities();
    const has = (name: string): boolean => memberAt(capabilities, name) !== undefined;
    const list = (is: boolean, method: string, key: string): Promise<JsonObject[]> =>
      is ? this.#list(method, key) : Promise.resolve([]);
    return this.#within(timeoutMs, async () => ({
      tools: await list(true, "tools/list", "tools"),
      prompts: await list(has("prompts"), "prompts/list", "prompts"),
      resources: await list(has("resources"), "resources/list", "resources"),
      resourceTemplates: await list(
        has("resources"),
        "resources/templates/list",
        "resourceTemplates",
      ),
    }));
  }

  /** Calls a tool. An answer that says it failed, or never comes, is a value; a server that dies is not. */
  async call(name: string, args: JsonObject, timeoutMs: number): Promise<Played> {
    const before = this.#pipe.lastRequest;
    const sent = (): Played["requestId"] => {
      const { lastRequest } = this.#pipe;
      return lastRequest === undefined || lastRequest === before ? null : lastRequest;
    };
    try {
      const request = { method: "tools/call", params: { name, arguments: { ...args } } };
      const result = await this.#client.request(request, asItCame, { timeout: timeoutMs });
      const isError = memberAt(result, "isError") === true;
      return { isError, error: null, requestId: sent() };
    } catch (error) {
      if (this.#pipe.exit !== undefined) throw this.#unreachable(error, timeoutMs);
      return { isError: true, error: messageOf(error), requestId: sent() };
    }
  }

  /** Ends the server, in its own time as far as it takes little. */
  async close(): Promise<void> {
    await this.#pipe.close();
  }

  /** Ends the server at once. */
  kill(): void {
    this.#pipe.kill();
  }

  async #startAgain(timeoutMs: number): Promise<void> {
    await this.#pipe.close();
    this.#pipe = new ServerPipe(this.#command, this.#io, this.#newListener());
    this.#client = newClient("legacy", timeoutMs);
    await this.#client.connect(this.#pipe, { timeout: timeoutMs });
  }

  async #list(method: string, key: string): Promise<JsonObject[]> {
    const items: JsonObject[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < listPagesMax && items.length <= toolsListedMax; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const result = await this.#ask(method, params);
      if (!Array.isArray(memberAt(result, key))) {
        throw new Error(`its answer to ${method} has no list of ${key}`);
      }
      if (this.#pipe.receivedBytes > listBytesMax) {
        throw new Error(`its lists are longer than ${listBytesMax / 1024 / 1024} MiB`);
      }
      items.push(...arrayAt(result, key).filter(isObject));
      cursor = textAt(result, "nextCursor");
      if (cursor === undefined) return items;
    }
    throw new Error(`its list of ${key} has no end`);
  }

  /** A method that a server does not know lists nothing, unless it is the one we came for. */
  async #ask(method: string, params: JsonObject): Promise<unknown> {
    try {
      return await this.#client.request({ method, params: { ...params } }, asItCame, {
        timeout: 2 ** 31 - 1,
      });
    } catch (error) {
      if (codeOfError(error) !== -32_601) throw error;
      const key = method.startsWith("resources/templates") ? "resourceTemplates" : undefined;
      return { [key ?? method.slice(0, method.indexOf("/"))]: [] };
    }
  }

  async #within<T>(timeoutMs: number, work: () => Promise<T>): Promise<T> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Late()), timeoutMs);
    try {
      return await Promise.race([work(), late]);
    } catch (error) {
      throw error instanceof UserError ? error : this.#unreachable(error, timeoutMs);
    } finally {
      clearTimeout(timer);
    }
  }

  #unreachable(error: unknown, timeoutMs: number): UserError {
    const [command = ""] = this.#command;
    const sentence = sentences.serverUnreachable(command, failureOf(error, this.#pipe, timeoutMs));
    return new UserError(sentence, exitCodes.serverUnreachable);
  }
}

function newClient(mode: "auto" | "legacy", timeoutMs: number): Client {
  // A legacy server may leave the probe unanswered; the greeting needs time of its own.
  const probe = { timeoutMs: Math.ceil(timeoutMs / 3) };
  return new Client(
    { name: "mcp-meter", version },
    { versionNegotiation: { mode, probe }, enforceStrictCapabilities: false },
  );
}

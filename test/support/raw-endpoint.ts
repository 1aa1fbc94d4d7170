import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isObject, readString, type JsonObject } from "#wire/json.ts";

export type SeenRequest = {
  readonly verb: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly message: JsonObject | undefined;
};

export type RawAnswer = (response: ServerResponse, asked: SeenRequest) => void;

export type RawAnswers = { readonly [method: string]: RawAnswer };

export const rawTool = { name: "t", description: "A tool", inputSchema: { type: "object" } };

export const json =
  (members: object, status: number = 200): RawAnswer =>
  (response, { message }) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: message?.["id"], ...members });
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  };

export const raw =
  (body: string | Uint8Array, type: string = "application/json", status: number = 200): RawAnswer =>
  (response) => {
    response.writeHead(status, { "content-type": type }).end(body);
  };

/** A stream of these parts, each in a chunk of its own; `%` is the id of the request. It ends unless it is `open`. */
export const events =
  (parts: readonly string[], open: "open" | "ends" = "ends"): RawAnswer =>
  (response, { message }) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const part of parts) response.write(part.replaceAll("%", JSON.stringify(message?.["id"])));
    if (open === "ends") response.end();
  };

export const endless =
  (begin: string, type: string): RawAnswer =>
  (response) => {
    response.writeHead(200, { "content-type": type });
    response.write(begin);
    const block = Buffer.alloc(1024 * 1024, "a");
    const write = (): void => {
      while (!response.destroyed && response.write(block));
    };
    response.on("drain", write);
    write();
  };

const serverInfo = { name: "raw", version: "1" };
const initialized = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo };

const greeting: RawAnswer = (response, asked) => {
  response.setHeader("mcp-session-id", "session-1");
  json({ result: initialized })(response, asked);
};

const legacyAnswers: RawAnswers = {
  GET: (response) => void response.writeHead(405).end(),
  DELETE: (response) => void response.writeHead(200).end(),
  "server/discover": json({ error: { code: -32_601, message: "Method not found" } }, 400),
  initialize: greeting,
  "tools/list": json({ result: { tools: [rawTool] } }),
  "tools/call": json({ result: { content: [{ type: "text", text: "ok" }] } }),
};

export class RawEndpoint implements Disposable {
  readonly seen: SeenRequest[] = [];
  readonly #server: Server;
  readonly #answers: RawAnswers;

  constructor(answers: RawAnswers = {}) {
    this.#answers = { ...legacyAnswers, ...answers };
    this.#server = createServer(this.listener);
    this.#server.listen(0, "127.0.0.1");
  }

  readonly listener = (request: IncomingMessage, response: ServerResponse): void =>
    void this.#answer(request, response);

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    return `http://127.0.0.1:${address.port}/mcp`;
  }

  get methods(): string[] {
    return this.seen.map(({ verb, message }) => readString(message, "method") ?? verb);
  }

  last(method: string): SeenRequest {
    const at = this.methods.lastIndexOf(method);
    const found = this.seen[at];
    if (!found) throw new Error(`no request ${method} among ${this.methods.join(", ")}`);
    return found;
  }

  [Symbol.dispose](): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("error", () => undefined);
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body: unknown =
      chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
    const { method: verb = "", url: path = "", headers } = request;
    const asked = { verb, path, headers, message: isObject(body) ? body : undefined };
    this.seen.push(asked);
    const method = asked.message?.["method"];
    const isNotification = asked.message !== undefined && asked.message["id"] === undefined;
    const answer = this.#answers[typeof method === "string" ? method : verb];
    if (answer) answer(response, asked);
    else response.writeHead(isNotification ? 202 : 404).end();
  }
}

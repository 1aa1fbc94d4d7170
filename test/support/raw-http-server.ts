import { createServer, type Server, type Socket } from "node:net";
import type { Message } from "./rpc.ts";

export type RawRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
  readonly message: Message | undefined;
};

export type RawPart = string | Uint8Array | Promise<unknown>;

/** An answer as it goes over the wire: parts that go out one by one, then the end of the connection; an open one has none. */
export type RawAnswer = { readonly parts: Iterable<RawPart>; readonly isOpen?: boolean };

type Answer = (request: RawRequest, write: (bytes: string | Uint8Array) => void) => RawAnswer;

export class RawHttpServer implements Disposable {
  readonly requests: RawRequest[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(answer: Answer): Promise<RawHttpServer> {
    const server = createServer();
    const raw = new RawHttpServer(server);
    server.on("connection", (socket) => raw.#read(socket, answer));
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    return raw;
  }

  get origin(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("it has no port");
    return `http://127.0.0.1:${address.port}`;
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  get open(): number {
    return this.#sockets.size;
  }

  [Symbol.dispose](): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #read(socket: Socket, answer: Answer): void {
    let got = Buffer.alloc(0);
    let isAnswered = false;
    this.#sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("data", (bytes: Buffer) => {
      got = Buffer.concat([got, bytes]);
      const request = isAnswered ? undefined : wholeRequest(got);
      if (!request) return;
      isAnswered = true;
      this.requests.push(request);
      void send(
        socket,
        answer(request, (part) => void socket.write(part)),
      );
    });
  }
}

async function send(socket: Socket, { parts, isOpen = false }: RawAnswer): Promise<void> {
  for (const part of parts) {
    if (part instanceof Promise) await part;
    else if (!socket.write(part)) await drained(socket);
    if (socket.destroyed) return;
  }
  if (!isOpen) socket.end();
}

async function drained(socket: Socket): Promise<void> {
  while (socket.writableNeedDrain && !socket.destroyed) await Bun.sleep(1);
}

function wholeRequest(bytes: Buffer): RawRequest | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const [first = "", ...lines] = bytes.subarray(0, headEnd).toString("latin1").split("\r\n");
  const [method = "", path = ""] = first.split(" ");
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  const from = headEnd + 4;
  const length = Number(headers.get("content-length") ?? 0);
  if (bytes.length < from + length) return undefined;
  const body = bytes.subarray(from, from + length).toString();
  return { method, path, headers, body, message: messageIn(body) };
}

function messageIn(body: string): Message | undefined {
  if (!body.startsWith("{")) return undefined;
  return JSON.parse(body);
}

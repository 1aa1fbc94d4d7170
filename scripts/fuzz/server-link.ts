import { createServer, type Server, type Socket } from "node:net";
import { frame, FrameReader, type FrameKind } from "./frames.ts";
import { Stream } from "./stream.ts";

/** The fuzzer's hand on its fake server: what the server reads arrives here, what it writes is ordered here. */
export class ServerLink {
  /** Bytes on the server's stdin. */
  readonly got = new Stream();
  /** Process id of the server, once it has started. */
  pid: number | undefined;
  readonly #listener: Server;
  readonly #connected: Promise<void>;
  #socket: Socket | undefined;

  constructor(socketPath: string) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#connected = promise;
    this.#listener = createServer((socket) => {
      this.#socket = socket;
      this.#follow(socket, resolve);
    });
    this.#listener.listen(socketPath);
  }

  /** Resolves when the server has started. */
  started(): Promise<void> {
    return this.#connected;
  }

  /** Orders the server to do something; a server that has exited does nothing. */
  order(kind: FrameKind, payload?: Uint8Array): void {
    this.#socket?.write(frame(kind, payload));
  }

  close(): void {
    this.#socket?.destroy();
    this.#listener.close();
  }

  #follow(socket: Socket, started: () => void): void {
    const reader = new FrameReader();
    socket.on("data", (chunk) => {
      for (const { kind, payload } of reader.push(Buffer.from(chunk))) {
        if (kind === "hello") {
          this.pid = Number(payload.toString());
          started();
        }
        if (kind === "data") this.got.add(payload);
        if (kind === "end") this.got.end();
      }
    });
    socket.on("close", () => this.got.end());
    socket.on("error", () => this.got.end());
  }
}

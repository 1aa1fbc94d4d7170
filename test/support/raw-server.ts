import { createServer, type Socket } from "node:net";

export type RawServer = Disposable & {
  readonly url: string;
  readonly requests: readonly string[];
};

export type RawAnswer = (socket: Socket, request: string) => unknown;

export async function rawServer(answer: RawAnswer): Promise<RawServer> {
  const requests: string[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => open.delete(socket));
    let text = "";
    socket.on("data", (bytes: Buffer) => {
      text += bytes.toString("latin1");
      const head = text.indexOf("\r\n\r\n");
      const length = Number(/^content-length: *(\d+)/im.exec(text)?.[1] ?? 0);
      if (head < 0 || text.length < head + 4 + length) return;
      const request = text.slice(0, head + 4 + length);
      text = text.slice(request.length);
      requests.push(request);
      void answer(socket, request);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/mcp`,
    requests,
    [Symbol.dispose]: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

export async function pour(socket: Socket, parts: Iterable<string | Uint8Array>): Promise<void> {
  for (const part of parts) {
    if (socket.destroyed) return;
    if (socket.write(part)) continue;
    await new Promise<void>((resolve) => {
      const go = (): void => {
        socket.off("drain", go).off("close", go);
        resolve();
      };
      socket.once("drain", go).once("close", go);
    });
  }
}

export function* times(count: number, part: string | Uint8Array): Generator<string | Uint8Array> {
  for (let at = 0; at < count; at += 1) yield part;
}

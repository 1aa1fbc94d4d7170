import { createServer } from "node:net";

export class RefusingProxy implements Disposable {
  readonly lines: string[] = [];
  readonly #server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (text) => {
      this.lines.push(text.toString().split("\r\n")[0] ?? "");
      socket.end("HTTP/1.1 502 no\r\n\r\n");
    });
  });

  static async start(): Promise<RefusingProxy> {
    const proxy = new RefusingProxy();
    await new Promise<void>((resolve) => void proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("it has no port");
    return `http://127.0.0.1:${address.port}`;
  }

  [Symbol.dispose](): void {
    this.#server.close();
  }
}

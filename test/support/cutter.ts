import { connect, createServer } from "node:net";

export type Cutter = AsyncDisposable & {
  readonly port: number;
  /** Cuts the connection in which these bytes come from the server, in front of their last one. */
  cutAt(text: string): void;
  readonly cuts: number;
};

export async function cutterTo(target: number): Promise<Cutter> {
  let wanted: string | undefined;
  let cuts = 0;
  const open = new Set<{ destroy: () => unknown }>();
  const server = createServer({ noDelay: true }, (client) => {
    const far = connect({ host: "127.0.0.1", port: target, noDelay: true });
    open.add(client).add(far);
    const end = (): void => {
      client.destroy();
      far.destroy();
    };
    for (const socket of [client, far]) {
      socket.on("error", end);
      socket.on("close", end);
    }
    client.on("data", (bytes) => far.write(bytes));
    let last = Buffer.alloc(0);
    far.on("data", (bytes: Buffer) => {
      const at = wanted === undefined ? -1 : Buffer.concat([last, bytes]).indexOf(wanted);
      if (at < 0 || wanted === undefined) {
        last = Buffer.concat([last, bytes]).subarray(-200);
        client.write(bytes);
        return;
      }
      const until = Math.max(0, at + wanted.length - 1 - last.length);
      wanted = undefined;
      cuts += 1;
      client.end(bytes.subarray(0, until), () => end());
      far.destroy();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    cutAt: (text) => (wanted = text),
    get cuts() {
      return cuts;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

import type { ClientPipes } from "#mcp-server/line-transport.ts";
import { isObject } from "#wire/json.ts";

/** The pipes of a client in memory: sends messages, or raw lines, and keeps everything that is written to it. */
export function rpcPipes(write: ClientPipes["write"] = async () => undefined) {
  const stream = new TransformStream<Uint8Array, Uint8Array>();
  const writer = stream.writable.getWriter();
  const bytes: Uint8Array[] = [];
  const sendRaw = (text: string): void => void writer.write(new TextEncoder().encode(text));
  return {
    input: stream.readable.getReader(),
    write: async (chunk: Uint8Array) => {
      bytes.push(chunk);
      return write(chunk);
    },
    sendRaw,
    send: (...messages: readonly object[]) => {
      for (const message of messages) {
        sendRaw(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
      }
    },
    end: () => void writer.close(),
    fail: (error: Error) => void writer.abort(error),
    /** The messages that were written so far. */
    received: () => {
      const lines = Buffer.concat(bytes).toString().split("\n").slice(0, -1);
      return lines.map((line) => {
        const value: unknown = JSON.parse(line);
        if (!isObject(value)) throw new Error(`not a message: ${line}`);
        return value;
      });
    },
  };
}

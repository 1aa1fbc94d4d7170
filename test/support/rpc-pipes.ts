import { PassThrough, Writable } from "node:stream";
import { isObject } from "#wire/json.ts";
import { eventually } from "./wait.ts";

export function rpcPipes(failure?: NodeJS.ErrnoException) {
  const input = new PassThrough();
  const bytes: Uint8Array[] = [];
  const output = new Writable({
    write: (chunk: Uint8Array, _, done) => {
      bytes.push(chunk);
      done(failure);
    },
  });
  const received = () => {
    const lines = Buffer.concat(bytes).toString().split("\n").slice(0, -1);
    return lines.map((line) => {
      const value: unknown = JSON.parse(line);
      if (!isObject(value)) throw new Error(`not a message: ${line}`);
      return value;
    });
  };
  const sendRaw = (text: string): void => void input.write(text);
  return {
    input,
    output,
    sendRaw,
    send: (...messages: readonly object[]) => {
      for (const message of messages) {
        sendRaw(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
      }
    },
    endAfter: async (answers: number) => {
      await eventually("the answers", () => received().length >= answers);
      input.end();
    },
    fail: (error: Error) => void input.destroy(error),
    received,
  };
}

import { describe, expect, test } from "bun:test";
import { servedBytesQueuedMax, servedLineBytesMax, servedRequestsMax } from "#limits/mcp-server.ts";
import { LineTransport } from "#mcp-server/line-transport.ts";
import { rpcPipes } from "../support/rpc-pipes.ts";
import { eventually } from "../support/wait.ts";

const ping = (id: number) => ({ id, method: "ping" });

type Pipes = ReturnType<typeof rpcPipes>;

/** A transport whose messages are kept, and answered by `answer`. */
async function opened(pipes: Pipes, answer: (id: string | number) => boolean = () => true) {
  const transport = new LineTransport(pipes);
  const messages: object[] = [];
  const errors: Error[] = [];
  const listeners: Pick<LineTransport, "onerror" | "onmessage"> = {
    onerror: (error) => errors.push(error),
    onmessage: (message) => {
      messages.push(message);
      if (!("method" in message) || !("id" in message) || !answer(message.id)) return;
      void transport.send({ jsonrpc: "2.0", id: message.id, result: {} });
    },
  };
  Object.assign(transport, listeners);
  await transport.start();
  return { transport, messages, errors };
}

describe("LineTransport", () => {
  test("delivers each line, however the chunks are cut, and the last one without its end", async () => {
    const pipes = rpcPipes();
    const { transport, messages } = await opened(pipes);
    const text = [1, 2].map((id) => JSON.stringify({ jsonrpc: "2.0", ...ping(id) })).join("\r\n\n");
    for (const character of text) pipes.sendRaw(character);
    pipes.end();
    await transport.ended;
    expect(messages).toEqual([1, 2].map((id) => ({ jsonrpc: "2.0", ...ping(id) })));
    expect(pipes.received().map(({ id }) => id)).toEqual([1, 2]);
  });

  test("answers lines that are not messages, with their id where there is one", async () => {
    const pipes = rpcPipes();
    const { transport, messages } = await opened(pipes);
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const long = "x".repeat(servedLineBytesMax);
    pipes.sendRaw("garbage\n[]\n[1,2]\n7\n\n \n");
    pipes.sendRaw(`{"jsonrpc":"2.0","id":1,"method":"ping","params":7}\n`);
    pipes.sendRaw(`{"jsonrpc":"2.0","id":2,"method":"ping","params":{"a":"${long}"}}\n`);
    pipes.sendRaw(`{"jsonrpc":"2.0","id":3,"method":"ping","params":{"a":${deep}}}\n`);
    pipes.end();
    await transport.ended;
    expect(messages).toEqual([]);
    const errors = pipes.received().map(({ id, error }) => [id, error]);
    const invalid = { code: -32_600, message: "Invalid request" };
    const notJson = { code: -32_700, message: "Parse error: not JSON" };
    expect(errors).toEqual([
      [null, notJson],
      [null, invalid],
      [null, invalid],
      [null, invalid],
      [1, invalid],
      [2, invalid],
      [3, invalid],
    ]);
  });

  test("a message that the server throws at is reported, and the next one is delivered", async () => {
    const pipes = rpcPipes();
    const { transport, errors } = await opened(pipes, (id) => {
      if (id === 1) throw new Error("thrown");
      return true;
    });
    pipes.send(ping(1), ping(2), { id: 1, result: {} });
    await eventually("an answer", () => pipes.received().length === 1);
    expect(errors.map(({ message }) => message)).toEqual(["thrown"]);
    await transport.close();
  });

  test("ends after the open requests are answered, but for subscriptions and cancelled ones", async () => {
    const pipes = rpcPipes();
    const { transport } = await opened(pipes, (id) => id === 9);
    let isEnded = false;
    void transport.ended.then(() => {
      isEnded = true;
    });
    pipes.send(ping(1), ping(2), { id: 3, method: "subscriptions/listen" }, ping(9));
    pipes.send({ method: "notifications/cancelled", params: { requestId: 2 } });
    pipes.end();
    await eventually("an answer", () => pipes.received().length === 1);
    await Bun.sleep(20);
    expect(isEnded).toBe(false);
    await transport.send({ jsonrpc: "2.0", id: 1, result: {} });
    await transport.ended;
    expect(transport.fault).toBeUndefined();
  });

  test("reads no further line while the client does not read its answers", async () => {
    const isRead = Promise.withResolvers<undefined>();
    const pipes = rpcPipes(() => isRead.promise);
    const { transport, messages } = await opened(pipes);
    const big = "x".repeat(servedBytesQueuedMax);
    transport.send({ jsonrpc: "2.0", id: "big", result: { big } }).catch(() => undefined);
    pipes.send(ping(1));
    await eventually("the first line", () => messages.length === 1);
    pipes.send(ping(2));
    await Bun.sleep(20);
    expect(messages).toHaveLength(1);
    isRead.resolve(undefined);
    await eventually("the second line", () => messages.length === 2);
    await transport.close();
  });

  test("reads no further line while too many requests are open", async () => {
    const pipes = rpcPipes();
    const { transport, messages } = await opened(pipes, () => false);
    for (let id = 0; id <= servedRequestsMax; id += 1) pipes.send(ping(id));
    await eventually("all", () => messages.length === servedRequestsMax + 1);
    pipes.send(ping(-1));
    await Bun.sleep(20);
    expect(messages).toHaveLength(servedRequestsMax + 1);
    await transport.send({ jsonrpc: "2.0", id: 0, result: {} });
    await eventually("one more", () => messages.length === servedRequestsMax + 2);
    await transport.close();
  });

  test("ends when the client does not read any more, and when its end cannot be read", async () => {
    const faults = [
      ["EPIPE", undefined],
      ["ENOSPC", { end: "stdout", reason: "ENOSPC" }],
    ] as const;
    for (const [code, fault] of faults) {
      const left = rpcPipes(async () => code);
      const { transport } = await opened(left);
      left.send(ping(1));
      await transport.ended;
      expect(transport.fault).toEqual(fault);
    }

    const broken = rpcPipes();
    const { transport: failed } = await opened(broken);
    broken.fail(new Error("EIO"));
    await failed.ended;
    expect(failed.fault).toEqual({ end: "stdin", reason: "EIO" });
  });
});

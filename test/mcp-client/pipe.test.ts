import { expect, test } from "bun:test";
import { ServerPipe } from "#mcp-client/pipe.ts";
import type { Io } from "#io.ts";

const io: Pick<Io, "platform" | "signals"> = {
  platform: process.platform,
  signals: {
    listen: () => () => undefined,
    send(pid, signal) {
      try {
        return process.kill(pid, signal);
      } catch {
        return false;
      }
    },
  },
};

async function spoken(script: string): Promise<{ messages: unknown[]; pipe: ServerPipe }> {
  const pipe = new ServerPipe(["sh", "-c", script], io, () => undefined);
  const messages: unknown[] = [];
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  Object.assign(pipe, {
    onmessage: (message: unknown) => void messages.push(message),
    onclose: () => resolve(),
  });
  await pipe.start();
  await closed;
  await pipe.close();
  return { messages, pipe };
}

test("ServerPipe delivers messages and elements of batches, and counts what is neither", async () => {
  const one = '{"jsonrpc":"2.0","id":1,"result":{}}';
  const { messages, pipe } = await spoken(
    `echo hello; echo; echo '${one}'; echo '[${one},${one}]'`,
  );
  expect(messages).toHaveLength(3);
  expect(pipe.foreignLines).toBe(1);
  expect(pipe.exit).toBe("ended with code 0");
  expect(pipe.receivedBytes).toBe(3 * one.length + 12);
});

test("ServerPipe answers for a result that is too deep to read", async () => {
  const deep = "[".repeat(600) + "]".repeat(600);
  const { messages } = await spoken(`echo '{"jsonrpc":"2.0","id":"x","result":${deep}}'`);
  expect(messages).toMatchObject([{ id: "x", error: { code: -31_901 } }]);
});

test("ServerPipe takes a server that ignores EOF and TERM with it", async () => {
  const pipe = new ServerPipe(
    ["sh", "-c", "trap '' TERM; while :; do sleep 0.1; done"],
    io,
    () => undefined,
  );
  await pipe.start();
  const startedMs = performance.now();
  await pipe.close();
  expect(pipe.exit).toBe("was killed by SIGKILL");
  expect(performance.now() - startedMs).toBeLessThan(3_500);
});

test("ServerPipe sends to a server that has gone, and nothing happens", async () => {
  const { pipe } = await spoken("exit 0");
  await pipe.send({ jsonrpc: "2.0", method: "notifications/x" });
  pipe.kill();
});

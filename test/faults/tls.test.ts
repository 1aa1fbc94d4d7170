import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { startMeter, waitMaxMs } from "../e2e/run.ts";
import { ownHome, startServe } from "../e2e/serving.ts";
import { call, textResult } from "../support/rpc.ts";
import { slowIf } from "../support/slow-cases.ts";

setDefaultTimeout(waitMaxMs);

const folder = join(import.meta.dir, "../fixtures/tls");
const [key = "", cert = ""] = ["key.pem", "certificate.pem"].map((name) =>
  readFileSync(join(folder, name), "utf8"),
);
const trusting = { NODE_EXTRA_CA_CERTS: join(folder, "certificate.pem") };

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

async function breakingServer(answer: string, breakOff: (socket: Socket) => void) {
  const open = new Set<Socket>();
  const inner = createTlsServer({ key, cert }, (socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => void socket.write(answer));
  });
  const innerPort = await listening(inner);
  const outer = createServer((socket) => {
    const behind = connect({ port: innerPort, host: "127.0.0.1" });
    for (const one of [socket, behind]) {
      open.add(one);
      one.on("error", () => undefined);
    }
    socket.pipe(behind);
    let bytes = 0;
    behind.on("data", (part: Buffer) => {
      bytes += part.length;
      socket.write(part);
      // The handshake is shorter than the answer.
      if (bytes > answer.length) setTimeout(() => breakOff(socket), 50);
    });
  });
  const port = await listening(outer);
  return {
    url: `https://localhost:${port}/mcp`,
    [Symbol.dispose]: () => {
      for (const socket of open) socket.destroy();
      outer.close();
      inner.close();
    },
  };
}

const text = JSON.stringify(textResult(1, "word ".repeat(2_000)));
const half = text.slice(0, text.length / 2);
const head = (line: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${line}\r\n\r\n`;

type Cut = {
  readonly form: string;
  readonly bytes: string;
  readonly got: string;
  readonly reason: string;
};

const brokenOff = { got: "broken off", reason: "was cut off or could not be read" };

const cuts: readonly Cut[] = [
  {
    form: "a body with a length",
    bytes: `${head(`content-length: ${text.length}`)}${half}`,
    ...brokenOff,
  },
  {
    form: "a body in chunks",
    bytes: `${head("transfer-encoding: chunked")}${half.length.toString(16)}\r\n${half}\r\n`,
    ...brokenOff,
  },
  {
    form: "a body that ends with the connection",
    bytes: `${head("connection: close")}${half}`,
    got: "no message",
    reason: "does not match this request",
  },
];

const breaks: readonly (readonly [name: string, breakOff: (socket: Socket) => void])[] = [
  ["ended", (socket) => void socket.end()],
  ["reset (slow)", (socket) => void socket.resetAndDestroy()],
];

async function messageFrom(url: URL): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const asked = fetch(url, { method: "POST", body: JSON.stringify(call(1, "x")), headers });
  const body = await asked.then((answer) => answer.text()).catch(() => undefined);
  if (body === undefined) return "broken off";
  try {
    return JSON.parse(body);
  } catch {
    return "no message";
  }
}

describe("row 179: a connection that breaks below TLS", () => {
  for (const [at, { form, bytes, got, reason }] of cuts.entries()) {
    test.each(breaks)(
      `row 179: ${form}, %s → no message, or our own error${slowIf(at > 0)}`,
      async (_, breakOff) => {
        using server = await breakingServer(bytes, breakOff);
        using home = ownHome();
        for (const words of [[], ["--budget", "1M/session"]]) {
          using serving = await startServe(home, server.url, words, trusting);
          const message = await messageFrom(serving.url);
          if (words.length === 0) expect(message).toBe(got);
          else
            expect(message).toMatchObject({
              id: 1,
              error: { message: expect.stringContaining(reason) },
            });
          await serving.end();
        }
        const profile = await startMeter(home, ["profile", "--url", server.url], { env: trusting });
        expect([profile.status, profile.stderr]).toEqual([
          3,
          expect.stringMatching(/^mcp-meter: Cannot connect to .*: its answer to initialize .*\n$/),
        ]);
      },
    );
  }
});

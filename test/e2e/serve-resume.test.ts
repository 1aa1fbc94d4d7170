import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { resumableOverHttp } from "../support/servers.ts";
import { StartedProcess } from "../support/started-process.ts";
import { onlyLog, waitMaxMs } from "./run.ts";
import { ownHome, startServe } from "./serving.ts";
import { connect, createServer } from "node:net";

setDefaultTimeout(waitMaxMs);

/** Where the connection is cut: between the client and `serve`, or between `serve` and the server; nowhere without a text. */
type Cut = { readonly side: "client" | "server"; readonly at?: string; readonly isTwice?: boolean };

const reconnectionOptions = {
  initialReconnectionDelay: 10,
  maxReconnectionDelay: 100,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 50,
};

async function play({ side, at, isTwice = false }: Cut) {
  using home = ownHome();
  using server = new StartedProcess(resumableOverHttp(isTwice));
  const port = Number(await server.firstLine());
  await using far = await cutterTo(port);
  const url = `http://127.0.0.1:${far.port}/mcp`;
  using serving = await startServe(home, url, ["--summary", "json"]);
  await using near = await cutterTo(Number(serving.url.port));
  const client = new Client({ name: "resuming", version: "1" });
  const address = new URL(`http://127.0.0.1:${near.port}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(address, { reconnectionOptions }));
  const cutter = side === "client" ? near : far;
  if (at !== undefined) cutter.cutAt(at);
  const answers = [];
  for (const text of ["first", "second"]) {
    const params = { name: "long", arguments: { text } };
    answers.push(await client.callTool(params, undefined, { onprogress: () => undefined }));
  }
  await client.close();
  expect(await serving.end()).toBe(0);
  const summary = JSON.parse(serving.err.slice(serving.err.indexOf("{")));
  const calls = (await onlyLog(home)).filter(({ type }) => type === "call");
  return { answers, cuts: cutter.cuts, summary, calls: calls.map(counted) };
}

function counted(record: Record<string, unknown>): Record<string, unknown> {
  const {
    ts: _ts,
    session_id: _session,
    duration_ms: _ms,
    seq: _seq,
    messages: _count,
    ...rest
  } = record;
  return rest;
}

describe("a stream that is cut", () => {
  const cuts: readonly (readonly [string, string])[] = [
    ["behind the event without data", '"message":"step 1"'],
    ["within a progress", '"message":"step 2"'],
    ["within its answer", "first and so on and so on"],
  ];
  for (const side of ["client", "server"] as const) {
    for (const [name, at] of cuts) {
      test(`${name}, towards the ${side}, and resumed: the call is there once, with its tokens (slow)`, async () => {
        const whole = await play({ side });
        expect(whole).toMatchObject({ cuts: 0, calls: [{ outcome: "ok" }, { outcome: "ok" }] });
        const cut = await play({ side, at });
        expect(cut.cuts).toBe(1);
        expect(cut.answers).toEqual(whole.answers);
        expect(cut.calls).toEqual(whole.calls);
        expect(cut.summary.unknown_answers).toBe(0);
      });
    }
  }
});

test("an answer that the server sends twice on the resumed stream counts once (slow)", async () => {
  const [whole, cut] = [
    await play({ side: "server" }),
    await play({ side: "server", at: "first and so on", isTwice: true }),
  ];
  expect([cut.cuts, cut.answers, cut.calls]).toEqual([1, whole.answers, whole.calls]);
  const { calls, total_tokens: tokens } = whole.summary.total;
  expect(cut.summary.total).toMatchObject({ calls, total_tokens: tokens });
});

type Cutter = AsyncDisposable & {
  readonly port: number;
  /** Cuts the connection in which these bytes come from the server, in front of their last one. */
  cutAt(text: string): void;
  readonly cuts: number;
};

async function cutterTo(target: number): Promise<Cutter> {
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

import { connect } from "node:net";
import { expect, setDefaultTimeout, test } from "bun:test";
import { openExchangesMax } from "#transport/http/reject-requests.ts";
import { rawServer } from "../support/raw-server.ts";
import { eventually } from "../support/wait.ts";
import { waitMaxMs } from "./run.ts";
import { ownHome, startServe } from "./serving.ts";

setDefaultTimeout(waitMaxMs);

const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n: hi\n\n";

const fewer = { BUN_CONFIG_MAX_HTTP_REQUESTS: "20" };

test.each([
  [{}, openExchangesMax],
  [fewer, openExchangesMax],
])(
  "%j: %i streams arrive, and one more is refused",
  async (env: Readonly<Record<string, string>>, open) => {
    using home = ownHome();
    using server = await rawServer((socket) => socket.write(head));
    using through = await startServe(home, server.url, ["--summary", "off"], env);
    const heads: string[] = [];
    const ask = () => {
      const socket = connect(Number(through.url.port), "127.0.0.1");
      socket.once("data", (text) => heads.push(text.toString().slice(0, 12)));
      socket.write("GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n");
      return socket;
    };
    const sockets = Array.from({ length: open }, ask);
    await eventually("all heads", () => heads.length === open);
    expect(new Set(heads)).toEqual(new Set(["HTTP/1.1 200"]));
    expect(server.requests).toHaveLength(open);
    sockets.push(ask());
    await eventually("one more", () => heads.length === open + 1);
    expect(heads.at(-1)).toBe("HTTP/1.1 503");
    for (const socket of sockets) socket.destroy();
    expect(await through.end()).toBe(0);
  },
);

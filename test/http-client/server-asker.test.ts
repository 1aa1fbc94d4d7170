import { describe, expect, test } from "bun:test";
import { Leaving } from "#http1/leaving.ts";
import { askerFor } from "#http-client/server-asker.ts";
import { awkwardServer } from "../support/awkward-server.ts";
import { bytesOf, textOf } from "../support/bytes.ts";
import { drained } from "../support/chunked.ts";
import { RawHttpServer } from "../support/raw-http-server.ts";

type Env = Parameters<typeof askerFor>[1];

function requestTo(url: string, leaving = new Leaving()) {
  const headers = new Headers({ "x-own": "1" });
  return { method: "POST", url: new URL(url), headers, body: bytesOf("{}"), leaving };
}

describe("askerFor", () => {
  test("our own connections send the headers of the client, and none besides", async () => {
    using server = await awkwardServer((_got, response) => void response.end("Hi"));
    const { ask, close } = askerFor(new URL(server.url), {}, () => 0);
    const answer = await ask(requestTo(server.url));
    expect(answer.body && textOf((await drained(answer.body))[0])).toBe("Hi");
    const names = Object.keys(server.got[0]?.request.headers ?? {});
    expect(names.toSorted()).toEqual(["connection", "content-length", "host", "x-own"]);
    close();
  });

  test.each([
    [{ http_proxy: "" }],
    [{ HTTP_PROXY: undefined }],
    [{ https_proxy: "http://other" }],
  ] as const)("%j names no proxy for a server without TLS", async (env: Env) => {
    using server = await awkwardServer((_got, response) => void response.end("Hi"));
    const { ask, close } = askerFor(new URL(server.url), env, () => 0);
    await ask(requestTo(server.url));
    expect(server.got[0]?.request.headers["user-agent"]).toBeUndefined();
    close();
  });

  test.each([[{ http_proxy: "http://other" }], [{ HTTP_PROXY: "http://other" }]])(
    "with %j, the runtime asks, which knows the proxies of its own environment",
    async (env: Env) => {
      using server = await awkwardServer((_got, response) => void response.end("Hi"));
      const { ask } = askerFor(new URL(server.url), env, () => 0);
      const answer = await ask(requestTo(server.url));
      expect(answer.body && textOf((await drained(answer.body))[0])).toBe("Hi");
      expect(server.got[0]?.request.headers["user-agent"]).toStartWith("Bun/");
    },
  );

  test("who leaves ends a request of the runtime too", async () => {
    using server = await RawHttpServer.start(() => ({ parts: [], isOpen: true }));
    const { ask } = askerFor(new URL(server.url), { http_proxy: "http://other" }, () => 0);
    const leaving = new Leaving();
    const asked = ask(requestTo(server.url, leaving));
    setTimeout(() => leaving.leave(), 5);
    expect(asked).rejects.toMatchObject({ name: "AbortError" });
  });
});

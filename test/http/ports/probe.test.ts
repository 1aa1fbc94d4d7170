import { expect, test } from "bun:test";
import { createServer } from "node:net";
import { probePort } from "#http/ports/probe.ts";
import { proxyTo } from "../../support/http-proxy.ts";
import { freePort } from "../../support/free-port.ts";

test("serve is known by its refusal, and forwards nothing", async () => {
  let asked = 0;
  const answer = () => new Response(`${(asked += 1)}`);
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
  using proxied = proxyTo(server.port ?? 0);
  expect(await probePort(Number(new URL(proxied.url).port))).toBe("serve");
  expect([asked, await probePort(server.port ?? 0)]).toEqual([0, "other"]);
  await server.stop(true);
});

test("nobody listens", async () => {
  expect(await probePort(freePort())).toBe("nobody");
});

test("a program that is silent, that talks without an end, and that hangs up is another one", async () => {
  for (const act of ["wait", "talk", "leave"] as const) {
    const sockets = new Set<{ destroy: () => unknown }>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => undefined);
      if (act === "talk") socket.write("x".repeat(1 << 20));
      if (act === "leave") socket.destroy();
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    expect([act, await probePort(port, 200)]).toEqual([act, "other"]);
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});

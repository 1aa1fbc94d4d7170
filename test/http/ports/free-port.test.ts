import { expect, test } from "bun:test";
import { isFreePort } from "#http/ports/free-port.ts";

test("a port is free when nobody listens on it, on loopback or on all addresses", async () => {
  for (const hostname of ["127.0.0.1", "0.0.0.0"]) {
    const server = Bun.serve({ hostname, port: 0, fetch: () => new Response() });
    const { port = 0 } = server;
    expect(isFreePort(port)).toBe(false);
    await server.stop(true);
    expect([isFreePort(port), isFreePort(port)]).toEqual([true, true]);
  }
});

import { expect, test } from "bun:test";
import { isFreePort } from "#http/ports/free-port.ts";
import { freePort } from "../../support/free-port.ts";

test("a port is free when nobody listens on it, on loopback or on all addresses", async () => {
  for (const hostname of ["127.0.0.1", "0.0.0.0"]) {
    // One that the system gives to no other program meanwhile.
    const port = freePort();
    const server = Bun.serve({ hostname, port, fetch: () => new Response() });
    expect(isFreePort(port)).toBe(false);
    await server.stop(true);
    expect([isFreePort(port), isFreePort(port)]).toEqual([true, true]);
  }
});

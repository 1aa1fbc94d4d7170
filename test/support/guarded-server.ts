import { spawn } from "node:child_process";
import { freePort } from "./free-port.ts";
import { everything } from "./servers.ts";
import { eventually } from "./wait.ts";

export type GuardedServer = AsyncDisposable & {
  readonly url: string;
  /** Requests of the protocol with the header, and without it. */
  readonly requests: { accepted: number; rejected: number };
};

export async function guardedServer(name: string, value: string): Promise<GuardedServer> {
  const requests = { accepted: 0, rejected: 0 };
  const port = freePort();
  const [node, script] = everything().argv;
  const server = spawn(node, [script ?? "", "streamableHttp"], {
    env: { ...process.env, PORT: String(port) },
    stdio: "ignore",
  });
  const guard = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname !== "/mcp") return new Response("no", { status: 404 });
      if (request.headers.get(name) !== value) {
        requests.rejected += 1;
        return new Response("no", { status: 403 });
      }
      requests.accepted += 1;
      const { method, headers, body, signal } = request;
      return fetch(`http://127.0.0.1:${port}${pathname}`, { method, headers, body, signal });
    },
  });
  let isUp = false;
  await eventually("server-everything listens", () => {
    void fetch(`http://127.0.0.1:${port}/mcp`).then(
      () => (isUp = true),
      () => undefined,
    );
    return isUp;
  });
  return {
    url: `http://127.0.0.1:${guard.port}/mcp`,
    requests,
    async [Symbol.asyncDispose]() {
      server.kill("SIGKILL");
      await guard.stop(true);
    },
  };
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";

/** A Redis of its own on a free port of the loopback, without a file. */
export async function startRedis(): Promise<{ readonly url: string; end(): void }> {
  const finder = createServer().listen(0, "127.0.0.1");
  await once(finder, "listening");
  const address = finder.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  finder.close();
  const flags = ["--port", String(port), "--bind", "127.0.0.1", "--save", ""];
  const child = spawn("redis-server", flags, { stdio: ["ignore", "pipe", "inherit"] });
  child.on("error", () => {
    throw new Error("redis-server is missing: apt-get install redis-server");
  });
  for await (const chunk of child.stdout) {
    if (String(chunk).includes("Ready to accept connections")) break;
  }
  return { url: `redis://127.0.0.1:${port}`, end: () => void child.kill() };
}

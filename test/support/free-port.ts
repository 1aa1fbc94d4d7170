/** The ports that systems give to whoever asks for any begin above: nobody is given one of these by chance. */
const [firstPort, lastPort] = [20_000, 32_000];
/** Each worker of `bun test --parallel` has its share of the ports: two workers never take the same one at once. */
const shares = 8;
const portsPerShare = (lastPort - firstPort) / shares;
const share = Number(process.env["BUN_TEST_WORKER_ID"] ?? 0) % shares;

let next = Math.floor(Math.random() * portsPerShare);

/** Returns a port of the loopback that nobody listens on, another one at each call. */
export function freePort(): number {
  for (;;) {
    const port = firstPort + share * portsPerShare + (next % portsPerShare);
    next += 1;
    if (isFree(port)) return port;
  }
}

function isFree(port: number): boolean {
  try {
    void Bun.serve({ hostname: "127.0.0.1", port, fetch: () => new Response() }).stop(true);
    return true;
  } catch {
    return false;
  }
}

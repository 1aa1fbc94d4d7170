/** The ports that systems give to whoever asks for any begin above: nobody is given one of these by chance. */
const [firstPort, lastPort] = [20_000, 32_000];

export function freePort(): number {
  for (;;) {
    const port = firstPort + Math.floor(Math.random() * (lastPort - firstPort));
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

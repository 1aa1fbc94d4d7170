/** Whether a program of this user could listen on a port of loopback now. */
export function isFreePort(port: number): boolean {
  try {
    const socket = { data: () => undefined };
    Bun.listen({ hostname: "127.0.0.1", port, exclusive: true, socket }).stop(true);
    return true;
  } catch {
    return false;
  }
}

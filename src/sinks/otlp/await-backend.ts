import { connect } from "node:net";
import { refusedMaxMs, refusedPauseMs } from "#limits/telemetry.ts";
import { errorCode } from "#os/error-code.ts";

/**
 * Waits until something listens at an address, for a bounded time in all; `refused` is called once when it does not at first. True also
 * where the connection fails in another way: to send has words for that.
 */
export async function awaitBackend(
  address: string,
  refused: () => void,
  maxMs: number = refusedMaxMs,
): Promise<boolean> {
  const end = performance.now() + maxMs;
  if (!(await isRefused(address))) return true;
  refused();
  while (performance.now() < end) {
    await Bun.sleep(refusedPauseMs);
    if (!(await isRefused(address))) return true;
  }
  return false;
}

/** True when nothing listens there, which shows at once. */
async function isRefused(address: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(address);
  const usualPort = protocol === "https:" ? 443 : 80;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(
    { host: hostname.replace(/^\[(.*)\]$/, "$1"), port: port === "" ? usualPort : Number(port) },
    () => resolve(false),
  );
  socket.setTimeout(refusedPauseMs, () => resolve(false));
  socket.on("error", (error) => resolve(errorCode(error) === "ECONNREFUSED"));
  const answer = await promise;
  socket.destroy();
  return answer;
}

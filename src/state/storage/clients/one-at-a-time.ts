import { closeSync, constants, mkdirSync, openSync } from "node:fs";
import { canLock, takeAlone } from "#kit/os/file-lock.ts";

// Each of the others at work takes some tens.
const changeWaitMsMax = 10_000;

const changePauseMs = 10;

/**
 * Locks out other mcp-meters with this state folder, which share its notes and copies. After some seconds, and where
 * nothing can be locked, it goes ahead all the same: settings that others changed meanwhile are never overwritten.
 */
export function oneAtATime<Result>(
  state: string,
  change: () => Result,
  waitMsMax: number = changeWaitMsMax,
): Result {
  const fd = canLock() ? openFolder(state) : undefined;
  if (fd === undefined) return change();
  try {
    const end = performance.now() + waitMsMax;
    while (!takeAlone(fd) && performance.now() < end) Bun.sleepSync(changePauseMs);
    return change();
  } finally {
    closeSync(fd);
  }
}

function openFolder(state: string): number | undefined {
  try {
    mkdirSync(state, { recursive: true, mode: 0o700 });
    return openSync(state, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

import { describe, expect, test, setDefaultTimeout } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { isGone } from "../support/processes.ts";
import { executable, fixture, Session, testMaxMs } from "../support/session.ts";
import { eventually } from "../support/wait.ts";

setDefaultTimeout(testMaxMs);

const rounds = Number(process.env["HANG_LOOPS"] ?? 4);

/** Milliseconds between the moments: the command starts within 50 ms, and the server within 100 ms more. */
const stepMs = 40;

const started = 'echo started >>"$STARTS"; exec "$@"';

function connecting(args: readonly string[], server: readonly string[]): Session {
  const argv = [executable, ...args, "--", "sh", "-c", started, "sh", ...server];
  return new Session(argv, { env: { STARTS: "{dir}/starts" } });
}

function startsOf(session: Session): number {
  const file = join(session.dir, "starts");
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0;
}

function interrupt(session: Session, signal: NodeJS.Signals): void {
  if (!isGone(session.pid)) session.kill(signal);
}

const servers: Readonly<Record<string, readonly string[]>> = {
  "answers all": fixture("honest"),
  "never answers": fixture("never-answers"),
  "ignores signals": fixture("ignores-everything"),
};

const commands = [["profile"], ["lock", "--lock", "{dir}/lock"], ["check"]];

describe("row 77: a connection that is ended by us is not started again, and leaves no server", () => {
  for (const [name, server] of Object.entries(servers)) {
    for (const signal of ["SIGINT", "SIGTERM", "SIGKILL"] as const) {
      test(`row 77: ${signal} at ${rounds} moments to a command whose server ${name}`, async () => {
        for (let round = 0; round < rounds; round++) {
          await using session = connecting(commands[round % commands.length] ?? [], server);
          await Bun.sleep(round * stepMs);
          interrupt(session, signal);
          await session.exited();
          await eventually("nobody left", () => session.living.length === 0);
          expect(startsOf(session)).toBeLessThanOrEqual(1);
        }
      });
    }
  }

  test("row 77: a server that takes too long is ended, and not started again", async () => {
    await using session = connecting(["profile", "--timeout", "1"], fixture("never-answers"));
    expect(await session.exited()).toEqual({ code: 3, signal: null });
    await eventually("nobody left", () => session.living.length === 0);
    expect(startsOf(session)).toBe(1);
  });
});

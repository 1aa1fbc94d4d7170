import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { allowed, judgedByTime } from "../support/measure.ts";
import { call, initialize, request } from "../support/rpc.ts";
import {
  fixture,
  metered,
  type Session,
  type SessionOptions,
  testMaxMs,
} from "../support/session.ts";
import { slowIf } from "../support/slow-cases.ts";
import { eventually } from "../support/wait.ts";

setDefaultTimeout(testMaxMs);

const filled = ["sh", "-c", 'timeout 0.3 yes >&2; exec "$@"', "sh"];

const kinds = ["pipes", "sockets"] as const;

function unread(options: SessionOptions): Session {
  const session = metered(fixture("honest"), options);
  session.stderr.pause();
  return session;
}

async function expectPromptEnd(session: Session, leave: () => void): Promise<void> {
  const left = performance.now();
  leave();
  await session.exited();
  expect(performance.now() - left).toBeLessThan(allowed(2_000));
  await eventually("no process left", () => session.living.length === 0);
}

for (const stderr of kinds) {
  describe(`row 81: a stderr of ${stderr} that the client does not read`, () => {
    test(`row 81: 1,200 calls with --log - → all answered, ${stderr} (slow)`, async () => {
      await using session = unread({ stderr, flags: ["--log", "-"] });
      await session.ask(initialize());
      const ids = Array.from({ length: 1_200 }, (_, index) => index + 1);
      for (let at = 0; at < ids.length; at += 100) {
        await session.send(...ids.slice(at, at + 100).map((id) => call(id, "echo")));
        await session.answer(at + 100);
      }
      session.input.end();
      expect(await session.exited()).toEqual({ code: 0, signal: null });
    });

    const cases: Readonly<Record<string, readonly string[]>> = {
      "the defaults": [],
      "--log -": ["--log", "-"],
      "--log off": ["--log", "off"],
      "a budget's alert": ["--budget", "1/session:warn", "--budget", "nothing=1"],
      "a summary of JSON": ["--summary", "json"],
    };
    for (const [name, flags] of Object.entries(cases)) {
      test(
        `row 81: full before the start, ${name} → every call at once, the server's code, ${stderr} (slow)`,
        async () => {
          await using session = unread({ stderr, flags, under: filled });
          await session.ask(initialize());
          await session.ask(request("tools", "tools/list"));
          for (let id = 1; id <= 8; id++) {
            const asked = performance.now();
            await session.ask(call(id, "echo"));
            expect(performance.now() - asked).toBeLessThan(allowed(300));
          }
          await expectPromptEnd(session, () => session.input.end());
          expect(await session.exited()).toEqual({ code: 0, signal: null });
        },
        judgedByTime,
      );
    }

    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      test(
        `row 81: full, ${signal} → ended by it, ${stderr} (slow)`,
        async () => {
          await using session = unread({ stderr, flags: ["--log", "-"], under: filled });
          await session.ask(initialize());
          await session.ask(call(1, "echo"));
          await expectPromptEnd(session, () => session.kill(signal));
          expect(await session.exited()).toEqual({ code: null, signal });
        },
        judgedByTime,
      );
    }

    test(`row 81: full, read again later → every record is there, whole, in order, ${stderr}${slowIf(stderr !== "pipes")}`, async () => {
      await using session = unread({ stderr, flags: ["--log", "-"], under: filled });
      await session.ask(initialize());
      for (let id = 1; id <= 20; id++) await session.ask(call(id, "echo"));
      session.stderr.resume();
      expect(await session.finish()).toEqual({ code: 0, signal: null });
      // The last line of the filling may be a part of one.
      const text = session.stderr.text.replace(/^[y\n]*/, "");
      const lines = text.split("\n").filter((line) => line.startsWith("{"));
      const records = lines.map((line) => JSON.parse(line));
      expect(records.filter(({ type }) => type === "call")).toHaveLength(20);
      expect(records.at(-1)).toMatchObject({ type: "end", exit_code: 0, dropped_records: 0 });
      expect(records.map(({ seq }) => seq)).toEqual(records.map((_, index) => index));
      expect(session.stderr.text.includes("counted by")).toBe(true);
    });
  });
}

test("row 81: the summary file and the records of a full stderr are whole", async () => {
  const flags = ["--summary-file", "{dir}/s.json", "--summary", "json"];
  await using session = unread({ flags, under: filled });
  await session.ask(initialize());
  await session.ask(call(1, "echo"));
  session.input.end();
  expect(await session.exited()).toEqual({ code: 0, signal: null });
  expect(existsSync(join(session.dir, "s.json"))).toBe(true);
  expect(JSON.parse(readFileSync(join(session.dir, "s.json"), "utf8"))).toMatchObject({
    sessions: 1,
  });
  expect(session.records("end").at(-1)).toMatchObject({ exit_code: 0, dropped_records: 0 });
});

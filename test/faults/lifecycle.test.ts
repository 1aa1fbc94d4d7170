import { describe, expect, test, setDefaultTimeout } from "bun:test";
import { existsSync, readFileSync } from "node:fs";

import { codeOf } from "../support/pipes.ts";
import { allowed, judgedByTime } from "../support/measure.ts";
import { isGone, stateOf } from "../support/processes.ts";
import { call, initialize, notification } from "../support/rpc.ts";
import { bare, fixture, metered, type Session, testMaxMs } from "../support/session.ts";
import { slowIf } from "../support/slow-cases.ts";
import { eventually } from "../support/wait.ts";

setDefaultTimeout(testMaxMs);

const loops = Number(process.env["FAULT_LOOPS"] ?? 10);

async function timed(done: Promise<unknown>): Promise<number> {
  const started = performance.now();
  await done;
  return performance.now() - started;
}

async function serverPid(session: Session): Promise<number> {
  const ready: unknown = JSON.parse(await session.line("ready"));
  return Number(/"pid":(\d+)/.exec(JSON.stringify(ready))?.[1]);
}

function pidIn(file: string): number | undefined {
  return existsSync(file) ? Number(readFileSync(file, "utf8")) || undefined : undefined;
}

describe("row 28: the server dies while the client is idle → same status in < 0.5 s, calls abandoned", () => {
  const usual = ["42", "SIGSEGV"];
  for (const how of [...usual, "0", "1", "255", "SIGABRT", "SIGKILL", "SIGTERM"]) {
    test(
      `row 28: in the middle of a line, by ${how}${slowIf(!usual.includes(how))}`,
      async () => {
        await using alone = bare(fixture("crash-mid-line", how));
        await using session = metered(fixture("crash-mid-line", how));
        for (const each of [alone, session]) {
          await each.send(call(1, "boom"));
          await each.grows(0, '"ty');
        }
        const ending = await alone.ended();
        expect(await timed(session.exited())).toBeLessThan(allowed(500));
        expect(await session.ended()).toEqual(ending);
        expect(session.stdout.bytes).toEqual(alone.stdout.bytes);
        expect(session.records("call")).toMatchObject([{ tool: "boom", outcome: "abandoned" }]);
        const { code, signal } = ending;
        const status = signal === null ? { exit_code: code } : { signal };
        expect(session.records("end")).toMatchObject([status]);
      },
      judgedByTime,
    );
  }
});

test(
  "row 29: a grandchild holds stdout → everything said is passed on, and the end comes within 2 s",
  async () => {
    await using session = metered(fixture("leaves-grandchild"));
    await session.answer("said");
    expect(await timed(session.exited())).toBeLessThan(allowed(2_000));
    expect(await session.exited()).toEqual({ code: 5, signal: null });
  },
  judgedByTime,
);

test.each([
  [],
  ["--annotate"],
  ["--repeat", "note"],
  ["--hide", "z"],
  ["--budget", "100k/session"],
])(
  "row 29: it holds stdout, and the last line has no newline → the line counts, and passes: %s %s",
  async (...flags: string[]) => {
    const answer = '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"hi"}]}}';
    const script = `read l; printf %s '${answer}'; sleep 3 & exit 4`;
    await using session = metered(["sh", "-c", script], { flags });
    await session.send(call(1, "greet"));
    expect(await session.exited()).toEqual({ code: 4, signal: null });
    const [said] = session.stdout.text.split(',"_meta"');
    expect(said).toStartWith(answer.slice(0, -2));
    expect(session.records("call")).toMatchObject([{ tool: "greet", outcome: "ok" }]);
    expect(session.records("end").at(-1)).toMatchObject({ server_bytes: answer.length });
  },
);

describe("row 31: the client closes its end → forwarded within 50 ms", () => {
  test(
    "row 31: the best of five, and the server is left to end by itself",
    async () => {
      const times: number[] = [];
      for (let round = 0; round < 5; round++) {
        await using session = metered(fixture("notes-eof"));
        await session.line("ready");
        session.input.end();
        times.push(await timed(session.line("eof")));
      }
      expect(Math.min(...times)).toBeLessThan(allowed(50));
    },
    judgedByTime,
  );

  test("row 31: a server that needs its time after the end of input gets it (slow)", async () => {
    await using session = metered(["sh", "-c", "cat >/dev/null; sleep 3; echo late; exit 3"]);
    expect(await session.finish()).toEqual({ code: 3, signal: null });
    expect(session.stdout.text).toBe("late\n");
  });
});

describe("row 32: TERM, INT, HUP and QUIT → reach the server once, its code is kept, nothing is missing", () => {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const) {
    const part = slowIf(signal !== "SIGTERM" && signal !== "SIGINT");
    test(`row 32: ${signal} to the meter alone${part}`, async () => {
      await using session = metered(fixture("counts-signals", signal));
      await session.line("ready");
      await session.send(call(1, "open"));
      await session.line("heard");
      session.kill(signal);
      expect(await session.ended()).toEqual({ code: 9, signal: null });
      const counted = session.stdout.lines.filter((line) => line.includes(`"${signal}"`));
      expect(counted).toEqual([notified(signal, 1)]);
      expect(session.records("call")).toMatchObject([{ outcome: "abandoned" }]);
      expect(session.records("end")).toMatchObject([{ exit_code: 9 }]);
      expect(session.stderr.text).toContain("open");
    });

    test(`row 32: ${signal} ends a server without a handler as it would alone${part}`, async () => {
      await using session = metered(["cat"]);
      await session.send(call(1, "open"));
      await session.line("open");
      session.kill(signal);
      expect(await session.ended()).toEqual({ code: null, signal });
      expect(session.records("end")).toMatchObject([{ signal }]);
    });
  }
});

function notified(name: string, count: number): string {
  return JSON.stringify({ jsonrpc: "2.0", method: "signal", params: { name, count } });
}

describe("row 33: TERM to the whole group", () => {
  test("row 33: a server that handles it once finishes its business", async () => {
    await using session = metered(fixture("slow-goodbye.sh"), { leadsGroup: true });
    await session.line("ready");
    session.killGroup("SIGTERM");
    expect(await session.ended()).toEqual({ code: 0, signal: null });
    expect(session.stdout.text).toContain("closed");
  });

  test("row 33: a server in a session of its own, which the group signal does not reach, is told (slow)", async () => {
    await using session = metered(["setsid", "-w", ...fixture("slow-goodbye.sh")], {
      leadsGroup: true,
    });
    await session.line("ready");
    session.killGroup("SIGTERM");
    await session.ended();
    await eventually("nobody left", () => session.living.length === 0);
  });

  test(
    "row 33: the same server, told alone, is told at once",
    async () => {
      await using session = metered(fixture("slow-goodbye.sh"));
      await session.line("ready");
      session.kill("SIGTERM");
      expect(await timed(session.line("closing"))).toBeLessThan(allowed(300));
      expect(await session.ended()).toEqual({ code: 0, signal: null });
    },
    judgedByTime,
  );
});

describe("row 34: a server that ignores the end of input and TERM → no orphan", () => {
  test(
    "row 34: it is gone before the two seconds of patience a client has (slow)",
    async () => {
      await using session = metered(fixture("ignores-everything"));
      const pid = await serverPid(session);
      session.input.end();
      await Bun.sleep(200);
      expect(isGone(pid)).toBe(false);
      session.kill("SIGTERM");
      expect(await timed(session.exited())).toBeLessThan(allowed(2_000));
      expect(isGone(pid)).toBe(true);
      expect(session.living).toEqual([]);
    },
    judgedByTime,
  );
});

describe("row 35: kill -9 of the meter → the server dies, the log is intact", () => {
  test(`row 35: ${loops} times, while it talks`, async () => {
    for (let round = 0; round < loops; round++) {
      await using session = metered(fixture("honest"));
      await session.ask(initialize());
      for (let id = 0; id < round % 5; id++) await session.ask(call(id, "echo"));
      session.kill("SIGKILL");
      expect(await session.exited()).toEqual({ code: null, signal: "SIGKILL" });
      await eventually("nobody left", () => session.living.length === 0);
      expect(session.log().torn.length).toBeLessThanOrEqual(1);
    }
  }, 60_000);

  test("row 35: a server that ignores the end of its input dies as well", async () => {
    await using session = metered(fixture("ignores-everything"));
    const pid = await serverPid(session);
    session.kill("SIGKILL");
    await eventually("the server is gone", () => isGone(pid));
  });
});

describe("row 36: the signals of a terminal", () => {
  test("row 36: a second INT is passed on like the first", async () => {
    await using session = metered(fixture("counts-signals", "SIGINT", "2"));
    await session.line("ready");
    session.kill("SIGINT");
    await session.line(notified("SIGINT", 1));
    session.kill("SIGINT");
    await session.line(notified("SIGINT", 2));
    expect(await session.ended()).toEqual({ code: 9, signal: null });
  });

  test("row 36: USR1 and USR2 reach the server and end nobody", async () => {
    await using session = metered(fixture("counts-signals"));
    await session.line("ready");
    for (const signal of ["SIGUSR1", "SIGUSR2"] as const) {
      session.kill(signal);
      await session.line(notified(signal, 1));
    }
    session.kill("SIGTERM");
    expect(await session.ended()).toEqual({ code: 9, signal: null });
  });

  test("row 36: TSTP stops both, CONT wakes both", async () => {
    // A shell with job control is the parent: the kernel stops nobody in an orphaned group
    const script = `set -m; "$@" <&3 3<&- & echo $! >pid; while kill -0 $!; do sleep 0.1; done`;
    const under = ["sh", "-c", 'exec 3<&0; exec "$@"', "sh", "bash", "-c", script, "bash"];
    await using session = metered(fixture("counts-signals"), { under, leadsGroup: true });
    const server = await serverPid(session);
    // The shell writes it while the server starts; signals to 0 would reach the test itself.
    const meter = await eventually("the pid", () => pidIn(`${session.dir}/pid`));
    process.kill(meter, "SIGTSTP");
    await eventually("both are stopped", () => stateOf(meter) === "T" && stateOf(server) === "T");
    process.kill(meter, "SIGCONT");
    await session.line(notified("SIGCONT", 1));
    expect([stateOf(meter), stateOf(server)]).not.toContain("T");
    process.kill(meter, "SIGTERM");
    await session.line(notified("SIGTERM", 1));
  });
});

describe("row 37: the client stops reading for good → the server is told, no stack trace", () => {
  test("row 37: a server that writes without end learns of it and ends", async () => {
    const talker = ["yes", JSON.stringify(notification("n"))];
    for (const start of [bare, metered]) {
      await using session = start(talker);
      await eventually("it talks", () => session.stdout.length > 100_000);
      session.stdout.hangUp();
      // Alone it dies of SIGPIPE. If its stdout is a socket with unread bytes, its write fails with ECONNRESET
      // first, with the meter and without it: any end but success will do.
      expect((await session.exited()).code).not.toBe(0);
      expect(session.stderr.text).not.toMatch(/^\s+at |EPIPE|Error/m);
    }
  });

  test("row 37: a server that speaks once more is told then, and the log is complete", async () => {
    await using session = metered(fixture("honest"));
    await session.ask(initialize());
    session.stdout.hangUp();
    await session.send(call(1, "echo")).catch(ignoreBrokenPipe);
    session.input.end();
    await session.ended();
    expect(session.stderr.text).not.toMatch(/^\s+at |EPIPE|Error/m);
    expect(session.log().torn).toEqual([]);
    expect(session.records("end")).toHaveLength(1);
  });

  test("row 37: a closed stderr hurts nobody", async () => {
    await using session = metered(fixture("honest"));
    await session.ask(initialize());
    session.stderr.hangUp();
    await session.ask(call(1, "echo"));
    expect(await session.finish()).toEqual({ code: 0, signal: null });
    expect(session.records("end")).toHaveLength(1);
  });
});

function ignoreBrokenPipe(error: unknown): void {
  if (codeOf(error) !== "EPIPE") throw error;
}

describe("row 38: one side closes, the other goes on", () => {
  test(
    "row 38: the client closed, and hears the server to its end",
    async () => {
      await using session = metered(fixture("notes-eof"));
      await session.line("ready");
      session.input.end();
      expect(await timed(session.line("eof"))).toBeLessThan(allowed(500));
      expect(await session.ended()).toEqual({ code: 4, signal: null });
      expect(session.stdout.lines.filter((line) => line.includes("late"))).toHaveLength(5);
    },
    judgedByTime,
  );

  test(
    "row 38: the server closed stdout, the client knows within 0.5 s and is still heard",
    async () => {
      await using session = metered(fixture("closes-stdout"));
      await session.line("ready");
      const known = eventually("stdout closed", () => session.stdout.ended);
      expect(await timed(known)).toBeLessThan(allowed(500));
      await session.input.write("still here\n");
      await eventually("heard", () => session.stderr.text.includes("heard still here"));
      expect(await session.finish()).toEqual({ code: 6, signal: null });
    },
    judgedByTime,
  );

  test(
    "row 38: the server closed stdin, the client's writes fail within 0.5 s",
    async () => {
      await using session = metered(fixture("closes-stdin"));
      await session.line("ready");
      const refused = eventually("a broken pipe", () => isBroken(session));
      expect(await timed(refused)).toBeLessThan(allowed(500));
      session.kill("SIGTERM");
      expect(await session.ended()).toEqual({ code: null, signal: "SIGTERM" });
    },
    judgedByTime,
  );
});

function isBroken(session: Session): boolean {
  try {
    session.input.offer(Buffer.from("anybody?\n"));
    return false;
  } catch (error) {
    ignoreBrokenPipe(error);
    return true;
  }
}

test(
  "row 39: stdin flooded and TERM → the end within 1 s",
  async () => {
    await using session = metered(fixture("never-reads"));
    const flood = Buffer.from(
      `${JSON.stringify(notification("n", { text: "x".repeat(1_000) }))}\n`.repeat(60),
    );
    const until = performance.now() + 300;
    while (performance.now() < until) if (session.input.offer(flood) === 0) await Bun.sleep(1);
    session.kill("SIGTERM");
    const writing = session.input.write(flood, 1_500).catch(() => undefined);
    expect(await timed(session.exited())).toBeLessThan(allowed(1_000));
    expect(await session.exited()).toEqual({ code: null, signal: "SIGTERM" });
    await writing;
  },
  judgedByTime,
);

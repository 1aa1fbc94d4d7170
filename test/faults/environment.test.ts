import { describe, expect, test, setDefaultTimeout } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { call, initialize } from "../support/rpc.ts";

setDefaultTimeout(testMaxMs);
import {
  bare,
  executable,
  fixture,
  metered,
  type Session,
  type SessionOptions,
  testMaxMs,
} from "../support/session.ts";

describe("row 30: a command that cannot be started → 127 or 126, one line, nothing on stdout", () => {
  const commands: ReadonlyArray<readonly [string, string, number]> = [
    ["missing from the path", "no-such-command-anywhere", 127],
    ["a missing file", "./missing", 127],
    ["a file that is not executable", "./plain", 126],
    ["a directory", "./directory", 126],
  ];
  for (const [name, command, code] of commands) {
    test(`row 30: ${name} → ${code}`, async () => {
      await using session = metered([command], {
        prepare: (dir) => {
          writeFileSync(join(dir, "plain"), "echo\n");
          chmodSync(join(dir, "plain"), 0o644);
          mkdirSync(join(dir, "directory"));
        },
      });
      expect(await session.ended()).toEqual({ code, signal: null });
      expect(session.stdout.text).toBe("");
      expect(session.stderr.lines).toHaveLength(1);
      expect(session.stderr.text).toContain(command);
      expect(session.logPaths).toEqual([]);
    });
  }

  test("row 30: a hostile command name reaches the terminal as text", async () => {
    await using session = metered(["./evil\u001b[2J\n\u202ename"]);
    expect(await session.ended()).toEqual({ code: 127, signal: null });
    expect(session.stderr.lines).toHaveLength(1);
    expect(session.stderr.text.match(/[^\P{Cc}\n]|\p{Cf}/gu)).toBeNull();
  });
});

describe("row 40: stderr is the server's own", () => {
  const burst = 'head -c 400000 /dev/zero | tr "\\0" e >&2; echo "status $?"';

  test("row 40: 400 KB in one burst while the client reads slowly → no EAGAIN, all bytes", async () => {
    await using session = metered(["sh", "-c", `echo prose; ${burst}`], {
      flags: ["--summary", "off"],
    });
    session.stderr.pause();
    await Bun.sleep(300);
    session.stderr.resume();
    expect(await session.ended()).toEqual({ code: 0, signal: null });
    expect(session.stdout.text).toBe("prose\nstatus 0\n");
    expect(session.stderr.text.match(/e{1000}/g)?.length).toBe(400);
  });

  test("row 40: the descriptor keeps its flags, also after the meter said something", async () => {
    const flags: string[] = [];
    for (const start of [bare, metered]) {
      await using session = start([
        "sh",
        "-c",
        "echo prose; sleep 0.3; cat /proc/self/fdinfo/2 >&2",
      ]);
      await session.ended();
      flags.push(/^flags:\s+(\d+)/m.exec(session.stderr.text)?.[1] ?? "");
    }
    expect(flags[1]).toBe(flags[0] ?? "");
  });
});

async function alongside(command: readonly string[], options: SessionOptions = {}) {
  const outputs: string[] = [];
  for (const start of [bare, metered]) {
    await using session = start(command, { flags: ["--summary", "off"], ...options });
    await session.finish();
    outputs.push(cleaned(session));
  }
  const [alone = "", behind = ""] = outputs;
  return { alone, behind };
}

function cleaned(session: Session): string {
  return session.stdout.bytes
    .toString("latin1")
    .replaceAll(session.dir, "DIR")
    .replaceAll(session.mark, "MARK");
}

describe("row 41: a hostile working directory and odd variables → the server's environment is identical", () => {
  const environ = ["sh", "-c", "cat /proc/$$/environ"];

  test("row 41: .env, .env.local, bunfig.toml with a preload, package.json, tsconfig.json", async () => {
    const { alone, behind } = await alongside(environ, {
      prepare: (dir) => {
        for (const name of [".env", ".env.local", ".env.production", ".env.development"]) {
          writeFileSync(join(dir, name), "FROM_DOTENV=1\nPATH=/nowhere\nMCP_METER_LOG=off\n");
        }
        writeFileSync(join(dir, "bunfig.toml"), 'preload = ["./preload.ts"]\n');
        writeFileSync(
          join(dir, "preload.ts"),
          'process.env["FROM_PRELOAD"] = "1"; console.log("preloaded");\n',
        );
        writeFileSync(
          join(dir, "package.json"),
          '{ "name": "hostile", "type": "commonjs", "imports": {} }',
        );
        writeFileSync(join(dir, "tsconfig.json"), "{ broken");
        writeFileSync(join(dir, "config.json"), '{ "log": "off" }');
      },
    });
    expect(behind.split("\0").toSorted()).toEqual(alone.split("\0").toSorted());
    expect(behind).not.toContain("FROM_");
  });

  test("row 41: NODE_OPTIONS, NODE_PATH, empty and multi-line values, bytes that are not UTF-8", async () => {
    const { alone, behind } = await alongside(environ, {
      env: {
        NODE_OPTIONS: "--require /nowhere/x.js --no-such-option",
        NODE_PATH: "/nowhere",
        EMPTY: "",
        MULTI: "a\nb=c\n",
        UNICODE: "naïve 日本",
        npm_config_x: "1",
      },
      under: ["sh", "-c", 'RAW=$(printf "\\377\\376x"); export RAW; exec "$@"', "sh"],
    });
    expect(alone).toContain("RAW=\u00ff\u00fex");
    expect(behind).toBe(alone);
  });
});

describe("row 42: odd argv → verbatim", () => {
  const words = [
    "007",
    "",
    "-1",
    "1e3",
    "--flag=x",
    "--",
    "-h",
    "--version",
    "--log",
    "a b",
    "*",
    "$HOME",
  ];
  const more = [
    '"',
    "'",
    "\\",
    "\n",
    "é日🧮",
    "--no-x",
    "true",
    "null",
    "[1]",
    "--budget",
    "x".repeat(100_000),
  ];

  test("row 42: every word after the first -- arrives as it was written", async () => {
    const { alone, behind } = await alongside([
      "sh",
      "-c",
      'printf "%s\\0" "$@"',
      "sh",
      ...words,
      ...more,
    ]);
    expect(behind === alone).toBe(true);
    expect(alone.split("\0")).toHaveLength(words.length + more.length + 1);
  });

  test("row 42: a command that looks like one of ours is a command", async () => {
    await using session = metered(["report"], {
      prepare: (dir) => {
        mkdirSync(join(dir, "bin"));
        writeFileSync(join(dir, "bin/report"), "#!/bin/sh\necho mine\n", { mode: 0o755 });
      },
      env: { PATH: `{dir}/bin:${process.env["PATH"] ?? ""}` },
    });
    await session.finish();
    expect(session.stdout.text).toBe("mine\n");
  });
});

const withoutFiles = (text: string) =>
  text.split("\n").filter((line) => !line.startsWith("Max open files"));
const hard = (text: string) => /^Max open files\s+\S+\s+(\S+)/m.exec(text)?.[1];

// Ignored signals (nohup) are not compared: the runtime resets the dispositions of the processes it starts.
describe("row 43: working directory, umask, limits, priority and blocked signals", () => {
  const surroundings =
    "pwd -P; umask; grep ^SigBlk /proc/self/status; ps -o nice= -p $$; cat /proc/self/limits";

  test("row 43: equal but for the soft limit of open files, which the runtime raises", async () => {
    const { alone, behind } = await alongside(["sh", "-c", surroundings], {
      cwd: "home",
      under: ["sh", "-c", 'umask 027; ulimit -S -n 256; ulimit -c 0; exec "$@"', "sh"],
    });
    expect(withoutFiles(behind)).toEqual(withoutFiles(alone));
    expect(hard(behind)).toBe(hard(alone) ?? "");
  });
});

async function greeted(options: SessionOptions, command = fixture("honest")): Promise<Session> {
  const session = metered(command, options);
  await session.ask(initialize());
  await session.ask(call(1, "echo"));
  expect(await session.finish()).toEqual({ code: 0, signal: null });
  return session;
}

function linkIn(dir: string): void {
  symlinkSync(executable, join(dir, "linked"));
}

describe("row 44: poor surroundings → works, or says clearly why not", () => {
  test("row 44: no HOME and no XDG variables → one warning, no log, traffic goes on", async () => {
    const under = ["env", "-u", "HOME", "-u", "XDG_STATE_HOME", "-u", "XDG_CONFIG_HOME"];
    await using session = await greeted({ under, flags: ["--summary", "off"] });
    expect(session.stderr.lines).toHaveLength(1);
    expect(session.logPaths).toEqual([]);
  });

  test("row 44: an empty environment", async () => {
    await using session = await greeted({ under: ["env", "-i"], flags: ["--summary", "off"] });
    expect(session.stderr.lines).toHaveLength(1);
  });

  test("row 44: a home that cannot be written → one warning, traffic goes on", async () => {
    const env = { XDG_STATE_HOME: "/proc/nowhere", HOME: "/proc/nowhere" };
    await using session = await greeted({ env, flags: ["--summary", "off"] });
    expect(session.stderr.lines).toHaveLength(1);
  });

  test("row 44: stderr closed", async () => {
    await using session = await greeted({ under: ["sh", "-c", 'exec "$@" 2>&-', "sh"] });
    expect(session.messages.map(({ id }) => id)).toEqual(["init", 1]);
    expect(session.log().torn).toEqual([]);
  });

  test("row 44: stdin closed from the start → the server sees its end", async () => {
    await using session = metered(fixture("notes-eof"), {
      under: ["sh", "-c", 'exec "$@" <&-', "sh"],
    });
    expect(await session.ended()).toEqual({ code: 4, signal: null });
  });

  test("row 44: stdout closed from the start → ends by itself, no stack trace", async () => {
    await using session = metered(fixture("honest"), {
      under: ["sh", "-c", 'exec "$@" >&-', "sh"],
    });
    await session.send(initialize());
    await session.finish();
    expect(session.stderr.text).not.toMatch(/^\s+at /m);
  });

  // The runtime may fail before our first line runs.
  test("row 44: twelve open files → works, or 125 and one line", async () => {
    await using session = metered(["cat"], {
      under: ["sh", "-c", 'ulimit -n 12; exec "$@"', "sh"],
    });
    await session.send(initialize()).catch(() => undefined);
    const ending = await session.finish();
    const works = session.stdout.text.includes("initialize");
    expect(ending).toEqual({ code: works ? 0 : 125, signal: null });
    expect(session.stderr.text).not.toMatch(/^\s+at |panic|oh no/im);
  });

  for (const started of ["./linked", "linked", "{dir}/home/../linked"]) {
    test(`row 44: started as ${started}, a symbolic link`, async () => {
      const under = ["sh", "-c", 'shift; exec "$0" "$@"', started];
      const env = { PATH: `{dir}:${process.env["PATH"] ?? ""}` };
      await using session = await greeted({ under, env, prepare: linkIn });
      expect(session.records("end")).toHaveLength(1);
    });
  }
});

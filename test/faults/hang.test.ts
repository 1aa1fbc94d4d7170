import { describe, expect, test, setDefaultTimeout } from "bun:test";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  closeSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

import { Folder } from "../support/folder.ts";
import { allowed, judgedByTime } from "../support/measure.ts";
import { call, initialize } from "../support/rpc.ts";
import { bare, executable, fixture, metered, type Session, testMaxMs } from "../support/session.ts";
import { slowIf } from "../support/slow-cases.ts";
import { eventually } from "../support/wait.ts";

setDefaultTimeout(testMaxMs);

const stuckMs = 10_000;

function run(folder: Folder, args: readonly string[], stdin: "ignore" | number = "ignore") {
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder.path, LANG: "C.UTF-8" };
  const ran = Bun.spawnSync([executable, ...args], {
    env,
    stdin,
    cwd: folder.path,
    timeout: stuckMs,
    killSignal: "SIGKILL",
  });
  const { exitCode, signalCode } = ran;
  return { code: signalCode === undefined ? exitCode : null, stderr: ran.stderr.toString() };
}

function expectSentence(stderr: string): void {
  expect(stderr).toMatch(/^mcp-meter: ([A-Z]|\S+:\d+:\d+: )[^\n]+\n$/);
}

/** Files that are not files, in every kind; the socket has a listener until the function returned is called. */
async function makeOdd(dir: string): Promise<() => void> {
  Bun.spawnSync(["mkfifo", join(dir, "pipe")]);
  mkdirSync(join(dir, "folder"));
  const listener = createServer().listen(join(dir, "socket"));
  await new Promise((resolve) => listener.once("listening", resolve));
  return () => void listener.close();
}

/** Rounds of row 68: 2 in the gate, 50 by hand. */
const loops = Number(process.env["HANG_LOOPS"] ?? 2);

describe("row 68: the client reads nothing and leaves → gone within 2 s, no orphan", () => {
  const farewells: Readonly<Record<string, (session: Session) => void>> = {
    TERM: (session) => session.kill("SIGTERM"),
    "closed stdin": (session) => session.input.end(),
    both: (session) => {
      session.input.end();
      session.kill("SIGTERM");
    },
  };
  const rows = [
    ["", "lines", []],
    [", with a budget", "lines", ["--budget", "100k/session"]],
    [", in the middle of a line", "torn", []],
    [", in the middle of a line, with a budget", "torn", ["--budget", "100k/session"]],
  ] as const;
  for (const [farewell, leave] of Object.entries(farewells)) {
    for (const [how, form, flags] of rows) {
      test(
        `row 68: ${farewell}${how}, ${loops} times (slow)`,
        async () => {
          for (let round = 0; round < loops; round++) {
            await using session = metered(fixture("floods-until-eof", form), { flags });
            // Under a budget, half a line waits for its end.
            const isHeld = form === "torn" && flags.length > 0;
            await eventually("it talks", () => isHeld || session.stdout.length > 0);
            await eventually("it runs", () => session.living.length > 1);
            session.stdout.pause();
            session.stderr.pause();
            // The pipes between server and client fill up.
            await Bun.sleep(100);
            const left = performance.now();
            leave(session);
            await session.exited();
            expect(performance.now() - left).toBeLessThan(allowed(2_000));
            await eventually("nobody left", () => session.living.length === 0);
          }
        },
        { ...judgedByTime, timeout: testMaxMs + loops * 3_000 },
      );
    }
  }

  const partings: Readonly<Record<string, (session: Session) => Promise<void> | void>> = {
    TERM: (session) => session.kill("SIGTERM"),
    "INT then TERM": async (session) => {
      session.kill("SIGINT");
      await Bun.sleep(100);
      // It may be gone by then, as the server alone would be.
      if (session.living.includes(session.pid)) session.kill("SIGTERM");
    },
    "closed stdin and TERM": (session) => {
      session.input.end();
      session.kill("SIGTERM");
    },
  };
  const shapes: Readonly<Record<string, readonly string[]>> = {
    "an answer of 100 KB": ["100"],
    "an answer of 300 KB": ["300"],
    "an answer of 1 MB": ["1000"],
    "answers without end": ["8", "flood"],
    "a line without end": ["8", "torn"],
  };
  for (const [parting, leave] of Object.entries(partings)) {
    for (const [shape, args] of Object.entries(shapes)) {
      test(
        `row 68: ${shape}, ${parting}, without and with a budget (slow)`,
        async () => {
          for (const flags of [[], ["--budget", "100M/session"]]) {
            await using session = metered(fixture("answers-unread", ...args), { flags });
            session.stdout.pause();
            await session.send(call(1, "echo"));
            await eventually("it runs", () => session.living.length > 1);
            await Bun.sleep(600);
            const left = performance.now();
            await leave(session);
            const { code, signal } = await session.exited();
            expect(performance.now() - left).toBeLessThan(allowed(2_000));
            // A server that is not blocked may exit at the end of its input, before the signal.
            if (code !== 0 || !parting.startsWith("closed")) {
              expect(signal).toBe(parting === "INT then TERM" ? "SIGINT" : "SIGTERM");
            }
            await eventually("no process left", () => session.living.length === 0);
            expect(session.records("end").at(-1)).toMatchObject({ exit_code: code, signal });
          }
        },
        judgedByTime,
      );
    }
  }
});

const odd = ["pipe", "folder", "socket", "/dev/zero"];

describe("row 69: a file that a person names is no file → refused at once, no server waits for it", () => {
  const reading: readonly (readonly string[])[] = [
    ["--config", "FILE", "--log", "off", "--", "cat"],
    ["--lock", "FILE", "--log", "off", "--", "cat"],
    ["check", "--no-lock", "--calls", "FILE", "--", "cat"],
    ["check", "--lock", "FILE", "--", "cat"],
    ["lock", "--check", "--lock", "FILE", "--", "cat"],
    ["lock", "--lock", "FILE", "--", ...fixture("honest")],
    ["report", "FILE"],
    ["count", "FILE"],
  ];
  for (const args of reading) {
    test(`row 69: ${args.slice(0, args.indexOf("--") >>> 0).join(" ")} (slow)`, async () => {
      using folder = new Folder();
      const close = await makeOdd(folder.path);
      for (const file of odd) {
        const { code, stderr } = run(
          folder,
          args.map((word) => (word === "FILE" ? file : word)),
        );
        expect([file, code]).toEqual([file, args[0]?.startsWith("--") === true ? 125 : 2]);
        expectSentence(stderr);
      }
      close();
      expect(readdirSync(folder.path).filter((name) => name.includes("-"))).toEqual([]);
    });
  }

  for (const option of ["--log", "--summary-file"]) {
    for (const file of odd) {
      const part = slowIf(option !== "--log");
      test(`row 69: ${option} ${file}: the session is served, one sentence${part}`, async () => {
        using folder = new Folder();
        const close = await makeOdd(folder.path);
        const path = file.startsWith("/") ? file : folder.at(file);
        const flags = [option, path, "--summary", option === "--log" ? "off" : "table"];
        await using session = metered(fixture("honest"), { flags });
        await session.ask(initialize());
        await session.ask(call(1, "echo"));
        expect(await session.finish(stuckMs)).toEqual({ code: 0, signal: null });
        expect(session.stderr.lines.filter((line) => line.includes(path))).toHaveLength(1);
        close();
      });
    }
  }

  test("row 69: what a shell opened is read, as in <(command)", () => {
    using folder = new Folder();
    const script = `printf hello | "${executable}" count /dev/stdin; printf '{"log": "off"}' | "${executable}" --config /dev/fd/0 -- true`;
    const ran = Bun.spawnSync(["sh", "-c", script], { cwd: folder.path, timeout: stuckMs });
    expect([ran.stdout.toString(), ran.exitCode]).toEqual(["1\n", 0]);
  });
});

const writeOld = (dir: string): void => writeFileSync(join(dir, "s.json"), '{"old":true}');

describe("row 70: the limit of a file's size (SIGXFSZ) → traffic goes on, no file is half written", () => {
  // In blocks of 512 bytes: nothing, one record, the records without the counters, nearly everything.
  for (const blocks of [0, 2, 4, 8]) {
    test(`row 70: ${blocks} blocks${slowIf(blocks > 2)}`, async () => {
      const under = ["sh", "-c", `ulimit -f ${blocks}; exec "$@"`, "sh"];
      const summary = ["--summary", "json", "--summary-file", "{dir}/s.json"];
      const flags = ["--log", "{dir}/log.ndjson", "--budget", "1M/day", ...summary];
      await using session = metered(fixture("honest"), { flags, under, prepare: writeOld });
      await session.ask(initialize());
      for (let id = 1; id <= 20; id++) await session.ask(call(id, "echo"));
      expect(await session.finish()).toEqual({ code: 0, signal: null });
      expect(session.stderr.text).toMatch(/^(?:mcp-meter: [^\n]+\n)+$/);
      const written: unknown = JSON.parse(readFileSync(join(session.dir, "s.json"), "utf8"));
      expect(written).toEqual(
        blocks < 4 ? { old: true } : expect.objectContaining({ sessions: 1 }),
      );
      expect(session.log(join(session.dir, "log.ndjson")).torn.length).toBeLessThanOrEqual(1);
    });
  }

  test("row 70: the server gets the signal as it would alone", async () => {
    const ignored = ["sh", "-c", "grep -E 'Sig(Ign|Blk)' /proc/self/status"];
    await using alone = bare(ignored);
    await using behind = metered(ignored);
    expect([await alone.finish(), await behind.finish()]).toEqual([
      { code: 0, signal: null },
      { code: 0, signal: null },
    ]);
    expect(behind.stdout.text).toBe(alone.stdout.text);
  });
});

describe("row 71: stdin is a directory → one sentence", () => {
  const rows: readonly (readonly [args: readonly string[], code: number])[] = [
    [["--log", "off", "--", "cat"], 125],
    [["count", "-"], 2],
  ];
  for (const [args, code] of rows) {
    test(`row 71: ${args.join(" ")}`, () => {
      using folder = new Folder();
      const stdin = openSync(folder.path, "r");
      const ran = run(folder, args, stdin);
      closeSync(stdin);
      expect(ran.code).toBe(code);
      expectSentence(ran.stderr);
      expect(ran.stderr).toContain("it is a directory");
    });
  }
});

const levels = 100_000;
const lists = `${"[".repeat(levels)}${"]".repeat(levels)}`;
const objects = `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

const record = (member: string): string => `{"schema_version":"1.0","type":"call",${member}}`;

const endless: Readonly<Record<string, string>> = {
  "lists.json": lists,
  "objects.json": objects,
  "open.json": "[".repeat(levels),
  "calls.json": `[{"tool":"x","arguments":${lists}}]`,
  "cycle.yaml": "- &x {tool: a, arguments: *x}\n",
  "loop.yaml": "a: &a [*a]\n",
  "lists.yaml": lists,
};

describe("row 72: cyclic anchors, 100 000 levels → one sentence, exit code 2", () => {
  const readers: Readonly<Record<string, readonly string[]>> = {
    "check --calls": ["check", "--no-lock", "--calls", "FILE", "--", "cat"],
    "check --lock": ["check", "--lock", "FILE", "--", "cat"],
    "lock --lock": ["lock", "--check", "--lock", "FILE", "--", "cat"],
    "run --lock": ["--lock", "FILE", "--log", "off", "--", "cat"],
    "run --config": ["--config", "FILE", "--log", "off", "--", "cat"],
  };
  for (const [name, args] of Object.entries(readers)) {
    test(`row 72: ${name} (slow)`, () => {
      using folder = new Folder();
      for (const [file, content] of Object.entries(endless)) {
        writeFileSync(folder.at(file), content);
        const { code, stderr } = run(
          folder,
          args.map((word) => (word === "FILE" ? file : word)),
        );
        // What `run` cannot use is its own failure; any other number belongs to the server.
        expect([file, code]).toEqual([file, name.startsWith("run") ? 125 : 2]);
        expectSentence(stderr);
        expect(stderr).toContain(file);
      }
    });
  }

  test("row 72: report counts such lines as skipped", () => {
    using folder = new Folder();
    const lines = [record(`"tool":${lists}`), record(`"blocks":${objects}`), objects, lists];
    const { code, stderr } = run(folder, ["report", folder.file("r.ndjson", lines.join("\n"))]);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^mcp-meter: Skipped 4 lines of [^\n]+\nmcp-meter: Found no records[^\n]+\n$/,
    );
  });
});

async function played(summaryFile: string, prepare: (dir: string) => void): Promise<Session> {
  const flags = ["--summary", "json", "--summary-file", summaryFile];
  const under = ["sh", "-c", 'umask 0; exec "$@"', "sh"];
  const session = metered(fixture("honest"), { flags, under, prepare });
  await session.ask(initialize());
  await session.ask(call(1, "echo"));
  expect(await session.finish()).toEqual({ code: 0, signal: null });
  return session;
}

describe("row 79: links and modes of the files that mcp-meter writes", () => {
  for (const target of ["target", "missing"]) {
    test(`row 79: --summary-file is a link to a ${target} → neither followed nor replaced`, async () => {
      await using session = await played("{dir}/link", (dir) => {
        writeFileSync(join(dir, "target"), "kept");
        symlinkSync(join(dir, target), join(dir, "link"));
      });
      const { dir } = session;
      expect(readFileSync(join(dir, "target"), "utf8")).toBe("kept");
      expect(existsSync(join(dir, "missing"))).toBe(false);
      expect(readdirSync(dir).toSorted()).toEqual(["home", "link", "state", "target"]);
      expect(session.stderr.text).toContain("symbolic link");
    });
  }

  test("row 79: a summary file is private and whole, also in place of another", async () => {
    await using session = await played("{dir}/s.json", (dir) => {
      writeFileSync(join(dir, "s.json"), "x".repeat(100_000), { mode: 0o644 });
    });
    const file = join(session.dir, "s.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ sessions: 1 });
    expect(readdirSync(session.dir).toSorted()).toEqual(["home", "s.json", "state"]);
  });

  test("row 79: a lock behind a link stays behind it: a repository may keep it elsewhere", () => {
    using folder = new Folder();
    mkdirSync(folder.at("shared"));
    const target = folder.file("shared/real.lock", "");
    const server = fixture("honest");
    expect(run(folder, ["lock", "--lock", target, "--", ...server]).code).toBe(2);
    rmSync(target);
    expect(run(folder, ["lock", "--lock", target, "--", ...server]).code).toBe(0);
    symlinkSync("shared/real.lock", folder.at("mcp-meter.lock"));
    const before = readFileSync(target, "utf8");
    const ran = run(folder, ["lock", "--force", "--tokenizer", "chars4", "--", ...server]);
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
    expect(readFileSync(target, "utf8")).not.toBe(before);
    expect(lstatSync(folder.at("mcp-meter.lock")).isSymbolicLink()).toBe(true);
  });
});

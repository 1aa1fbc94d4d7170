import { describe, expect, test } from "bun:test";
import { chmodSync, copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  mainPackage,
  platformPackage,
  ownPlatform,
  platformId,
} from "../../../scripts/package/platforms.ts";
import { Folder } from "../../support/folder.ts";
import { has } from "../../support/needs.ts";
import { eventually } from "../../support/wait.ts";

const source = join(import.meta.dir, "..", "..", "..", "scripts", "package", "shim.cjs");

const own = ownPlatform();

const runners = [
  ["Bun", process.execPath],
  ...[Bun.which("node")].flatMap((node) => (node === null ? [] : [["Node", node] as const])),
  ...[process.env["TESTED_NODE"]].flatMap((node) =>
    node === undefined ? [] : [["the Node of TESTED_NODE", node] as const],
  ),
] as const;

function install(folder: Folder, script: string | undefined, target = own): string {
  const [main, platform] = [mainPackage, platformPackage(target)].map((name) =>
    folder.at("node_modules", ...name.split("/")),
  );
  const shim = join(main ?? "", "bin", "mcp-meter.js");
  mkdirSync(dirname(shim), { recursive: true });
  copyFileSync(source, shim);
  const optionalDependencies = { [platformPackage(target)]: "1.0.0" };
  const manifest = { name: mainPackage, optionalDependencies };
  writeFileSync(join(main ?? "", "package.json"), JSON.stringify(manifest));
  if (script === undefined) return shim;
  const executable = join(platform ?? "", "bin", "mcp-meter");
  mkdirSync(dirname(executable), { recursive: true });
  writeFileSync(executable, `#!/bin/sh\n${script}\n`);
  chmodSync(executable, 0o755);
  return shim;
}

describe.each(runners)("the shim on %s", (_, runner) => {
  test("passes arguments, stdin, environment and the exit code on", async () => {
    using folder = new Folder();
    const shim = install(folder, `printf '<%s>' "$@" "$GIVEN"; cat; echo error >&2; exit 7`);
    const words = ["--budget", "a=1", "--", "sh", "-c", "two words", "", "--"];
    const child = Bun.spawn([runner, shim, ...words], {
      stdin: Buffer.from("input"),
      stdout: "pipe",
      stderr: "pipe",
      env: { ...process.env, GIVEN: "variable" },
    });
    const texts = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    const printed = [...words, "variable"].map((word) => `<${word}>`).join("");
    expect(texts).toEqual([`${printed}input`, "error\n", 7]);
  });

  test.each(["SIGTERM", "SIGINT", "SIGHUP", "SIGUSR1"] as const)(
    "passes %s on, and ends as the executable does",
    async (signal) => {
      using folder = new Folder();
      const shim = install(
        folder,
        `trap 'echo ${signal}; exit 9' ${signal.slice(3)}
echo ready; for i in $(seq 400); do sleep 0.05; done`,
      );
      const child = Bun.spawn([runner, shim], { stdout: "pipe", stderr: "ignore" });
      const text = read(child.stdout);
      await eventually("the program is ready", () => text().includes("ready"));
      child.kill(signal);
      expect(await child.exited).toBe(9);
      await eventually("its last word", () => text().endsWith(`${signal}\n`));
      expect(text()).toBe(`ready\n${signal}\n`);
    },
  );

  test.each(["SIGTERM", "SIGKILL", "SIGHUP"] as const)(
    "is ended by %s when the executable was",
    async (signal) => {
      using folder = new Folder();
      const shim = install(folder, `kill -${signal.slice(3)} $$; sleep 20`);
      const child = Bun.spawn([runner, shim], { stdout: "ignore", stderr: "ignore" });
      await child.exited;
      expect(child.signalCode).toBe(signal);
    },
  );

  test("prints one sentence and ends with 125 where the package is missing or broken", async () => {
    const cases = [
      {
        break: () => undefined,
        script: undefined,
        sentence: `mcp-meter: the package ${platformPackage(own)} is missing; install ${mainPackage} again on this machine, with its optional dependencies\n`,
      },
      {
        break: (folder: Folder) =>
          writeFileSync(
            folder.at("node_modules", ...mainPackage.split("/"), "package.json"),
            JSON.stringify({ name: mainPackage }),
          ),
        script: undefined,
        sentence: `mcp-meter: there is no executable for ${platformId(own)}\n`,
      },
      {
        break: (folder: Folder) => chmodSync(executableIn(folder), 0o644),
        script: "exit 0",
        sentence: expect.stringMatching(/^mcp-meter: .*mcp-meter cannot be executed: EACCES\n$/),
      },
    ];
    for (const { break: act, script, sentence } of cases) {
      using folder = new Folder();
      const shim = install(folder, script);
      act(folder);
      const child = Bun.spawn([runner, shim, "--version"], { stdout: "pipe", stderr: "pipe" });
      const texts = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
      expect(texts).toEqual(["", sentence, 125]);
    }
  });
});

const canMount = has("unshare -m", "the shim on a system with musl");

describe.skipIf(!canMount)("the shim where ldd is that of musl", () => {
  test.each(runners)(
    "on %s, starts the executable for musl, and names its libraries",
    async (_, runner) => {
      using folder = new Folder();
      const shim = install(folder, "echo started", { ...own, libc: "musl" });
      const ldd = folder.file("ldd", "#!/bin/sh\n# musl libc\n");
      const script = `mount --bind '${ldd}' /usr/bin/ldd && exec "$@"`;
      const child = Bun.spawn(["unshare", "-m", "sh", "-c", script, "sh", runner, shim], {
        stdout: "pipe",
        stderr: "pipe",
      });
      const texts = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
      const hasLibrary = ["/usr/lib", "/lib"].some((at) => existsSync(`${at}/libstdc++.so.6`));
      const hint = "mcp-meter: libstdc++ may be missing; on Alpine: apk add libstdc++ libgcc\n";
      expect(texts).toEqual(["started\n", hasLibrary ? "" : hint, 0]);
    },
  );
});

function executableIn(folder: Folder): string {
  return folder.at("node_modules", ...platformPackage(own).split("/"), "bin", "mcp-meter");
}

function read(stream: ReadableStream<Uint8Array>): () => string {
  let text = "";
  void (async () => {
    for await (const chunk of stream) text += Buffer.from(chunk).toString();
  })();
  return () => text;
}

import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { compileRelay, compileTee } from "../../../scripts/bench/compiled.ts";

const folder = mkdtempSync(join(tmpdir(), "bench-compiled-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tee = compileTee(folder) ?? "";

test("without a compiler, or with one that fails, there is no tee", () => {
  expect(compileTee(folder, () => null)).toBeUndefined();
  expect(compileTee(folder, () => "false")).toBeUndefined();
});

test("the first compiler that works is taken", () => {
  const working = Bun.which("true") ?? "";
  const found = compileTee(folder, (name) => (name === "clang" ? working : "false"));
  expect(found).toBe(join(folder, "tee"));
});

test.skipIf(tee === "")(
  "every byte passes in both directions, more than any buffer holds",
  async () => {
    const input = "0123456789".repeat(500_000);
    const { stdout } = await execa(tee, ["cat"], { input, maxBuffer: 10 * input.length });
    expect(stdout === input).toBe(true);
  },
);

test.skipIf(tee === "").each([
  ["its own code", ["sh", "-c", "exit 3"], 3],
  ["128 and a signal", ["sh", "-c", "kill -9 $$"], 137],
  ["127 for a command that does not exist", [join(folder, "absent")], 127],
])("the exit code is %s", async (_, command, code) => {
  const { exitCode } = await execa(tee, command, { reject: false, input: "" });
  expect(exitCode).toBe(code);
});

test.skipIf(tee === "")("a server that reads nothing any more ends as it likes", async () => {
  const script = join(folder, "deaf.sh");
  writeFileSync(script, "exec 0<&-\necho done\n");
  const input = "x".repeat(1_000_000);
  const { stdout, exitCode } = await execa(tee, ["sh", script], { input, reject: false });
  expect([stdout, exitCode]).toEqual(["done", 0]);
});

const relay = compileRelay(folder) ?? "";

test.skipIf(relay === "")(
  "the relay copies both directions of each connection, and ends the ones that end",
  async () => {
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: async (request) => new Response(await request.bytes()),
    });
    const child = Bun.spawn([relay, String(server.port)], { stdout: "pipe" });
    try {
      const { value } = await child.stdout.getReader().read();
      const url = Buffer.from(value ?? [])
        .toString()
        .trim();
      const texts = ["a".repeat(5_000_000), "b"];
      const answers = texts.map(async (body) =>
        (await fetch(url, { method: "POST", body })).text(),
      );
      expect(await Promise.all(answers)).toEqual(texts);
    } finally {
      child.kill("SIGKILL");
      await child.exited;
    }
  },
);

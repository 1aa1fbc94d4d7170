import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { everything } from "../support/servers.ts";
import { legacyInput } from "./lines.ts";
import { eachHome } from "./each-home.ts";
import { runBare, runMeter } from "./run.ts";

const home = eachHome();

const file = (): string => join(home.path, "calls.yaml");
const recorded = (input: string) =>
  runMeter(home, ["record", "-o", file(), "--", ...everything().argv], { input });

const input = legacyInput([
  ["echo", { message: "costs ${PRICE}" }],
  ["get-sum", { a: 2, b: 3 }],
  ["get-sum", { a: "two" }],
]).replace('"a":2,', '"a":2.0,');

test("record forwards every byte and writes the calls, which check plays (slow)", async () => {
  const bare = await runBare(everything().argv, { input, cwd: home.path, env: home.env });
  const { stdout, stderr, status } = await recorded(input);
  expect(stdout).toBe(bare.stdout);
  expect(status).toBe(bare.status);
  expect(stderr).toContain(
    `Recording calls and their arguments to "${file()}"; the arguments may contain secrets`,
  );
  expect(stderr).toContain(`Recorded 3 calls in "${file()}"`);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  const [header = "", ...entries] = readFileSync(file(), "utf8").split(/^- /m);
  expect(header).toStartWith("# Calls recorded by mcp-meter");
  expect(entries).toEqual([
    "tool: echo\n  arguments:\n    message: costs $${PRICE}\n",
    "tool: get-sum\n  arguments:\n    a: 2.0\n    b: 3\n",
    "tool: get-sum\n  arguments:\n    a: two\n  isError: true\n",
  ]);
  const played = await runMeter(home, [
    "check",
    "--no-lock",
    "--calls",
    file(),
    "--",
    ...everything().argv,
  ]);
  expect(played.stdout).toContain("check  passed: 0 errors");
  expect(played.status).toBe(0);
});

test("record keeps nothing else: no records, and no file without its name (slow)", async () => {
  await recorded(input);
  expect(home.logs()).toEqual([]);
  const { status, stderr } = await runMeter(home, ["record", "--", ...everything().argv], {
    input,
  });
  expect(status).toBe(2);
  expect(stderr).toContain("missing file; name it with --output");
});

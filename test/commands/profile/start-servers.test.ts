import { expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makeProcessKey, startServers } from "#commands/profile/start-servers.ts";
import type { Launch } from "#clients/launch-rules.ts";
import { capturedIo } from "../../support/io.ts";
import { waitForEndOfProcessesWith, replay, scratch, uniqueSeconds } from "../../support/replay.ts";

setDefaultTimeout(60_000);

const folder = scratch();
const tools = [{ name: "t", description: "A tool", inputSchema: { type: "object" } }];
const file = folder.write("started.json", { server: "one", tools });
const env = { PATH: process.env["PATH"] ?? "", HOME: folder.path };

const launch = (command: readonly string[], changes: Partial<Launch> = {}): Launch => ({
  command,
  entryEnv: {},
  env,
  cwd: undefined,
  ...changes,
});

function noting(name: string, condition = "true"): { command: string[]; starts: () => number } {
  const notes = join(folder.path, name);
  const script = `echo >> ${notes}; ${condition} || exit 4; exec "$@"`;
  return {
    command: ["sh", "-c", script, "sh", ...replay(file)],
    starts: () => (existsSync(notes) ? readFileSync(notes, "utf8").length : 0),
  };
}

async function results(...launches: readonly Launch[]) {
  const servers = launches.map((started, at) => ({ server: `s${at}`, launch: started }));
  const started = await startServers(servers, 10_000, capturedIo());
  if ("interrupted" in started) throw new Error("interrupted");
  return servers.map((server) => started.results.get(server));
}

test("a server that lacks a variable of one client is started again for the others", async () => {
  const server = noting("lacking", '[ -n "$MORE" ]');
  const [first, second] = await results(
    launch(server.command, { env: { ...env, MORE: "1" } }),
    launch(server.command),
  );
  expect(first).toMatchObject({ listing: { tools } });
  expect(second).toEqual({
    failure: { kind: "exited", reason: "it ended with code 4 before it answered" },
  });
});

test("a server with different variables or another folder is another process", async () => {
  const server = noting("own");
  await results(
    launch(server.command),
    launch(server.command, { entryEnv: { A: "1" } }),
    launch(server.command, { cwd: folder.path }),
  );
  expect(server.starts()).toBe(3);
  const sorted = launch(["x"], { entryEnv: { A: "1", B: "2" } });
  const unsorted = launch(["x"], { entryEnv: { B: "2", A: "1" } });
  expect(makeProcessKey(sorted)).toBe(makeProcessKey(unsorted));
});

test("failures are results and do not affect other servers", async () => {
  const missing = launch(["no-such-server"], { env: { ...env } });
  const nowhere = launch(replay(file), { cwd: "/no/such/folder" });
  const odd = launch(["sh"], { cwd: "a\0b" });
  const flawed = launch([folder.path]);
  expect(await results(missing, nowhere, odd, flawed, launch(replay(file)))).toMatchObject([
    { failure: { kind: "not_found", reason: "its program was not found" } },
    { failure: { kind: "no_folder" } },
    { failure: { kind: "no_folder" } },
    { failure: { kind: "not_executable" } },
    { listing: { tools } },
  ]);
});

test("a program is found in the PATH of the process, and a relative one in its folder", async () => {
  const words = replay(file).map((word) => `'${word}'`);
  const bin = folder.write("replayed", `#!/bin/sh\nexec ${words.join(" ")}\n`);
  chmodSync(bin, 0o755);
  const variables = { PATH: `${folder.path}:${env.PATH}` };
  expect(
    await results(
      launch(["replayed"], { entryEnv: variables, env: { ...env, ...variables } }),
      launch(["./replayed"], { cwd: folder.path }),
      launch(["replayed"]),
    ),
  ).toMatchObject([{ listing: {} }, { listing: {} }, { failure: { kind: "not_found" } }]);
});

test("a process has these variables and no others", async () => {
  const notes = join(folder.path, "environment");
  const script = `env > ${notes}; exit 1`;
  appendFileSync(notes, "");
  await results(launch(["sh", "-c", script], { env: { PATH: env.PATH, ONE: "1" } }));
  const names = readFileSync(notes, "utf8").match(/^\w+(?==)/gm) ?? [];
  expect(
    names.filter((name) => !["PWD", "_", "SHLVL", "OLDPWD"].includes(name)).toSorted(),
  ).toEqual(["ONE", "PATH"]);
});

test("a signal ends all servers, and starts no other", async () => {
  const seconds = uniqueSeconds();
  const io = capturedIo();
  const later = noting("later");
  const servers = [
    ...Array.from({ length: 6 }, (_, at) =>
      launch(["sleep", seconds], { entryEnv: { N: `${at}` } }),
    ),
    launch(later.command),
  ].map((started, at) => ({ server: `s${at}`, launch: started }));
  setTimeout(() => io.hear("SIGINT"), 300);
  expect(await startServers(servers, 30_000, io)).toEqual({ interrupted: { signal: "SIGINT" } });
  expect(await waitForEndOfProcessesWith(seconds)).toEqual([]);
  expect(later.starts()).toBe(0);
  expect(io.written).toEqual({ stdout: "", stderr: "" });
});

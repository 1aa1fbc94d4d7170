import { expect, test } from "bun:test";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { unwrap, wrap } from "#commands/wrap/command.ts";
import { describeServerBudgets } from "#commands/wrap/wrap-report.ts";
import { fakeIo } from "../../support/fake-io.ts";
import { rejectionOf } from "../../support/folder.ts";
import { refuseImpossibleChanges } from "#commands/wrap/plan-file.ts";
import { CursorHome, selection, settings, wrapTask } from "./cast.ts";

const nobody = { canAsk: () => false, ask: () => Promise.reject(new Error("asked")) };

const saying = (isYes: boolean, act: () => void = () => undefined) => ({
  canAsk: () => true,
  ask: async () => {
    act();
    return { isYes };
  },
});

function world(home: CursorHome, isTerminal: boolean) {
  const fake = fakeIo({ env: home.env, argv: ["unwrap"] });
  const stderr = { ...fake.io.stderr, isTerminal };
  return { ...fake, io: { ...fake.io, stderr } };
}

const file = (home: CursorHome) => ({ ...selection, file: home.cursor });

test("without a terminal nothing is written, and the command to run is printed", async () => {
  using home = new CursorHome();
  const { io, stdout, stderr } = world(home, false);
  expect(await unwrap(file(home), io, nobody)).toEqual({ code: 0 });
  expect(stdout()).toStartWith("Would unwrap 1 server\n");
  expect(stderr()).toBe(
    'mcp-meter: Nothing was changed; to apply the changes, run "mcp-meter unwrap --all --yes"\n',
  );
  expect(home.text()).toBe(settings);
});

test("on a terminal, yes changes the files", async () => {
  using home = new CursorHome();
  const { io, stdout } = world(home, true);
  const questions: string[] = [];
  const asking = {
    canAsk: () => true,
    ask: async (question: string) => {
      questions.push(question);
      return { isYes: true };
    },
  };
  expect(await unwrap(file(home), io, asking)).toEqual({ code: 0 });
  expect(questions).toEqual(["Change this file? [y/N]"]);
  expect(stdout()).toContain("Unwrapped 1 server");
  expect(home.text()).not.toBe(settings);
});

test("on a terminal, any other answer changes nothing", async () => {
  using home = new CursorHome();
  const { io, stderr } = world(home, true);
  expect(await unwrap(file(home), io, saying(false))).toEqual({ code: 0 });
  expect(stderr()).toBe("mcp-meter: Nothing was changed\n");
  const interrupted = { interrupted: { signal: "SIGINT" } };
  const leaving = { canAsk: () => true, ask: () => Promise.resolve(interrupted) };
  expect(await unwrap(file(home), io, leaving)).toEqual({ signal: "SIGINT" });
  expect(home.text()).toBe(settings);
});

test("JSON and --dry-run ask nothing", async () => {
  using home = new CursorHome();
  for (const more of [{ format: "json" }, { isDryRun: true }] as const) {
    const { io } = world(home, true);
    expect(await unwrap({ ...file(home), ...more }, io, nobody)).toEqual({ code: 0 });
    expect(home.text()).toBe(settings);
  }
});

test("a file with the changed lines is private, like the settings that it quotes", async () => {
  using home = new CursorHome();
  const { io } = world(home, false);
  const output = home.at("changes.txt");
  await unwrap({ ...file(home), isDryRun: true, output }, io, nobody);
  expect(readFileSync(output, "utf8")).toContain('-     "behind": { "command"');
  expect(statSync(output).mode & 0o777).toBe(0o600);
});

test("a change to the file between question and answer is kept", async () => {
  using home = new CursorHome();
  const { io } = world(home, true);
  const asking = saying(true, () => writeFileSync(home.cursor, `// mine\n${settings}`));
  expect(await unwrap(file(home), io, asking)).toEqual({ code: 0 });
  expect(home.text()).toMatch(/^\/\/ mine\n/);
  expect(home.text()).not.toContain("mcp-meter");
});

test("an unknown server is an error that names the nearest one", async () => {
  using home = new CursorHome();
  const { io } = world(home, false);
  const options = { ...file(home), names: ["drect"], isConfirmed: true };
  expect(await rejectionOf(unwrap(options, io, nobody))).toBe(
    'UserError: Cannot find a server "drect" in the settings; did you mean "direct"?',
  );
  expect(home.text()).toBe(settings);
});

test("without a folder for backups nothing is written", async () => {
  using home = new CursorHome();
  const { io } = world(home, false);
  const options = { ...file(home), isConfirmed: true };
  expect(await rejectionOf(unwrap(options, { ...io, env: {} }, nobody))).toContain(
    "Cannot keep a backup",
  );
  expect(home.text()).toBe(settings);
});

test("a refused server is named in the report, and counted in a sentence", async () => {
  const command = '"command":"mcp-meter"';
  using home = new CursorHome(`{"mcpServers":{"a":{${command},${command},"args":["--","x"]}}}`);
  const { io, stdout, stderr } = world(home, false);
  expect(await unwrap(file(home), io, nobody)).toEqual({ code: 1 });
  expect(stdout()).toMatch(/^Could not change 1 server\n[^]*refused: a name occurs twice/);
  expect(stderr()).toBe("mcp-meter: Left 1 server as it is; the reason follows its name\n");
});

const states = (home: CursorHome, flags: readonly string[]) =>
  refuseImpossibleChanges(home.plan({ ...wrapTask, flags }), { ...wrapTask, flags }).servers.map(
    ({ entry, state, refusal }) => [entry.rawName, state, refusal],
  );

test("a server that is behind mcp-meter gets further options, and keeps those that it has", () => {
  const words = '"--server", "same", "--budget", "9k", "--", "x", "--warn-at", "50"';
  const text = `{"mcpServers":{"same":{"command":"mcp-meter","args":[${words}]},"new":{"command":"x"}}}`;
  using home = new CursorHome(text);
  const [same, fresh] = [
    ["same", "behind", undefined],
    ["new", "changed", undefined],
  ];
  expect(states(home, [])).toEqual([same, fresh]);
  expect(states(home, ["--budget", "9k"])).toEqual([same, fresh]);
  const changed = ["same", "changed", undefined];
  for (const flags of [
    ["--budget", "8k/day"],
    ["--budget", "search=8k", "--annotate"],
    ["--warn-at", "50"],
  ]) {
    expect(states(home, flags)).toEqual([changed, fresh]);
    const task = { ...wrapTask, names: ["same"], flags };
    const { after } = home.plan(task);
    const added = flags.map((flag) => JSON.stringify(flag)).join(", ");
    const wanted = text.replace('"9k", "--"', `"9k", ${added}, "--"`);
    expect(new TextDecoder().decode(after)).toBe(wanted);
  }
});

const text = (...options: readonly string[]) => {
  const args = ["--server", "same", ...options, "--", "x", "--max-repeats", "9"];
  const words = args.map((word) => JSON.stringify(word)).join(", ");
  return `{"mcpServers":{"same":{"command":"mcp-meter","args":[${words}]}}}`;
};

test("an option that a wrapped server has with another value gets the new one", () => {
  using home = new CursorHome(
    text("--budget", "9k", "--budget=2calls=3k:warn", "--max-repeats", "2", "--annotate"),
  );
  const after = (...flags: readonly string[]) =>
    new TextDecoder().decode(home.plan({ ...wrapTask, names: ["same"], flags }).after);
  expect(after("--budget", "8k")).toBe(
    text("--budget=2calls=3k:warn", "--max-repeats", "2", "--annotate", "--budget", "8k"),
  );
  expect(after("--max-repeats=3", "--budget", "2calls=1.5k:warn")).toBe(
    text("--budget", "9k", "--annotate", "--max-repeats=3", "--budget", "2calls=1.5k:warn"),
  );
  expect(after("--annotate=false")).toBe(
    text("--budget", "9k", "--budget=2calls=3k:warn", "--max-repeats", "2", "--annotate=false"),
  );
  using inDollars = new CursorHome(
    text("--model", "claude-opus-5-5", "--budget", "8k/day", "--budget", "$5/day"),
  );
  const { after: changed } = inDollars.plan({
    ...wrapTask,
    names: ["same"],
    flags: ["--budget", "$9.50/day"],
  });
  expect(new TextDecoder().decode(changed)).toBe(
    text("--model", "claude-opus-5-5", "--budget", "8k/day", "--budget", "$9.50/day"),
  );
  expect(states(home, ["--max-repeats=2", "--budget", "9k"])).toEqual([
    ["same", "behind", undefined],
  ]);
});

test("a pattern of --hide or --only is added to those that a wrapped server has", () => {
  using home = new CursorHome(text("--hide", "a*", "--only=b", "--hide", "c"));
  const flags = ["--hide", "c", "--hide", "d", "--only", "e"];
  const { after } = home.plan({ ...wrapTask, names: ["same"], flags });
  expect(new TextDecoder().decode(after)).toBe(
    text("--hide", "a*", "--only=b", "--hide", "c", "--hide", "d", "--only", "e"),
  );
});

test("options that contradict those of a wrapped server are refused: it would not start", () => {
  const words = '"--log", "off", "--log-fsync", "--", "x"';
  using home = new CursorHome(`{"mcpServers":{"same":{"command":"mcp-meter","args":[${words}]}}}`);
  const flags = ["--unknown"];
  expect(states(home, flags)).toEqual([["same", "refused", "contradictory_options"]]);
  expect(home.plan({ ...wrapTask, flags }).after).toBeUndefined();
});

test("a server that is behind a missing mcp-meter is refused", () => {
  const args = '"args":["--","x"]';
  using home = new CursorHome(
    `{"mcpServers":{"lost":{"command":"/missing/mcp-meter",${args}},"named":{"command":"mcp-meter",${args}}}}`,
  );
  expect(states(home, [])).toEqual([
    ["lost", "refused", "meter_missing"],
    ["named", "behind", undefined],
  ]);
});

test("a budget for a tool with the server's name is noted, with the budget of the server", () => {
  using home = new CursorHome();
  const told = (...flags: readonly string[]) =>
    describeServerBudgets([home.plan({ ...wrapTask, flags })], flags);
  expect(told("--budget", "Direct=10k/day")).toEqual([
    'Budget "Direct=10k/day" limits only a tool named "Direct"; to limit every tool of the server "Direct", write "10k/day"',
  ]);
  // It stays as it is, so it gets no budget.
  expect(told("--budget", "remote=10k")).toEqual([]);
  expect(told("--budget", "search=10k", "--budget", "10k/day")).toEqual([]);
});

test("a server that is wrapped already keeps its options, and how to remove some is printed", async () => {
  using home = new CursorHome();
  const program = home.file("mcp-meter", "#!/bin/sh\n");
  chmodSync(program, 0o755);
  writeFileSync(home.cursor, settings.replace("/opt/mcp-meter", program));
  const { io, stdout, stderr } = world(home, false);
  const own = { ...io, validatorCommand: [program] };
  await wrap({ ...file(home), names: ["behind"], isConfirmed: true }, own, nobody);
  expect(stdout()).toStartWith("Nothing to change\n");
  expect(stderr()).toContain('to remove some, run "mcp-meter unwrap behind --yes", and wrap again');
});

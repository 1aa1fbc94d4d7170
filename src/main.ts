import { attempt } from "#kit/errors.ts";
import { constants } from "node:os";
import { reportFailure, runCli } from "./cli.ts";
import type { Ending, ForwardedSignal, Io } from "#kit/io.ts";
import { makeLenientWriter, makeStdoutWriter } from "#kit/os/standard-streams.ts";

const forwardedSignals: readonly ForwardedSignal[] = [
  "SIGTERM",
  "SIGINT",
  "SIGHUP",
  "SIGQUIT",
  "SIGUSR1",
  "SIGUSR2",
  "SIGTSTP",
  "SIGCONT",
];

// Not in the help: `check` starts this program a second time with this argument.
const validatorArgument = "validate-structured-content";

const isCompiled = Bun.main.startsWith("/$bunfs/") || Bun.main.includes("~BUN");

// Replaces these properties, because execa and yargs would read them: reading one creates its stream and makes the
// descriptor non-blocking, even for other processes that share it. Assigning one creates no stream.
Object.assign(process, { stdin: {}, stdout: {}, stderr: {} });

const io: Io = {
  argv: process.argv.slice(2),
  env: process.env,
  stdout: makeStdoutWriter(process.env),
  stderr: makeLenientWriter(2, process.env),
  pid: process.pid,
  parentPid: process.ppid,
  platform: process.platform,
  validatorCommand: [process.execPath, ...(isCompiled ? [] : [Bun.main]), validatorArgument],
  signals: {
    listen(handler) {
      const listeners = forwardedSignals.map((name) => ({ name, listener: () => handler(name) }));
      for (const { name, listener } of listeners) process.on(name, listener);
      return () => {
        for (const { name, listener } of listeners) process.off(name, listener);
      };
    },
    send(pid, signal) {
      return attempt(() => process.kill(pid, signal), false);
    },
  },
};

let isFailing = false;

// Without this handler, Bun prints a stack trace with an excerpt of our source.
process.on("uncaughtException", (error) => {
  if (isFailing) return;
  isFailing = true;
  void reportFailure(error, io).then(end);
});

if (io.argv[0] === validatorArgument) {
  const { serveValidation } =
    await import("#check/mcp-client/structured-content/output-schemas.ts");
  await serveValidation(Bun.stdin.stream(), (line) => Bun.write(Bun.stdout, line));
  process.exit(0);
}

end(await runCli(io));

function end(ending: Ending): void {
  io.stderr.flush();
  if ("code" in ending) process.exit(ending.code);
  const { signal } = ending;
  io.signals.send(process.pid, signal);
  // If the signal does not end this process, exits with the code that a shell would report.
  process.exit(
    128 + (Object.entries(constants.signals).find(([name]) => name === signal)?.[1] ?? 0),
  );
}

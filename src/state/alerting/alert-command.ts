import { setBounded } from "#kit/limits.ts";
import { existsSync } from "node:fs";
import type { Ending, Io } from "#kit/io.ts";
import { readErrorCode } from "#kit/os/file-errors.ts";
import type { MeterRecord } from "#records/record.ts";
import { stringifySafely } from "#kit/text/unsafe-text.ts";
import { makeAlertMessage } from "./alert-message.ts";
import { AlertQueue, alertsRememberedMax, type WaitingAlert } from "./alert-queue.ts";
import { alertFailures, alertSentences } from "./sentences.ts";
import { startProgram } from "#kit/os/run-program.ts";
import { type AlertClaims, claimLeaseMs, type SharedAlert } from "./shared-alerts.ts";

// The command is killed after this time. That is ample: a web request over a slow line takes three seconds.
export const alertCommandMaxMs = 10_000;

// Alerts delay the end of a session by at most this time. Clients kill us 2 s after they close our stdin.
export const alertsAtExitMaxMs = 1_500;

export const parallelAlertsAtExitMax = 4;

// The shortest time between two starts of the command while a session runs: chat services accept one message a second.
const alertGapMs = 1_000;

export const alertClientsMax = 500;

export type AlertCommandDeps = {
  readonly command: string;
  // The command runs in this folder, because the session's folder may be a hostile project.
  readonly home: string | undefined;
  readonly start: (command: ShellCommand) => Promise<RunningShell>;
  readonly reportFailure: (sentence: string, code: string) => void;
  readonly claims?: AlertClaims | undefined;
  readonly findShared?: (record: MeterRecord) => SharedAlert | undefined;
};

// Runs the command for one alert at a time; at the end of the session, for several at once. Never throws.
export class AlertCommand {
  readonly #deps: AlertCommandDeps;
  readonly #queue = new AlertQueue();
  readonly #clients = new Map<string, string | null>();
  // Keys of shared alerts that a meter, perhaps this one, has already passed to its command.
  readonly #givenKeys = new Set<string>();
  #timer: Timer | undefined;
  readonly #running = new Set<Promise<RunningShell | undefined>>();
  #startedMs = -Infinity;
  #end: PromiseWithResolvers<void> | undefined;
  #hasFailed = false;

  constructor(deps: AlertCommandDeps) {
    this.#deps = deps;
  }

  take(record: MeterRecord): void {
    if (record.type === "session") this.#remember(record.session_id, record.client_name);
    const message = makeAlertMessage(record, this.#clients.get(record.session_id) ?? null);
    if (!message || this.#end) return;
    const shared = this.#deps.findShared?.(record);
    if (shared && this.#givenKeys.has(shared.key)) return;
    this.#queue.add(message, performance.now(), shared);
    this.#schedule();
  }

  async finish(): Promise<void> {
    clearTimeout(this.#timer);
    this.#end = Promise.withResolvers();
    const timer = setTimeout(() => this.#giveUp(), alertsAtExitMaxMs);
    // If there are more alerts than free slots, some may never start. So the newest alert starts first.
    if (this.#queue.size > this.#freeSlots) this.#start(this.#queue.takeNewest(performance.now()));
    this.#startRemaining();
    await this.#end.promise;
    clearTimeout(timer);
    this.#deps.claims?.close();
    const { leftOut } = this.#queue;
    if (leftOut > 0)
      this.#deps.reportFailure(alertSentences.alertsLeftOut(leftOut), "alerts left out");
  }

  #remember(session: string, client: string | null): void {
    this.#clients.delete(session);
    setBounded(this.#clients, session, client, alertClientsMax);
  }

  #schedule(): void {
    const { dueMs } = this.#queue;
    if (this.#running.size > 0 || this.#end || dueMs === undefined) return;
    clearTimeout(this.#timer);
    const delayMs = Math.max(dueMs, this.#startedMs + alertGapMs) - performance.now();
    // Never immediately: the line that caused the alert is forwarded first.
    this.#timer = setTimeout(() => this.#startNext(), Math.max(0, Math.ceil(delayMs)));
    this.#timer.unref();
  }

  #startNext(): void {
    this.#start(this.#queue.take(performance.now()));
    this.#schedule();
  }

  #startRemaining(): void {
    while (this.#freeSlots > 0 && this.#queue.size > 0)
      this.#start(this.#queue.takeOldest(performance.now()));
    if (this.#running.size === 0) this.#end?.resolve();
  }

  get #freeSlots(): number {
    return parallelAlertsAtExitMax - this.#running.size;
  }

  #start(alert: WaitingAlert | undefined): void {
    if (!alert) return;
    this.#startedMs = performance.now();
    void this.#run(alert);
  }

  async #run(alert: WaitingAlert): Promise<void> {
    const starting = this.#startShell(alert);
    this.#running.add(starting);
    try {
      const shell = await starting;
      if (shell) await this.#watch(shell);
    } catch (error) {
      const cause = describeCause(error);
      this.#fail(alertFailures.start(cause), cause);
    }
    this.#running.delete(starting);
    if (this.#end) this.#startRemaining();
    else this.#schedule();
  }

  // Undefined if a meter has already claimed the alert.
  async #startShell(alert: WaitingAlert): Promise<RunningShell | undefined> {
    const { command, home, start, claims } = this.#deps;
    const { message, shared } = alert;
    if (claims && shared && !(await this.#claim(alert, shared, claims))) return undefined;
    const cwd = home !== undefined && existsSync(home) ? home : "/";
    const shell = await start({ command, input: `${stringifySafely(message)}\n`, cwd });
    if (shared) await claims?.confirm(shared);
    return shell;
  }

  async #claim(alert: WaitingAlert, shared: SharedAlert, claims: AlertClaims): Promise<boolean> {
    const state = await claims.claim(shared);
    if (state === "ours") return true;
    const isLeftToOther = state === "given" || this.#end !== undefined;
    this.#queue.putBack(alert, isLeftToOther ? undefined : performance.now() + claimLeaseMs);
    if (state === "given") this.#rememberGiven(shared.key);
    return false;
  }

  // Forgetting a key is safe, because the next claim of its alert returns `given` again.
  #rememberGiven(key: string): void {
    if (this.#givenKeys.size >= alertsRememberedMax) this.#givenKeys.clear();
    this.#givenKeys.add(key);
  }

  async #watch(shell: RunningShell): Promise<void> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      shell.kill();
    }, alertCommandMaxMs);
    timer.unref();
    const ending = await shell.ended;
    clearTimeout(timer);
    if (isLate) this.#fail(alertFailures.timedOut(alertCommandMaxMs / 1000), "timeout");
    else this.#check(ending);
  }

  #giveUp(): void {
    this.#queue.clear();
    if (this.#running.size > 0) {
      for (const starting of this.#running) {
        // `#run` handles the error if a shell cannot be started.
        void starting.then(
          (shell) => shell?.kill(),
          () => undefined,
        );
      }
      this.#fail(alertFailures.atEnd(), "timeout");
    }
    this.#end?.resolve();
  }

  #check(ending: Ending): void {
    if ("signal" in ending) this.#fail(alertFailures.signal(ending.signal), ending.signal);
    else if (ending.code !== 0) this.#fail(alertFailures.exit(ending.code), `exit ${ending.code}`);
  }

  #fail(reason: string, code: string): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#deps.reportFailure(alertSentences.alertCommandFailed(reason), code);
  }
}

// An error message may quote the command, which may hold a secret.
function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error ? readErrorCode(error) : error.name;
}

export type ShellCommand = {
  readonly command: string;
  readonly input: string;
  readonly cwd: string;
};

export type RunningShell = {
  readonly ended: Promise<Ending>;
  readonly kill: () => void;
};

// Discards the output. Throws if the shell cannot be started.
export async function startShell(
  { command, input, cwd }: ShellCommand,
  { platform, signals }: Pick<Io, "platform" | "signals">,
): Promise<RunningShell> {
  const isWindows = platform === "win32";
  const argv = isWindows
    ? ["cmd.exe", "/d", "/s", "/c", `"${command}"`]
    : ["/bin/sh", "-c", command];
  const child = await startProgram(argv, {
    input,
    cwd,
    detached: !isWindows,
    windowsVerbatimArguments: isWindows,
  });
  return {
    ended: child.ended,
    kill: () => {
      // After the shell is reaped, another process group may have its id.
      if (!child.isRunning()) return;
      if (isWindows) child.kill();
      else signals.send(-child.pid, "SIGKILL");
    },
  };
}

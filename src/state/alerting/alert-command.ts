import { setBounded } from "#kit/bounded.ts";
import { existsSync } from "node:fs";
import type { Ending, Io } from "#kit/io.ts";
import { readErrorCode } from "#kit/os/file-errors.ts";
import type { MeterRecord } from "#records/record.ts";
import { stringifySafely } from "#kit/text/unsafe-text.ts";
import { type AlertMessage, makeAlertMessage, makeAlertKey } from "./alert-message.ts";
import { alertFailures, alertSentences } from "./sentences.ts";
import { startProgram } from "#kit/os/run-program.ts";
import { type AlertClaims, claimLeaseMs, type SharedAlert } from "./alert-claims.ts";

export const alertRepeatMs = 60_000;

export const alertsWaitingMax = 32;

// The limit per `alertsPeriodMs`. Users would not read more, and a server can cause any number by inventing tool names.
export const alertsDeliveredMax = 100;

// The limit starts again after this time, because `serve` runs for months.
export const alertsPeriodMs = 24 * 60 * 60_000;

export const alertsRememberedMax = 1_000;

type WaitingAlert = {
  readonly message: AlertMessage;
  readonly shared: SharedAlert | undefined;
  readonly dueMs: number;
};

// Merges and counts equal alerts within `alertRepeatMs`. All times are from one clock of the caller.
export class AlertQueue {
  readonly #waiting = new Map<string, WaitingAlert>();
  readonly #takenMsByKey = new Map<string, number>();
  #taken = 0;
  #periodStartMs = -Infinity;
  #leftOut = 0;

  get leftOut(): number {
    return this.#leftOut;
  }

  get size(): number {
    return this.#waiting.size;
  }

  add(message: AlertMessage, nowMs: number, shared?: SharedAlert): void {
    const key = makeAlertKey(message);
    const queued = this.#waiting.get(key);
    if (queued) {
      const count = queued.message.count + message.count;
      this.#waiting.set(key, { ...queued, message: { ...message, count } });
      return;
    }
    if (nowMs - this.#periodStartMs >= alertsPeriodMs)
      [this.#periodStartMs, this.#taken] = [nowMs, 0];
    const isFull = this.#waiting.size >= alertsWaitingMax;
    if (isFull || this.#taken + this.#waiting.size >= alertsDeliveredMax) {
      this.#leftOut += message.count;
      return;
    }
    const takenMs = this.#takenMsByKey.get(key);
    const dueMs = takenMs === undefined ? nowMs : Math.max(nowMs, takenMs + alertRepeatMs);
    this.#waiting.set(key, { message, shared, dueMs });
  }

  // Undoes `take` for an alert that another meter gives. With `dueMs`, it waits until then, in case that meter fails.
  putBack(alert: WaitingAlert, dueMs: number | undefined): void {
    this.#taken -= 1;
    const key = makeAlertKey(alert.message);
    if (dueMs !== undefined && !this.#waiting.has(key)) this.#waiting.set(key, { ...alert, dueMs });
  }

  get dueMs(): number | undefined {
    const times = this.#waitingInOrder.map(({ dueMs }) => dueMs);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  take(nowMs: number): WaitingAlert | undefined {
    return this.#take(
      this.#waitingInOrder.find(({ dueMs }) => dueMs <= nowMs),
      nowMs,
    );
  }

  takeOldest(nowMs: number): WaitingAlert | undefined {
    return this.#take(this.#waitingInOrder[0], nowMs);
  }

  takeNewest(nowMs: number): WaitingAlert | undefined {
    return this.#take(this.#waitingInOrder.toSorted(compareTimes).at(-1), nowMs);
  }

  clear(): void {
    for (const { message } of this.#waiting.values()) this.#leftOut += message.count;
    this.#waiting.clear();
  }

  get #waitingInOrder(): readonly WaitingAlert[] {
    return [...this.#waiting.values()];
  }

  #take(waiting: WaitingAlert | undefined, nowMs: number): WaitingAlert | undefined {
    if (!waiting) return undefined;
    const key = makeAlertKey(waiting.message);
    this.#waiting.delete(key);
    this.#remember(key, nowMs);
    this.#taken += 1;
    return waiting;
  }

  #remember(key: string, nowMs: number): void {
    this.#takenMsByKey.delete(key);
    setBounded(this.#takenMsByKey, key, nowMs, alertsRememberedMax);
  }
}

function compareTimes(a: WaitingAlert, b: WaitingAlert): number {
  return Date.parse(a.message.ts) - Date.parse(b.message.ts);
}

// The command is killed after this time. A request over a slow line takes three seconds.
export const alertCommandMaxMs = 10_000;

// Alerts may delay the end of a session by this much, because clients kill us 2 s after they close our stdin.
export const alertsAtExitMaxMs = 1_500;

export const parallelAlertsAtExitMax = 4;

// The pause between two commands, because chat services accept one message per second.
const alertGapMs = 1_000;

export const alertClientsMax = 500;

export type AlertCommandDeps = {
  readonly command: string;
  // The working directory, because the session's folder may be a hostile project.
  readonly home: string | undefined;
  readonly start: (command: ShellCommand) => Promise<RunningShell>;
  readonly reportFailure: (sentence: string, code: string) => void;
  // For shared alerts.
  readonly claims?: AlertClaims | undefined;
  readonly findShared?: (record: MeterRecord) => SharedAlert | undefined;
};

// Runs the command for one alert at a time, soon after the alert. At the end of the session, runs it for several alerts at
// once, beginning with the newest. Never throws.
export class AlertCommand {
  readonly #deps: AlertCommandDeps;
  readonly #queue = new AlertQueue();
  readonly #clients = new Map<string, string | null>();
  // Keys of shared alerts that another meter has given.
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
    // The newest alert comes first, because the commands started now may use up the remaining time.
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

  // Undefined if another meter gives the alert.
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

  // If a key is forgotten, its alert is claimed once more.
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
    if (isLate) this.#fail(alertFailures.late(alertCommandMaxMs / 1000), "timeout");
    else this.#check(ending);
  }

  #giveUp(): void {
    this.#queue.clear();
    if (this.#running.size > 0) {
      for (const starting of this.#running) {
        // `#run` reports a process that cannot be started.
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

// Runs `sh -c` in a new process group and discards its output. Throws if it cannot be started.
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
      // Once the leader is reaped, its group id may belong to another group.
      if (!child.isRunning()) return;
      if (isWindows) child.kill();
      else signals.send(-child.pid, "SIGKILL");
    },
  };
}

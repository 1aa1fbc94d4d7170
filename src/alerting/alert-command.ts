import { existsSync } from "node:fs";
import { alertFailures } from "#alert-sentences.ts";
import { sentences } from "#errors.ts";
import type { Ending } from "#io.ts";
import {
  alertClientsMax,
  alertCommandMaxMs,
  alertGapMs,
  alertsAtExitMaxMs,
  alertsTogetherAtExitMax,
} from "#limits/alerting.ts";
import type { RunningShell, ShellCommand } from "./shell-command.ts";
import { errorCode } from "#os/error-code.ts";
import type { MeterRecord } from "#records/record.ts";
import { safeJson } from "#text/unsafe-text.ts";
import { type AlertMessage, alertMessage } from "./alert-message.ts";
import { AlertQueue } from "./alert-queue.ts";

/** The command of a user that alerts run, and the world that it runs in. */
export type AlertCommandDeps = {
  readonly command: string;
  /** The user's home, where the command runs: the folder of the session may be a hostile project. */
  readonly home: string | undefined;
  /** Starts a shell. Throws when no process can be started. */
  readonly start: (command: ShellCommand) => RunningShell;
  /** Takes a sentence for the person, and its cause for the records. */
  readonly failed: (sentence: string, what: string) => void;
};

/**
 * Runs the user's command for each alert, with the alert as JSON on its stdin: one process at a time, a moment after the
 * line that caused it, for a bounded time. Sessions of one process may share it. Never throws, never waits but at the end: then
 * some run side by side, the newest alert among the first, so that a process that hangs holds up neither the end nor what
 * happened last.
 */
export class AlertCommand {
  readonly #deps: AlertCommandDeps;
  readonly #queue = new AlertQueue();
  /** Names of clients by session, the newest last. */
  readonly #clients = new Map<string, string | null>();
  #timer: Timer | undefined;
  readonly #running = new Set<RunningShell>();
  #startedMs = -Infinity;
  /** Set at the end: settles when no process is left. */
  #end: PromiseWithResolvers<void> | undefined;
  #hasFailed = false;

  constructor(deps: AlertCommandDeps) {
    this.#deps = deps;
  }

  take(record: MeterRecord): void {
    if (record.type === "session") this.#remember(record.session_id, record.client_name);
    const message = alertMessage(record, this.#clients.get(record.session_id) ?? null);
    if (!message || this.#end) return;
    this.#queue.add(message, performance.now());
    this.#schedule();
  }

  /** Runs the command for the alerts that wait, for at most `alertsAtExitMaxMs` with the process that runs. */
  async finish(): Promise<void> {
    clearTimeout(this.#timer);
    this.#end = Promise.withResolvers();
    const timer = setTimeout(() => this.#giveUp(), alertsAtExitMaxMs);
    // Those that are started now may take all of the time.
    if (this.#queue.size > this.#roomAtEnd) this.#start(this.#queue.takeNewest(performance.now()));
    this.#startLast();
    await this.#end.promise;
    clearTimeout(timer);
    const { leftOut } = this.#queue;
    if (leftOut > 0) this.#deps.failed(sentences.alertsLeftOut(leftOut), "alerts left out");
  }

  #remember(session: string, client: string | null): void {
    this.#clients.delete(session);
    this.#clients.set(session, client);
    const [oldest] = this.#clients.keys();
    if (this.#clients.size > alertClientsMax && oldest !== undefined) this.#clients.delete(oldest);
  }

  #schedule(): void {
    const { dueMs } = this.#queue;
    if (this.#running.size > 0 || this.#end || dueMs === undefined) return;
    clearTimeout(this.#timer);
    const delayMs = Math.max(dueMs, this.#startedMs + alertGapMs) - performance.now();
    // Never at once: the line that caused it is forwarded first.
    this.#timer = setTimeout(() => this.#startNext(), Math.max(0, Math.ceil(delayMs)));
    this.#timer.unref();
  }

  #startNext(): void {
    this.#start(this.#queue.take(performance.now()));
    this.#schedule();
  }

  /** At the end: as many as may run side by side. */
  #startLast(): void {
    while (this.#roomAtEnd > 0 && this.#queue.size > 0)
      this.#start(this.#queue.takeOldest(performance.now()));
    if (this.#running.size === 0) this.#end?.resolve();
  }

  get #roomAtEnd(): number {
    return alertsTogetherAtExitMax - this.#running.size;
  }

  #start(message: AlertMessage | undefined): void {
    if (!message) return;
    this.#startedMs = performance.now();
    void this.#run(`${safeJson(message)}\n`);
  }

  async #run(input: string): Promise<void> {
    const { command, home, start } = this.#deps;
    let isLate = false;
    let shell: RunningShell | undefined;
    let timer: Timer | undefined;
    try {
      const cwd = home !== undefined && existsSync(home) ? home : "/";
      shell = start({ command, input, cwd });
      this.#running.add(shell);
      timer = setTimeout(() => {
        isLate = true;
        shell?.kill();
      }, alertCommandMaxMs);
      timer.unref();
      const ending = await shell.ended;
      if (isLate) this.#fail(alertFailures.late(alertCommandMaxMs / 1000), "timeout");
      else this.#check(ending);
    } catch (error) {
      const cause = causeOf(error);
      this.#fail(alertFailures.start(cause), cause);
    }
    clearTimeout(timer);
    if (shell) this.#running.delete(shell);
    if (this.#end) this.#startLast();
    else this.#schedule();
  }

  /** The session ends: nothing is waited for any longer. */
  #giveUp(): void {
    this.#queue.clear();
    if (this.#running.size > 0) {
      for (const shell of this.#running) shell.kill();
      this.#fail(alertFailures.atEnd(), "timeout");
    }
    this.#end?.resolve();
  }

  #check(ending: Ending): void {
    if ("signal" in ending) this.#fail(alertFailures.signal(ending.signal), ending.signal);
    else if (ending.code !== 0) this.#fail(alertFailures.exit(ending.code), `exit ${ending.code}`);
  }

  /** Once: a command that fails for one alert fails for all. */
  #fail(reason: string, what: string): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#deps.failed(sentences.alertCommandFailed(reason), what);
  }
}

/** The code of a system error, or its name: a message may quote the command, which may hold a secret. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error ? errorCode(error) : error.name;
}

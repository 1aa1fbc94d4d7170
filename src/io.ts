/** Signals the meter hears and passes on. */
export type ForwardedSignal =
  "SIGTERM" | "SIGINT" | "SIGHUP" | "SIGQUIT" | "SIGUSR1" | "SIGUSR2" | "SIGTSTP" | "SIGCONT";

/** Takes text for a person or a pipe; blocks until it is written, so nothing is lost at exit. */
export type Writer = {
  write(text: string): void;
  /** True when a terminal shows it. */
  readonly isTerminal: boolean;
  /** Columns of the terminal; undefined where there is none. */
  readonly columns: number | undefined;
};

/** What the world hands a command. */
export type Io = {
  /** Arguments after the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<{ [name: string]: string | undefined }>;
  /** For output that is the command's answer; never used by `run`, whose stdout is the protocol's. */
  readonly stdout: Writer;
  readonly stderr: Writer;
  readonly pid: number;
  readonly platform: string;
  readonly signals: Signals;
};

export type Signals = {
  /** Calls `handler` for every forwarded signal until the returned function is called. */
  listen(handler: (signal: ForwardedSignal) => void): () => void;
  /** Sends a signal to a process; false when there is no such process. */
  send(pid: number, signal: string): boolean;
};

/** How a process ended, or is to end: with a code, or by a signal. */
export type Ending = { readonly code: number } | { readonly signal: string };

/** Signals that mcp-meter forwards to the server. */
export type ForwardedSignal =
  "SIGTERM" | "SIGINT" | "SIGHUP" | "SIGQUIT" | "SIGUSR1" | "SIGUSR2" | "SIGTSTP" | "SIGCONT";

/** Writes text to a terminal, a file or a pipe. */
export type Writer = {
  write(text: string): void;
  /** True for a terminal. */
  readonly isTerminal: boolean;
  /** Width of the terminal; undefined without one. */
  readonly columns: number | undefined;
  /** True when its reader has left; false also where that cannot be known. */
  readonly isAbandoned?: boolean;
};

/** A writer that never waits for a reader: text that it does not take now is written later, or dropped at a limit. */
export type LenientWriter = Omit<Writer, "write"> & {
  /** Writes text; calls `done` when it is written or dropped. */
  write(text: string, done?: (isWritten: boolean) => void): void;
  /** Gives a reader a short, bounded time to take the rest. For the end of the process. */
  flush(): void;
};

/** The outside world, as a command receives it. */
export type Io = {
  /** Arguments after the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<{ [name: string]: string | undefined }>;
  /** For the output of a command; `run` never writes to it, because its stdout belongs to the protocol. */
  readonly stdout: Writer;
  readonly stderr: LenientWriter;
  readonly pid: number;
  readonly platform: string;
  /** The command that starts the process which compares structures. */
  readonly comparer: readonly string[];
  readonly signals: Signals;
};

/** Signals to and from other processes. */
type Signals = {
  /** Calls `handler` for every forwarded signal until the returned function is called. */
  listen(handler: (signal: ForwardedSignal) => void): () => void;
  /** Sends a signal to a process; false when there is no such process. */
  send(pid: number, signal: string): boolean;
};

/** The end of a process: a code, or the signal that ended it. */
export type Ending = { readonly code: number } | { readonly signal: string };

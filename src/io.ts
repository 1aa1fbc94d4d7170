/** Signals that mcp-meter forwards to the server. */
export type ForwardedSignal =
  "SIGTERM" | "SIGINT" | "SIGHUP" | "SIGQUIT" | "SIGUSR1" | "SIGUSR2" | "SIGTSTP" | "SIGCONT";

/** Writes text to a terminal, a file or a pipe. Blocks until it is written, so that nothing is lost at exit. */
export type Writer = {
  write(text: string): void;
  /** True for a terminal. */
  readonly isTerminal: boolean;
  /** Width of the terminal; undefined without one. */
  readonly columns: number | undefined;
};

/** The outside world, as a command receives it. */
export type Io = {
  /** Arguments after the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<{ [name: string]: string | undefined }>;
  /** For the output of a command; `run` never writes to it, because its stdout belongs to the protocol. */
  readonly stdout: Writer;
  readonly stderr: Writer;
  readonly pid: number;
  readonly platform: string;
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

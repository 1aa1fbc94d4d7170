export type ForwardedSignal =
  "SIGTERM" | "SIGINT" | "SIGHUP" | "SIGQUIT" | "SIGUSR1" | "SIGUSR2" | "SIGTSTP" | "SIGCONT";

export type Writer = {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Measures the width of the terminal; undefined without one. May start a program. */
  measureColumns(): Promise<number | undefined>;
  readonly isAbandoned?: boolean;
};

/** Never waits for a reader: text that it does not take now is written later, or dropped at a limit. */
export type LenientWriter = Omit<Writer, "write"> & {
  write(text: string, done?: (isWritten: boolean) => void): void;
  /** A short, bounded time for the reader. For the end of the process. */
  flush(): void;
};

export type Io = {
  readonly argv: readonly string[];
  readonly env: Readonly<{ [name: string]: string | undefined }>;
  /** `run` never writes to it, because its stdout belongs to the protocol. */
  readonly stdout: Writer;
  readonly stderr: LenientWriter;
  readonly pid: number;
  readonly platform: string;
  readonly comparer: readonly string[];
  readonly signals: Signals;
};

type Signals = {
  listen(handler: (signal: ForwardedSignal) => void): () => void;
  send(pid: number, signal: string): boolean;
};

export type Ending = { readonly code: number } | { readonly signal: string };

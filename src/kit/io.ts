export type ForwardedSignal =
  "SIGTERM" | "SIGINT" | "SIGHUP" | "SIGQUIT" | "SIGUSR1" | "SIGUSR2" | "SIGTSTP" | "SIGCONT";

export type Writer = {
  write(text: string): void;
  readonly isTerminal: boolean;
  // The width of the terminal, undefined without one. May start a program.
  measureColumns(): Promise<number | undefined>;
  readonly isAbandoned?: boolean;
};

// Never waits for its reader: unwritten text comes later, or is dropped beyond a limit.
export type LenientWriter = Omit<Writer, "write"> & {
  write(text: string, done?: (isWritten: boolean) => void): void;
  // Waits for the reader for a short, bounded time. Only for the end of the process.
  flush(): void;
};

export type Io = {
  readonly argv: readonly string[];
  readonly env: Readonly<{ [name: string]: string | undefined }>;
  readonly stdout: Writer; // `run` never writes here: its stdout carries the protocol
  readonly stderr: LenientWriter;
  readonly pid: number;
  readonly platform: string;
  readonly validatorCommand: readonly string[];
  readonly signals: Signals;
};

type Signals = {
  listen(handler: (signal: ForwardedSignal) => void): () => void;
  send(pid: number, signal: string): boolean;
};

export type Ending = { readonly code: number } | { readonly signal: string };

export type ForwardedSignal =
  "SIGTERM" | "SIGINT" | "SIGHUP" | "SIGQUIT" | "SIGUSR1" | "SIGUSR2" | "SIGTSTP" | "SIGCONT";

export type Writer = {
  write(text: string): void;
  readonly isTerminal: boolean;
  // Undefined if there is no terminal or its width is unknown. Runs `stty` if COLUMNS does not state it.
  measureColumns(): Promise<number | undefined>;
  readonly isAbandoned?: boolean; // the reader has closed the pipe
};

// If the system allows it, `write` queues text instead of waiting for the reader. A full queue drops further text.
export type LenientWriter = Omit<Writer, "write"> & {
  write(text: string, done?: (isWritten: boolean) => void): void;
  // Waits for the reader, but not long. Call it only at the end of the process.
  flush(): void;
};

export type Io = {
  readonly argv: readonly string[];
  readonly env: Readonly<{ [name: string]: string | undefined }>;
  readonly stdout: Writer; // `run` does not write here while a server runs: stdout carries the protocol
  readonly stderr: LenientWriter;
  readonly pid: number;
  readonly parentPid: number;
  readonly platform: string;
  readonly validatorCommand: readonly string[]; // starts this program as a validator of structured content
  readonly signals: Signals;
};

type Signals = {
  listen(handler: (signal: ForwardedSignal) => void): () => void;
  send(pid: number, signal: string): boolean;
};

export type Ending = { readonly code: number } | { readonly signal: string };

import type { ForwardedSignal, Io } from "#io.ts";
import { conversationCheckMs } from "#limits/http.ts";
import { now } from "#proxy/now.ts";

/** Signals that end the command. */
const ends: ReadonlySet<ForwardedSignal> = new Set(["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"]);

/** The work until the end. */
export type Watched = {
  /** When the last exchange ended, in monotonic ms; infinite while there is one. */
  readonly idleSinceMs: () => number;
  /** Called from time to time. */
  readonly sweep: (nowMs: number) => void;
  /** Milliseconds without an exchange that are the end; undefined for never. */
  readonly idleExitMs: number | undefined;
};

/** The end of serving, and a second signal, after which nothing is waited for. */
export type ServingEnd = {
  /** Resolves with the first signal, or when there was no exchange for long enough. */
  readonly ended: Promise<void>;
  /** Resolves with the next signal. */
  readonly insisted: Promise<void>;
  readonly release: () => void;
};

/** Waits for a signal or for silence. */
export function untilEnd(watched: Watched, io: Pick<Io, "signals" | "pid">): ServingEnd {
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  let isEnding = false;
  const stopListening = io.signals.listen((signal) => {
    // A process that listens for it is not stopped by it.
    if (signal === "SIGTSTP") io.signals.send(io.pid, "SIGSTOP");
    if (!ends.has(signal)) return;
    (isEnding ? second : first).resolve();
    isEnding = true;
  });
  const { idleExitMs = Infinity } = watched;
  const timer = setInterval(
    () => {
      const nowMs = now().monoMs;
      watched.sweep(nowMs);
      if (nowMs - watched.idleSinceMs() >= idleExitMs) first.resolve();
    },
    Math.min(conversationCheckMs, idleExitMs / 4),
  );
  return {
    ended: first.promise,
    insisted: second.promise,
    release: () => {
      stopListening();
      clearInterval(timer);
    },
  };
}

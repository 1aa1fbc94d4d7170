import type { ForwardedSignal, Io } from "#kit/io.ts";
import { now } from "#transport/proxy/now.ts";

const conversationCheckMs = 10_000;

const ends: ReadonlySet<ForwardedSignal> = new Set(["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"]);

export type Watched = {
  readonly idleSinceMs: () => number;
  readonly sweep: (nowMs: number) => void;
  readonly idleExitMs: number | undefined;
};

/** After the second signal, nothing is waited for. */
export type ServingEnd = {
  readonly ended: Promise<void>;
  readonly insisted: Promise<void>;
  readonly release: () => void;
};

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

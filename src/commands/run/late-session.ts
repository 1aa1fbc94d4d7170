import type { Ending, Io } from "#kit/io.ts";
import { LateJudge } from "#transport/proxy/late-judge.ts";
import type { Tell } from "#kit/text/teller.ts";
import { limitsCalls } from "./budget-options.ts";
import type { RunOptions } from "./options.ts";
import type { Preparation } from "./preparation.ts";
import type { SessionResult } from "./recording.ts";
import type { OpenSession } from "./session.ts";
import { httpSentences } from "#transport/http/sentences.ts";

export type LateSession = {
  readonly judge: LateJudge;
  readonly close: (ending: Ending) => Promise<SessionResult | undefined>;
};

/** Loads the meter, two thirds of our code, while the server is starting. A meter that cannot be opened is reported, and traffic continues. */
export function lateSession(
  options: RunOptions,
  preparation: Preparation,
  io: Pick<Io, "env" | "stderr" | "platform" | "signals">,
  tell: Tell,
): LateSession {
  let session: OpenSession | undefined;
  const judge = new LateJudge({
    open: async () => {
      const { openSession } = await import("./session.ts");
      session = await openSession(options, preparation, io, tell);
      return session.observer;
    },
    isGating: limitsCalls(options) || options.isAnnotating,
    failed: (error) => {
      // The message may quote a path or the environment; the name of the error cannot.
      const what = error instanceof Error ? error.name : "unknown";
      tell(httpSentences.observerFailed("the start of the meter", what));
    },
  });
  return { judge, close: async (ending) => session?.close(ending) };
}

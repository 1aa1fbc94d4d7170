import { exitCodes, nameError } from "#kit/errors.ts";
import type { Ending, Io } from "#kit/io.ts";
import { rejectDirectoryAsStdin } from "#kit/os/standard-streams.ts";
import { interpose } from "#transport/proxy/interpose.ts";
import { findStateFolder } from "#state/storage/folders.ts";
import { makeScratchPaths } from "#state/storage/scratch-paths.ts";
import { Teller, type Tell } from "#kit/text/teller.ts";
import { commonSentences } from "#kit/sentences.ts";
import { hasRetention } from "../option-values.ts";
import type { RunOptions } from "./options.ts";
import { prepareSession, type Preparation } from "./preparation.ts";
import type { SessionResult } from "./recording.ts";
import { LazyJudge } from "#transport/proxy/judge.ts";
import { holdsMessages } from "./budget-options.ts";
import type { OpenSession } from "./session.ts";

export async function run(requested: RunOptions, io: Io): Promise<Ending> {
  const { tell } = new Teller(io.stderr);
  rejectDirectoryAsStdin();
  const { options, preparation } = await prepareSession(requested, tell);
  const session = openLateSession(options, preparation, io, tell);
  const mayUseThread = options.forwarder === "auto";
  const world = { ...io, scratch: makeScratchPaths(io.env), mayUseThread };
  const ending = await interpose(options.command, session.judge, world);
  const result = await session.close(ending);
  if (!result) return ending;
  const { printResult } = await import("./print-summary.ts");
  await printResult(result, options, io, tell);
  if (hasRetention(options.retention)) {
    const { startPrune } = await import("#state/storage/prune/automatic-prune.ts");
    await startPrune(options.retention, findStateFolder(io.env));
  }
  return shouldFail(result, ending, options) ? { code: exitCodes.failed } : ending;
}

function shouldFail(
  { summaries }: SessionResult,
  ending: Ending,
  { exitCode }: RunOptions,
): boolean {
  const hasSucceeded = "code" in ending && ending.code === 0;
  const hasBreaches = summaries.some(({ enforced_breaches: breaches }) => breaches > 0);
  return exitCode === "auto" && hasSucceeded && hasBreaches;
}

type LateSession = {
  readonly judge: LazyJudge;
  readonly close: (ending: Ending) => Promise<SessionResult | undefined>;
};

// The meter is two thirds of a session's code, so it loads after the server has started. If it fails to open,
// `judge` reports the failure and lets traffic continue.
export function openLateSession(
  options: RunOptions,
  preparation: Preparation,
  io: Pick<Io, "env" | "stderr" | "platform" | "signals" | "parentPid">,
  tell: Tell,
): LateSession {
  let session: OpenSession | undefined;
  const judge = new LazyJudge({
    open: async () => {
      const { openSession } = await import("./session.ts");
      session = await openSession(options, preparation, io, tell);
      return session.observer;
    },
    isGating: holdsMessages(options),
    failed: (error) => {
      // An error's message may quote a path or the environment; its name cannot.
      tell(commonSentences.meteringFailed("the start of the meter", nameError(error)));
    },
  });
  return { judge, close: async (ending) => session?.close(ending) };
}

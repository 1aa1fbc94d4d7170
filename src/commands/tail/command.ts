import { existsSync } from "node:fs";
import { exitCodes, sentences, UserError } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import { followCheckMs } from "#limits/following.ts";
import { fileWriter } from "#os/file-writer.ts";
import { stateFolder } from "#storage/folders.ts";
import { sessionsFolder } from "#storage/live/session-files.ts";
import { SessionFollower } from "#storage/live/session-follower.ts";
import { Teller } from "#text/teller.ts";
import { CallPrinter } from "./call-printer.ts";
import { lastCalls } from "./last-calls.ts";
import type { TailOptions } from "./options.ts";

export async function tail(options: TailOptions, io: Io): Promise<Ending> {
  const state = stateFolder(io.env);
  if (state === undefined) throw new UserError(sentences.sessionsHomeMissing());
  const folder = sessionsFolder(state);
  const { output } = options;
  const stdout = output === undefined ? io.stdout : fileWriter(output);
  const printer = new CallPrinter(options, { stdout, env: io.env });
  const earlier = lastCalls(options.lines);
  let take = earlier.take;
  const follower = new SessionFollower(folder, (record, context, isNew) => {
    if (printer.wants(record)) take({ record, context, isNew });
  });
  try {
    if (!existsSync(folder)) new Teller(io.stderr).tell(sentences.noSessionsYet(folder));
    const files = follower.start();
    earlier.readFrom(files, (path) => follower.read(path));
    await printer.printHeads();
    for (const call of earlier.calls()) printer.print(call);
    take = (call) => {
      if (call.isNew) printer.print(call);
    };
    await readerGone(stdout);
  } finally {
    follower.close();
  }
  return { code: exitCodes.ok };
}

async function readerGone(stdout: Io["stdout"]): Promise<void> {
  while (stdout.isAbandoned !== true) await Bun.sleep(followCheckMs);
}

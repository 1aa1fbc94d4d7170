import { exitCodes } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import { mayColor } from "#os/output.ts";
import { configDocument } from "#renderers/documents/config.ts";
import { render } from "#renderers/index.ts";
import { runCommand } from "../run/index.ts";
import { configReport } from "./config-report.ts";
import type { ConfigCommandOptions } from "./options.ts";

/** Prints the options of `run` as its config files, its variables and its defaults give them. */
export async function config(options: ConfigCommandOptions, io: Io): Promise<Ending> {
  const report = configReport(runCommand, options, io.env);
  const printout = { document: configDocument(report), data: report };
  io.stdout.write(render(options.format, printout, { color: mayColor(io.stdout, io.env) }));
  return { code: report.mistakes.length === 0 ? exitCodes.ok : exitCodes.failed };
}

import { exitCodes } from "#kit/errors.ts";
import type { Ending, Io } from "#kit/io.ts";
import { buildConfigDocument } from "#screens/renderers/documents/config.ts";
import { render } from "#screens/renderers/index.ts";
import { printOutput } from "../output/output-options.ts";
import { runCommand } from "../run/index.ts";
import { reportConfig } from "./config-report.ts";
import type { ConfigCommandOptions } from "./options.ts";

export async function printConfig(options: ConfigCommandOptions, io: Io): Promise<Ending> {
  const report = await reportConfig(runCommand, options, io);
  const printout = { document: buildConfigDocument(report), data: report };
  await printOutput((page) => render(options.format, printout, page), options, io);
  return { code: report.mistakes.length === 0 ? exitCodes.ok : exitCodes.failed };
}

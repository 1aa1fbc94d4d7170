import { userInfo } from "node:os";
import { exitCodes } from "#kit/errors.ts";
import type { Ending, Io } from "#kit/io.ts";
import { findCurrentExecutable } from "#kit/os/current-executable.ts";
import {
  type DoctorReport,
  buildDoctorDocument,
  type Finding,
} from "#screens/renderers/documents/doctor.ts";
import { render } from "#screens/renderers/index.ts";
import { printOutput, type Output } from "../output/output-options.ts";
import { version } from "#kit/version.ts";
import { checkClients } from "./check-clients.ts";
import { checkConfig, checkPolicy } from "./check-config.ts";
import { checkCounters } from "./check-counters.ts";
import { checkEnvironment, checkExecutable, checkMachine } from "./check-machine.ts";
import { checkFolders } from "./check-folders.ts";
import { checkImports, checkSessions, checkTotals } from "./check-sessions.ts";
import type { Examine, Installation } from "./finding.ts";
import type { DocumentFormat } from "#screens/renderers/formats.ts";
import type { UnknownVariable } from "../command.ts";

export type DoctorOptions = Output<DocumentFormat> & {
  readonly unknownVariables: readonly UnknownVariable[];
};

const checks: readonly Examine[] = [
  checkExecutable,
  checkFolders,
  checkConfig,
  checkPolicy,
  checkEnvironment,
  checkCounters,
  checkSessions,
  checkImports,
  checkTotals,
  checkMachine,
  checkClients,
];

export async function examineInstallation(options: DoctorOptions, io: Io): Promise<Ending> {
  const { env, platform } = io;
  const installation: Installation = {
    env,
    platform,
    uid: userInfo().uid,
    executable: findCurrentExecutable(),
    unknownVariables: options.unknownVariables,
  };
  const findings: Finding[] = [];
  for (const check of checks) findings.push(...(await check(installation)));
  const count = (status: Finding["status"]): number =>
    findings.filter((finding) => finding.status === status).length;
  const report: DoctorReport = {
    schema_version: "1.0",
    meter_version: version,
    broken: count("broken"),
    warnings: count("warning"),
    findings,
  };
  const printout = { document: buildDoctorDocument(report), data: report };
  await printOutput((page) => render(options.format, printout, page), options, io);
  return { code: report.broken > 0 ? exitCodes.failed : exitCodes.ok };
}

import { userInfo } from "node:os";
import { exitCodes } from "#kit/errors.ts";
import type { Ending, Io } from "#kit/io.ts";
import { ownExecutable } from "#kit/os/own-executable.ts";
import {
  type DoctorReport,
  doctorDocument,
  type Finding,
} from "#screens/renderers/documents/doctor.ts";
import { render } from "#screens/renderers/index.ts";
import { printOutput } from "../output/print-output.ts";
import { version } from "#kit/version.ts";
import { runCommand } from "../run/index.ts";
import { checkClients } from "./check-clients.ts";
import { checkConfig } from "./check-config.ts";
import { checkCounters } from "./check-counters.ts";
import { checkEnvironment } from "./check-environment.ts";
import { checkExecutable } from "./check-executable.ts";
import { checkFolders } from "./check-folders.ts";
import { checkMachine } from "./check-machine.ts";
import { checkPolicy } from "./check-policy.ts";
import { checkSessions } from "./check-sessions.ts";
import { checkTotals } from "./check-totals.ts";
import type { Check, Patient } from "./finding.ts";
import type { DoctorOptions } from "./options.ts";

const checks: readonly Check[] = [
  checkExecutable,
  checkFolders,
  checkConfig,
  checkPolicy,
  checkEnvironment,
  checkCounters,
  checkSessions,
  checkTotals,
  checkMachine,
  checkClients,
];

export async function doctor(options: DoctorOptions, io: Io): Promise<Ending> {
  const { env, platform } = io;
  const patient: Patient = {
    env,
    platform,
    uid: userInfo().uid,
    executable: ownExecutable(),
    run: runCommand,
    unknownVariables: options.unknownVariables,
  };
  const findings: Finding[] = [];
  for (const check of checks) findings.push(...(await check(patient)));
  const count = (status: Finding["status"]): number =>
    findings.filter((finding) => finding.status === status).length;
  const report: DoctorReport = {
    schema_version: "1.0",
    meter_version: version,
    broken: count("broken"),
    warnings: count("warning"),
    findings,
  };
  const printout = { document: doctorDocument(report), data: report };
  await printOutput((page) => render(options.format, printout, page), options, io);
  return { code: report.broken > 0 ? exitCodes.failed : exitCodes.ok };
}

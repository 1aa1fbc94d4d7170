import { resolve } from "node:path";
import { clients } from "#clients/index.ts";
import { exitCodes } from "#kit/errors.ts";
import type { Ending, Io } from "#kit/io.ts";
import { configuredServersMax, quotedCharactersMax } from "#kit/limits.ts";
import type { SetupReport } from "#lock/setup/setup-report.ts";
import { setupDocument } from "#screens/renderers/documents/setup.ts";
import { render } from "#screens/renderers/index.ts";
import { safeName } from "#kit/text/safe-name.ts";
import { Teller } from "#kit/text/teller.ts";
import { ask, canAsk, type Consent } from "../output/ask.ts";
import { printOutput, rejectMissingFolder } from "../output/print-output.ts";
import {
  findConfiguredServers,
  type FoundServer,
  hasProjectSettings,
  isStartable,
} from "./configured-servers.ts";
import { describeSetup, type SetupResults } from "./describe-setup.ts";
import type { SetupOptions } from "./setup-options.ts";
import { startServers } from "./start-servers.ts";
import { profileSentences } from "./sentences.ts";

export async function profileSetup(options: SetupOptions, io: Io): Promise<Ending> {
  rejectMissingFolder(options);
  const found = findConfiguredServers(options, io);
  const { tell } = new Teller(io.stderr);
  if (options.project === undefined && hasProjectSettings(resolve("."), io)) {
    tell(profileSentences.projectIgnored());
  }
  const startable = found.servers.filter(isStartable).slice(0, configuredServersMax);
  if (startable.length > 0 && !options.isConfirmed) {
    if (!canAsk(io)) {
      await printSetup(describeSetup(found, undefined, options, io), options, io);
      return { code: exitCodes.usage };
    }
    const answer = await askToStart(startable, io);
    if ("interrupted" in answer) return answer.interrupted;
    if (!answer.isYes) {
      tell(profileSentences.nothingStarted());
      return { code: exitCodes.usage };
    }
  }
  const started = await startServers(startable, options.timeoutMs, io);
  if ("interrupted" in started) return started.interrupted;
  const results: SetupResults = new Map(
    startable.flatMap((server, at) => {
      const result = started.results[at];
      return result ? [[server, result] as const] : [];
    }),
  );
  await printSetup(describeSetup(found, results, options, io), options, io);
  const isNone = started.results.length > 0 && started.results.every((one) => "failure" in one);
  return { code: isNone ? exitCodes.serverUnreachable : exitCodes.ok };
}

async function askToStart(
  servers: readonly FoundServer[],
  io: Pick<Io, "stderr" | "signals">,
): Promise<Consent> {
  const { tell } = new Teller(io.stderr);
  for (const [client, own] of Map.groupBy(servers, (one) => one.client)) {
    const names = own.map(({ server }) => safeName(server, quotedCharactersMax));
    tell(profileSentences.serversToStart(clients[client].name, names.join(", ")));
  }
  return ask(profileSentences.startQuestion(servers.length), io);
}

async function printSetup(report: SetupReport, options: SetupOptions, io: Io): Promise<void> {
  const printout = { document: setupDocument(report), data: report };
  await printOutput((page) => render(options.format, printout, page), options, io);
}

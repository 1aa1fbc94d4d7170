import type { AlertCommand } from "#alerting/alert-command.ts";
import { exitCodes, sentences } from "#errors.ts";
import { Conversations, type OpenConversation } from "#http/conversations.ts";
import { startReverseProxy } from "#http/reverse-proxy.ts";
import type { Ending, Io } from "#io.ts";
import { now } from "#proxy/now.ts";
import { type Tell, Teller } from "#text/teller.ts";
import { stateFolder } from "#storage/folders.ts";
import { isLimited } from "../retention-options.ts";
import { startPrune } from "../run/start-prune.ts";
import { openAlerts } from "../run/alerts.ts";
import { Faults } from "../run/faults.ts";
import { prepareSession } from "../run/preparation.ts";
import { printResult } from "../run/print-result.ts";
import { openRecording, type Recording, resultOf } from "../run/recording.ts";
import { meterSession, type SessionParts } from "../run/session.ts";
import { endpointWith } from "../server/url-options.ts";
import type { ServeOptions } from "./options.ts";
import { untilEnd } from "./until-end.ts";

/** Stands in front of a server behind a URL until a signal or silence ends it, then prints what the sessions cost. */
export async function serve(given: ServeOptions, io: Io): Promise<Ending> {
  const { tell } = new Teller(io.stderr);
  const upstream = endpointWith(given.upstream, io.env);
  for (const name of given.unenforced)
    tell(sentences.configOptionIgnored(name.replace("locked-", ""), notLimited));
  const { options, preparation } = await prepareSession(given, tell);
  const recording = await openRecording(options, preparation, { ...io, id: newId() }, tell);
  const { host } = upstream;
  const alerts = await openAlerts(options, io, new Faults(tell).report);
  const server = { command: host, transport: "http", serverLabelFallback: host } as const;
  const parts = { options: { ...options, command: [host] }, preparation, recording };
  const labels = { ...server, serverLabel: options.server };
  const conversations = new Conversations(
    opener({ ...parts, server: labels, sharedAlerts: alerts }, io, tell),
  );
  const proxy = startReverseProxy({ port: options.port, upstream, conversations, tell, now });
  io.stdout.write(`${proxy.url}\n`);
  tell(sentences.serving(upstream.shown));
  const sweep = (nowMs: number): void => conversations.sweep(nowMs);
  const end = untilEnd(
    { idleSinceMs: () => proxy.idleSinceMs, sweep, idleExitMs: options.idleExitMs },
    io,
  );
  await end.ended;
  proxy.close();
  await Promise.race([finish(conversations, recording, alerts), end.insisted]);
  end.release();
  await printResult(resultOf(recording, 0), options, io, tell);
  if (isLimited(options.retention)) startPrune(options.retention, stateFolder(io.env));
  return { code: exitCodes.ok };
}

const notLimited = "serve forwards all calls and answers unchanged";

function newId(): string {
  return crypto.randomUUID();
}

/** Opens a session of records for each conversation. A meter that cannot be opened is reported, and traffic continues. */
function opener(parts: Omit<SessionParts, "id">, io: Io, tell: Tell): OpenConversation {
  return async () => {
    try {
      const { observer, close } = await meterSession({ ...parts, id: newId() }, io, tell);
      return { meter: observer, close: () => close() };
    } catch (error) {
      // The message may quote a path or the environment; the name of the error cannot.
      const what = error instanceof Error ? error.name : "unknown";
      tell(sentences.observerFailed("the start of the meter", what));
      return undefined;
    }
  };
}

async function finish(
  conversations: Conversations,
  { sink }: Recording,
  alerts: AlertCommand | undefined,
): Promise<void> {
  await conversations.close();
  await alerts?.finish();
  sink.save(true);
}

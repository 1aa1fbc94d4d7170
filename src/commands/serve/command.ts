import type { AlertCommand } from "#state/alerting/alert-command.ts";
import type { McpEndpoint } from "#wire/endpoint/mcp-endpoint.ts";
import { exitCodes } from "#kit/errors.ts";
import { Conversations, type OpenConversation } from "#transport/http/conversations.ts";
import { startReverseProxy } from "#transport/http/reverse-proxy.ts";
import type { Ending, Io } from "#kit/io.ts";
import { now } from "#transport/proxy/now.ts";
import { type Tell, Teller } from "#kit/text/teller.ts";
import { stateFolder } from "#state/storage/folders.ts";
import { scratchPaths } from "#state/storage/scratch-paths.ts";
import { isLimited } from "../retention-options.ts";
import { limitsCalls } from "../run/budget-options.ts";
import { startPrune } from "../run/start-prune.ts";
import { openAlerts } from "../run/alerts.ts";
import { Faults } from "../run/faults.ts";
import { prepareSession } from "../run/preparation.ts";
import { printResult } from "../run/print-result.ts";
import { hasSession } from "../run/running-summary.ts";
import { openRecording, type Recording, resultOf } from "../run/recording.ts";
import { meterSession, type SessionParts } from "../run/session.ts";
import { endpointWith } from "../server/url-options.ts";
import type { ServeOptions } from "./options.ts";
import { SharedCounters } from "./shared-counters.ts";
import { untilEnd } from "./until-end.ts";
import { serveSentences } from "./sentences.ts";
import { httpSentences } from "#transport/http/sentences.ts";

export async function serve(given: ServeOptions, io: Io): Promise<Ending> {
  const { tell } = new Teller(io.stderr);
  const upstream = endpointWith(given.upstream, io.env);
  const { options, preparation } = await prepareSession(given, tell);
  const recording = await openRecording(options, preparation, { ...io, id: newId() }, tell);
  const alerts = await openAlerts(options, io, new Faults(tell).report);
  const parts = { upstream, options, preparation, recording, sharedAlerts: alerts };
  const { proxy, conversations, counters } = startServing(parts, io, tell);
  io.stdout.write(`${proxy.url}\n`);
  tell(serveSentences.serving(upstream.shown));
  const sweep = (nowMs: number): void => conversations.sweep(nowMs);
  const end = untilEnd(
    { idleSinceMs: () => proxy.idleSinceMs, sweep, idleExitMs: options.idleExitMs },
    io,
  );
  await end.ended;
  proxy.close();
  const ending = finish({ conversations, counters, recording, alerts });
  await Promise.race([ending, end.insisted]);
  end.release();
  const result = resultOf(recording, 0);
  await printResult(result, options, io, tell);
  if (options.summary !== "off" && !hasSession(result.summaries))
    tell(serveSentences.noConversation());
  if (isLimited(options.retention)) await startPrune(options.retention, stateFolder(io.env));
  return { code: exitCodes.ok };
}

type ServingParts = Pick<SessionParts, "preparation" | "recording" | "sharedAlerts"> & {
  readonly upstream: McpEndpoint;
  readonly options: ServeOptions;
};

function startServing({ upstream, options, ...shared }: ServingParts, io: Io, tell: Tell) {
  const counters = new SharedCounters(tell);
  const session = {
    // Servers behind one host have counters of their own.
    options: { ...options, command: [upstream.host, upstream.url.pathname] },
    ...shared,
    server: labelsOf(upstream, options),
    openCounters: counters.open,
  };
  const conversations = new Conversations(opener(session, io, tell));
  const proxy = startReverseProxy({
    port: options.port,
    upstream,
    conversations,
    tell,
    now,
    isGated: limitsCalls(options) || options.isAnnotating,
    overflowPath: scratchPaths(io.env).overflow,
  });
  return { proxy, conversations, counters };
}

function labelsOf({ host }: McpEndpoint, { server }: ServeOptions): SessionParts["server"] {
  return { command: host, transport: "http", serverLabelFallback: host, serverLabel: server };
}

function newId(): string {
  return crypto.randomUUID();
}

/** A meter that cannot be opened is reported, and traffic continues. */
function opener(parts: Omit<SessionParts, "id">, io: Io, tell: Tell): OpenConversation {
  return async () => {
    try {
      const { observer, close } = await meterSession({ ...parts, id: newId() }, io, tell);
      return { meter: observer, close: () => close() };
    } catch (error) {
      // The message may quote a path or the environment; the name of the error cannot.
      const what = error instanceof Error ? error.name : "unknown";
      tell(httpSentences.observerFailed("the start of the meter", what));
      return undefined;
    }
  };
}

type Served = {
  readonly conversations: Conversations;
  readonly counters: SharedCounters;
  readonly recording: Recording;
  readonly alerts: AlertCommand | undefined;
};

async function finish({ conversations, counters, recording, alerts }: Served): Promise<void> {
  await conversations.close();
  await Promise.all([counters.close(), alerts?.finish()]);
  recording.sink.save(true);
}

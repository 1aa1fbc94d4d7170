import { endingSignals } from "#transport/proxy/server-signals.ts";
import type { AlertCommand } from "#state/alerting/alert-command.ts";
import type { McpEndpoint } from "#wire/endpoint/mcp-endpoint.ts";
import { exitCodes, nameError } from "#kit/errors.ts";
import { Conversations, type OpenConversation } from "#transport/http/http-conversation.ts";
import { startReverseProxy } from "#transport/http/reverse-proxy.ts";
import type { Ending, Io } from "#kit/io.ts";
import { now } from "#transport/proxy/judge.ts";
import { type Tell, Teller } from "#kit/text/teller.ts";
import { commonSentences } from "#kit/sentences.ts";
import { findStateFolder } from "#state/storage/folders.ts";
import { makeScratchPaths } from "#state/storage/scratch-paths.ts";
import { hasRetention } from "../option-values.ts";
import { holdsMessages } from "../run/budget-options.ts";
import { printResult } from "../run/print-summary.ts";
import { startPrune } from "#state/storage/prune/automatic-prune.ts";
import { openAlerts, meterSession, type SessionParts } from "../run/session.ts";
import { FaultReporter, type ReportFault, type CounterOptions } from "../run/open-gate.ts";
import { prepareSession } from "../run/preparation.ts";
import { hasSession, openRecording, type Recording, collectResult } from "../run/recording.ts";
import { openCounterStores } from "#state/stores/index.ts";
import { resolveEndpoint, type RequestedEndpoint } from "../connection-options.ts";
import type { OpenStores } from "#state/stores/store.ts";
import type { MeteringOptions } from "../run/options.ts";

export type ServeOptions = MeteringOptions & {
  readonly upstream: RequestedEndpoint;
  readonly port: number;
  readonly userHeader: string | undefined;
};

export async function serve(requested: ServeOptions, io: Io): Promise<Ending> {
  const { tell } = new Teller(io.stderr);
  const upstream = resolveEndpoint(requested.upstream, io.env);
  const { options, preparation } = await prepareSession(requested, tell);
  const id = crypto.randomUUID();
  const recording = await openRecording(options, preparation, { ...io, id }, tell);
  const command = makeCounterCommand(upstream);
  const alerts = await openAlerts({ ...options, command }, io, new FaultReporter(tell).report);
  const parts = { upstream, options, preparation, recording, sharedAlerts: alerts };
  const { proxy, conversations, counters } = startServing(parts, io, tell);
  io.stdout.write(`${proxy.url}\n`);
  tell(serveSentences.serving(upstream.shown));
  const sweeping = setInterval(
    () => conversations.sweep(now().monoMs),
    conversationSweepIntervalMs,
  );
  const end = watchEnd(io);
  await end.requested;
  clearInterval(sweeping);
  proxy.close();
  const ending = finish({ conversations, counters, recording, alerts });
  await Promise.race([ending, end.forced]);
  end.release();
  const foreignLineCount = 0; // only a server on stdio writes foreign lines
  const result = collectResult(recording, foreignLineCount);
  await printResult(result, options, io, tell);
  if (options.summary !== "off" && !hasSession(result.summaries))
    tell(serveSentences.noConversation());
  if (hasRetention(options.retention)) await startPrune(options.retention, findStateFolder(io.env));
  return { code: exitCodes.ok };
}

/** The first conversation opens the counters that all conversations share; session counters stay separate. */
export class SharedCounters {
  readonly #tell: Tell;
  #opening: Promise<OpenStores> | undefined;
  readonly #listeners = new Set<() => void>();
  /** One function per open conversation. The first reports a fault for all. */
  readonly #reports = new Set<ReportFault>();

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  readonly open = async (setting: CounterOptions, report: ReportFault): Promise<OpenStores> => {
    if (!setting.isShared) return openCounterStores({ ...setting, report });
    this.#reports.add(report);
    this.#opening ??= this.#openAll(setting);
    const { shared, save, nameServer } = await this.#opening;
    const { session } = await openCounterStores({ ...setting, isShared: false, report });
    let listener: (() => void) | undefined;
    return {
      session,
      shared,
      ...(save ? { save } : {}),
      ...(nameServer ? { nameServer } : {}),
      subscribe: (notify) => {
        listener = notify;
        this.#listeners.add(notify);
      },
      close: () => {
        if (listener) this.#listeners.delete(listener);
        this.#reports.delete(report);
        save?.();
      },
    };
  };

  async close(): Promise<void> {
    await (await this.#opening)?.close?.();
  }

  async #openAll(setting: CounterOptions): Promise<OpenStores> {
    const report: ReportFault = (sentence, what, where) => this.#report(sentence, what, where);
    const stores = await openCounterStores({ ...setting, report });
    stores.subscribe?.(() => {
      for (const notify of this.#listeners) notify();
    });
    return stores;
  }

  #report(...failure: Parameters<ReportFault>): void {
    const [first] = this.#reports;
    if (first) first(...failure);
    else this.#tell(failure[0]);
  }
}

const conversationSweepIntervalMs = 10_000;

/** The first ending signal settles `requested`. The second settles `forced`: open conversations are not awaited. */
type ServingEnd = {
  readonly requested: Promise<void>;
  readonly forced: Promise<void>;
  readonly release: () => void;
};

export function watchEnd(io: Pick<Io, "signals" | "pid">): ServingEnd {
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  let isEnding = false;
  const stopListening = io.signals.listen((signal) => {
    // SIGTSTP does not stop a process that handles it, so this process stops itself.
    if (signal === "SIGTSTP") io.signals.send(io.pid, "SIGSTOP");
    if (!endingSignals.has(signal)) return;
    (isEnding ? second : first).resolve();
    isEnding = true;
  });
  return { requested: first.promise, forced: second.promise, release: stopListening };
}

type ServingParts = Pick<SessionParts, "preparation" | "recording" | "sharedAlerts"> & {
  readonly upstream: McpEndpoint;
  readonly options: ServeOptions;
};

function startServing({ upstream, options, ...shared }: ServingParts, io: Io, tell: Tell) {
  const counters = new SharedCounters(tell);
  const session = {
    options: { ...options, command: makeCounterCommand(upstream) },
    ...shared,
    server: labelServer(upstream, options),
    openCounters: counters.open,
  };
  const conversations = new Conversations(createConversationOpener(session, io, tell));
  const proxy = startReverseProxy({
    port: options.port,
    upstream,
    conversations,
    tell,
    now,
    isGated: holdsMessages(options),
    overflowPath: makeScratchPaths(io.env).overflow,
    userHeader: options.userHeader,
  });
  return { proxy, conversations, counters };
}

// Shared counters identify an unnamed server by its command. For a remote server, host and path replace the command.
function makeCounterCommand({ host, url }: McpEndpoint): readonly string[] {
  return [host, url.pathname];
}

function labelServer({ host }: McpEndpoint, { server }: ServeOptions): SessionParts["server"] {
  return { command: host, transport: "http", serverLabelFallback: host, serverLabel: server };
}

function createConversationOpener(
  parts: Omit<SessionParts, "id">,
  io: Io,
  tell: Tell,
): OpenConversation {
  return async (userName) => {
    try {
      const user = { user: userName, recordsLogin: false };
      const options = userName === undefined ? parts.options : { ...parts.options, ...user };
      const { observer, close } = await meterSession(
        { ...parts, options, id: crypto.randomUUID() },
        io,
        tell,
      );
      return { meter: observer, close: () => close() };
    } catch (error) {
      // The message may quote a path or the environment; the name of the error cannot.
      tell(commonSentences.meteringFailed("the start of the meter", nameError(error)));
      return undefined;
    }
  };
}

type ServingResources = {
  readonly conversations: Conversations;
  readonly counters: SharedCounters;
  readonly recording: Recording;
  readonly alerts: AlertCommand | undefined;
};

async function finish({
  conversations,
  counters,
  recording,
  alerts,
}: ServingResources): Promise<void> {
  await conversations.close();
  await Promise.all([counters.close(), alerts?.finish()]);
  recording.sink.save(true);
}

const serveSentences = {
  serving: (shown: string) => `Serving ${shown} at the address above; stop with Ctrl-C`,
  noConversation: () => "No conversation was metered",
} as const;

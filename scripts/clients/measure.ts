import { createReaderChooser } from "#commands/reader.ts";
import type { Reader } from "#tokens/cost/reader.ts";
import type { KeptRequest } from "./apis/server.ts";
import { type ClientDriver, serverName } from "./client.ts";
import {
  compareAnswers,
  type ComparedAnswer,
  countTokens,
  type ObservedCall,
  type Pair,
} from "./compare/answers.ts";
import {
  type ComparedDefinitions,
  compareDefinitions,
  type Context,
} from "./compare/definitions.ts";
import { comparable, type ComparedRequests, compareRequests } from "./compare/requests.ts";
import type { Measurement } from "./document.ts";
import { leftovers } from "./play.ts";
import { playRefusals } from "./refusals.ts";
import { answerOf, setNames, toolsOf } from "./server/kinds.ts";
import {
  partsOf,
  recordsIn,
  requestAt,
  runSession,
  type Session,
  type Setting,
} from "./session.ts";

export async function measure(setting: Setting, sets = setNames): Promise<Measurement> {
  const { driver, version, era } = setting;
  const idle = await runSession(setting, { name: "idle", set: "idle", tools: [] });
  const played: PlayedSet[] = [];
  for (const set of sets) played.push(await playSet(setting, set));
  const [first] = played;
  if (!first) throw new Error("No set of answers is named");
  const refused = await playRefusals(setting, clientNameIn(first.metered));
  const trimmed = await playTrimmed(setting, idle, first.set);
  const noted = await playNoted(setting);
  const logs = [...played.map(({ metered }) => metered.log), ...refused.map(({ log }) => log)];
  return {
    title: driver.title,
    version,
    era,
    on: new Date().toISOString().slice(0, 10),
    answers: played.flatMap((one) => answersOf(driver, one)),
    definitions: definitionsOf(driver, idle, first.metered),
    trimmed,
    noted,
    requests: requestsOf(played),
    refusals: refused.flatMap(({ refusals }) => refusals),
    sessions: {
      total: logs.length,
      ended: logs.filter((log) => recordsIn(log, "end").length > 0).length,
    },
    leftovers: await leftovers(setting.folder),
  };
}

type PlayedSet = { readonly set: string; readonly direct: Session; readonly metered: Session };

async function playSet(setting: Setting, set: string): Promise<PlayedSet> {
  const tools = toolsOf(set);
  const direct = await runSession(setting, { name: `${set}-direct`, set, tools });
  const plan = { name: `${set}-metered`, set, tools, meterOptions: [] };
  return { set, direct, metered: await runSession(setting, plan) };
}

/** The same call with all tools, and with half of them hidden and the others shortened. */
async function playTrimmed(
  setting: Setting,
  idle: Session,
  set: string,
): Promise<Measurement["trimmed"]> {
  const { driver } = setting;
  const [called = "", ...others] = toolsOf(set);
  const hidden = others.filter((_, at) => at % 2 === 0);
  const options = [
    ...hidden.flatMap((tool) => ["--hide", tool]),
    "--slim",
    "--max-description",
    "200",
  ];
  const play = async (name: string, meterOptions: readonly string[]) =>
    runSession(setting, { name, set, tools: [called], meterOptions });
  const [whole, trimmed] = [await play("whole", []), await play("trimmed", options)];
  const [before, after] = [whole, trimmed].map((session) => definitionsOf(driver, idle, session));
  const sum = (pick: keyof Pair): number =>
    (before?.resident[pick] ?? 0) +
    (before?.loaded[pick] ?? 0) -
    (after?.resident[pick] ?? 0) -
    (after?.loaded[pick] ?? 0);
  const names = [0, driver.load([called]).length].flatMap((step) =>
    contextOf(driver, trimmed, step).definitions.map(({ name }) => name),
  );
  return {
    hidden: hidden.length,
    saved: { read: sum("read"), counted: sum("counted") },
    shown: hidden.filter((tool) => names.some((name) => isNameOf(tool, name))),
  };
}

/** The same call twice with `--repeat note`: the tokens of the second answer that the note saves. */
async function playNoted(setting: Setting): Promise<Measurement["noted"]> {
  const { driver } = setting;
  const tool = "long_15k";
  const plan = { name: "noted", set: "usual", tools: [tool, tool] };
  const session = await runSession(setting, { ...plan, meterOptions: ["--repeat", "note"] });
  const loads = driver.load(session.tools).length;
  const [whole, note] = [1, 2].map((step) => {
    const parts = driver.api.newestResults(requestAt(session, loads + step)?.body);
    return parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n");
  });
  const second = recordsIn(session.log, "call").filter((call) => call.tool === tool)[1];
  return {
    isRead: note?.includes("is unchanged since the call at") === true,
    saved: {
      read: countTokens(whole ?? "") - countTokens(note ?? ""),
      counted: second?.saved_tokens ?? 0,
    },
  };
}

// Clients put the server's name and a sign or two before the tool's.
function isNameOf(tool: string, name: string): boolean {
  const prefix = name.endsWith(tool) ? name.slice(0, -tool.length).replace(/[^a-z]+$/i, "") : " ";
  return prefix === "" || prefix.endsWith(serverName);
}

function requestsOf(played: readonly PlayedSet[]): ComparedRequests {
  const compared = played.map(({ direct, metered }) =>
    compareRequests(direct.requests.map(jsonOf), metered.requests.map(jsonOf)),
  );
  return {
    total: compared.reduce((sum, { total }) => sum + total, 0),
    same: compared.reduce((sum, { same }) => sum + same, 0),
    difference: compared.find(({ difference }) => difference)?.difference,
  };
}

function jsonOf({ path, body }: KeptRequest): string {
  return comparable(path, body);
}

function clientNameIn({ log }: Session): string {
  return recordsIn(log, "session").at(-1)?.client_name ?? "";
}

function answersOf(
  driver: ClientDriver,
  { set, metered: session }: PlayedSet,
): readonly ComparedAnswer[] {
  const calls = recordsIn(session.log, "call");
  const observed = toolsOf(set).map((tool): ObservedCall => {
    const call = calls.find((one) => one.tool === tool);
    if (!call) throw new Error(`${driver.title}: the log has no call of ${tool}`);
    return { call, answer: answerOf(tool), parts: partsOf(driver, session, tool) };
  });
  const terms = { reader: readerOf(driver, session), hidesImages: driver.hidesImages };
  return compareAnswers(observed, recordsIn(session.log, "alert"), terms);
}

function readerOf({ meterOptions }: ClientDriver, session: Session): Reader {
  const at = meterOptions.indexOf("--model");
  const model = at < 0 ? undefined : meterOptions[at + 1];
  const select = createReaderChooser({
    tokenizer: "o200k",
    model,
    client: undefined,
    windowTokens: undefined,
  });
  return select(clientNameIn(session));
}

function definitionsOf(
  driver: ClientDriver,
  without: Session,
  session: Session,
): ComparedDefinitions {
  const record = recordsIn(session.log, "definitions").at(-1);
  if (!record) throw new Error(`${driver.title}: the log has no definitions`);
  const contexts = {
    without: contextOf(driver, without, 0),
    first: contextOf(driver, session, 0),
    last: contextOf(driver, session, driver.load(session.tools).length),
  };
  return compareDefinitions(record, contexts, session.tools);
}

function contextOf({ api, loadsAsText }: ClientDriver, session: Session, step: number): Context {
  const body = requestAt(session, step)?.body;
  const steps = loadsAsText ? Array.from({ length: step }, (_, at) => at + 1) : [];
  const loaded = steps.flatMap((one) => api.newestResults(requestAt(session, one)?.body));
  const texts = loaded.flatMap((part) => (part.kind === "text" ? [part.text] : []));
  return { texts: [...api.texts(body), ...texts], definitions: api.definitions(body) };
}

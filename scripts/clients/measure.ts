import { createReaderChooser } from "#commands/reader-chooser.ts";
import type { Reader } from "#tokens/cost/reader.ts";
import type { RecordedRequest } from "./apis/server.ts";
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
import { formatComparable, type ComparedRequests, compareRequests } from "./compare/requests.ts";
import type { Measurement } from "./document.ts";
import { findLeftovers } from "./play.ts";
import { playRefusals } from "./refusals.ts";
import { findAnswer, setNames, listTools } from "./server/kinds.ts";
import {
  findResultParts,
  readRecords,
  findRequest,
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
  const refused = await playRefusals(setting, findClientName(first.metered));
  const trimmed = await measureTrimmed(setting, idle, first.set);
  const noted = await measureNoted(setting);
  const logs = [...played.map(({ metered }) => metered.log), ...refused.map(({ log }) => log)];
  return {
    title: driver.title,
    version,
    era,
    on: new Date().toISOString().slice(0, 10),
    answers: played.flatMap((playedSet) => comparePlayedAnswers(driver, playedSet)),
    definitions: compareSessionDefinitions(driver, idle, first.metered),
    trimmed,
    noted,
    requests: compareAllRequests(played),
    refusals: refused.flatMap(({ refusals }) => refusals),
    sessions: {
      total: logs.length,
      ended: logs.filter((log) => readRecords(log, "end").length > 0).length,
    },
    leftovers: await findLeftovers(setting.folder),
  };
}

type PlayedSet = { readonly set: string; readonly direct: Session; readonly metered: Session };

async function playSet(setting: Setting, set: string): Promise<PlayedSet> {
  const tools = listTools(set);
  const direct = await runSession(setting, { name: `${set}-direct`, set, tools });
  const plan = { name: `${set}-metered`, set, tools, meterOptions: [] };
  return { set, direct, metered: await runSession(setting, plan) };
}

/** The same call with all tools, and with half of them hidden and the others shortened. */
async function measureTrimmed(
  setting: Setting,
  idle: Session,
  set: string,
): Promise<Measurement["trimmed"]> {
  const { driver } = setting;
  const [called = "", ...others] = listTools(set);
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
  const [before, after] = [whole, trimmed].map((session) =>
    compareSessionDefinitions(driver, idle, session),
  );
  const sum = (pick: keyof Pair): number =>
    (before?.resident[pick] ?? 0) +
    (before?.loaded[pick] ?? 0) -
    (after?.resident[pick] ?? 0) -
    (after?.loaded[pick] ?? 0);
  const names = [0, driver.load([called]).length].flatMap((step) =>
    readContext(driver, trimmed, step).definitions.map(({ name }) => name),
  );
  return {
    saved: { read: sum("read"), counted: sum("counted") },
    shown: hidden.filter((tool) => names.some((name) => isToolName(tool, name))),
  };
}

/** The same call twice with `--repeat note`: the tokens of the second answer that the note saves. */
async function measureNoted(setting: Setting): Promise<Measurement["noted"]> {
  const { driver } = setting;
  const tool = "long_15k";
  const plan = { name: "noted", set: "usual", tools: [tool, tool] };
  const session = await runSession(setting, { ...plan, meterOptions: ["--repeat", "note"] });
  const loads = driver.load(session.tools).length;
  const [whole, note] = [1, 2].map((step) => {
    const parts = driver.api.newestResults(findRequest(session, loads + step)?.body);
    return parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n");
  });
  const second = readRecords(session.log, "call").filter((call) => call.tool === tool)[1];
  return {
    isRead: note?.includes("is unchanged since the call at") === true,
    saved: {
      read: countTokens(whole ?? "") - countTokens(note ?? ""),
      counted: second?.saved_tokens ?? 0,
    },
  };
}

// Clients put the server's name and one or two punctuation marks before the tool's.
function isToolName(tool: string, name: string): boolean {
  const prefix = name.endsWith(tool) ? name.slice(0, -tool.length).replace(/[^a-z]+$/i, "") : " ";
  return prefix === "" || prefix.endsWith(serverName);
}

function compareAllRequests(played: readonly PlayedSet[]): ComparedRequests {
  const compared = played.map(({ direct, metered }) =>
    compareRequests(direct.requests.map(formatRequest), metered.requests.map(formatRequest)),
  );
  return {
    total: compared.reduce((sum, { total }) => sum + total, 0),
    same: compared.reduce((sum, { same }) => sum + same, 0),
    difference: compared.find(({ difference }) => difference)?.difference,
  };
}

function formatRequest({ path, body }: RecordedRequest): string {
  return formatComparable(path, body);
}

function findClientName({ log }: Session): string {
  return readRecords(log, "session").at(-1)?.client_name ?? "";
}

function comparePlayedAnswers(
  driver: ClientDriver,
  { set, metered: session }: PlayedSet,
): readonly ComparedAnswer[] {
  const calls = readRecords(session.log, "call");
  const observed = listTools(set).map((tool): ObservedCall => {
    const call = calls.find((record) => record.tool === tool);
    if (!call) throw new Error(`${driver.title}: the log has no call of ${tool}`);
    return { call, answer: findAnswer(tool), parts: findResultParts(driver, session, tool) };
  });
  const terms = { reader: chooseReader(driver, session), hidesImages: driver.hidesImages };
  return compareAnswers(observed, readRecords(session.log, "alert"), terms);
}

function chooseReader({ meterOptions }: ClientDriver, session: Session): Reader {
  const at = meterOptions.indexOf("--model");
  const model = at < 0 ? undefined : meterOptions[at + 1];
  const select = createReaderChooser({
    tokenizer: "o200k",
    model,
    client: undefined,
    windowTokens: undefined,
  });
  return select(findClientName(session));
}

function compareSessionDefinitions(
  driver: ClientDriver,
  without: Session,
  session: Session,
): ComparedDefinitions {
  const record = readRecords(session.log, "definitions").at(-1);
  if (!record) throw new Error(`${driver.title}: the log has no definitions`);
  const contexts = {
    without: readContext(driver, without, 0),
    first: readContext(driver, session, 0),
    last: readContext(driver, session, driver.load(session.tools).length),
  };
  return compareDefinitions(record, contexts, session.tools);
}

function readContext({ api, loadsAsText }: ClientDriver, session: Session, step: number): Context {
  const body = findRequest(session, step)?.body;
  const steps = loadsAsText ? Array.from({ length: step }, (_, at) => at + 1) : [];
  const loaded = steps.flatMap((at) => api.newestResults(findRequest(session, at)?.body));
  const texts = loaded.flatMap((part) => (part.kind === "text" ? [part.text] : []));
  return { texts: [...api.texts(body), ...texts], definitions: api.definitions(body) };
}

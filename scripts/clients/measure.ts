import { readerFor } from "#commands/reader.ts";
import type { Reader } from "#cost/reader.ts";
import type { KeptRequest } from "./apis/server.ts";
import type { ClientDriver } from "./client.ts";
import { compareAnswers, type ComparedAnswer, type ObservedCall } from "./compare/answers.ts";
import {
  type ComparedDefinitions,
  compareDefinitions,
  type Context,
} from "./compare/definitions.ts";
import { comparable, compareRequests } from "./compare/requests.ts";
import type { Measurement } from "./document.ts";
import { leftovers } from "./play.ts";
import { playRefusals } from "./refusals.ts";
import { answerOf, answers, definitionTools } from "./server/answers.ts";
import {
  partsOf,
  recordsIn,
  requestAt,
  runSession,
  type Session,
  type Setting,
} from "./session.ts";

const tools = [...Object.keys(answers), ...definitionTools];

export async function measure(setting: Setting): Promise<Measurement> {
  const { driver, version } = setting;
  const without = await runSession(setting, "without", []);
  const direct = await runSession(setting, "direct", tools);
  const metered = await runSession(setting, "metered", tools, []);
  const refused = await playRefusals(setting, clientNameIn(metered));
  const logs = [metered.log, ...refused.map(({ log }) => log)];
  return {
    title: driver.title,
    version,
    on: new Date().toISOString().slice(0, 10),
    answers: answersOf(driver, metered),
    definitions: definitionsOf(driver, without, metered),
    requests: compareRequests(direct.requests.map(jsonOf), metered.requests.map(jsonOf)),
    refusals: refused.flatMap(({ refusals }) => refusals),
    sessions: {
      total: logs.length,
      ended: logs.filter((log) => recordsIn(log, "end").length > 0).length,
    },
    leftovers: await leftovers(setting.folder),
  };
}

function jsonOf({ path, body }: KeptRequest): string {
  return comparable(path, body);
}

function clientNameIn({ log }: Session): string {
  return recordsIn(log, "session").at(-1)?.client_name ?? "";
}

function answersOf(driver: ClientDriver, session: Session): readonly ComparedAnswer[] {
  const calls = recordsIn(session.log, "call");
  const observed = tools.map((tool): ObservedCall => {
    const call = calls.find((one) => one.tool === tool);
    if (!call) throw new Error(`${driver.title}: the log has no call of ${tool}`);
    const answer = answerOf(tool);
    const result = "result" in answer ? answer.result : undefined;
    return { call, result, parts: partsOf(driver, session, tool) };
  });
  return compareAnswers(observed, recordsIn(session.log, "alert"), readerOf(driver, session));
}

function readerOf({ meterOptions }: ClientDriver, session: Session): Reader {
  const at = meterOptions.indexOf("--model");
  const model = at < 0 ? undefined : meterOptions[at + 1];
  const select = readerFor({
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
    last: contextOf(driver, session, driver.load(tools).length),
  };
  return compareDefinitions(record, contexts, tools);
}

function contextOf({ api, loadsAsText }: ClientDriver, session: Session, step: number): Context {
  const body = requestAt(session, step)?.body;
  const steps = loadsAsText ? Array.from({ length: step }, (_, at) => at + 1) : [];
  const loaded = steps.flatMap((one) => api.newestResults(requestAt(session, one)?.body));
  const texts = loaded.flatMap((part) => (part.kind === "text" ? [part.text] : []));
  return { texts: [...api.texts(body), ...texts], definitions: api.definitions(body) };
}

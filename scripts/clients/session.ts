import type { MeterRecord } from "#records/record.ts";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ReadPart, Turn } from "./apis/api.ts";
import type { RecordedRequest } from "./apis/server.ts";
import type { ClientDriver, LaunchContext } from "./client.ts";
import { normalizePaths } from "./compare/requests.ts";
import { play, type Played } from "./play.ts";

export type Setting = {
  readonly driver: ClientDriver;
  readonly version: string;
  readonly folder: string;
  readonly installed: string;
  readonly executable: string;
  readonly era: "legacy" | "modern";
  readonly say: (sentence: string) => void;
};

export type SessionPlan = {
  readonly name: string;
  readonly set: string;
  readonly tools: readonly string[];
  readonly meterOptions?: readonly string[];
};

export type Session = {
  readonly tools: readonly string[];
  readonly requests: readonly RecordedRequest[];
  readonly log: string;
};

type ServerCommand = LaunchContext["server"];
type Metered = Pick<SessionPlan, "set"> & { folder: string; options: readonly string[] };

const serverProgram = join(import.meta.dir, "server/main.ts");

/** The set `idle` shows the tools that some clients add for any server. */
export async function runSession(
  setting: Setting,
  { name, set, tools, meterOptions }: SessionPlan,
): Promise<Session> {
  const { driver, installed, say, era } = setting;
  const folder = sessionFolder(setting, name);
  mkdirSync(folder);
  const log = join(folder, "records.ndjson");
  const plan = planTurns(driver, tools);
  const server = meterOptions
    ? makeMeteredCommand(setting, { folder, set, options: [...meterOptions, "--log", log] })
    : makeServerCommand(folder, [set, era]);
  say(`${driver.title}, ${name}: ${plan.length} turns`);
  const played = await play(driver, plan, { folder, installed, server });
  const early = describeEarlyEnd(played, plan.length + 1);
  if (early !== undefined) throw new Error(`${driver.title}, ${name}: ${early}`);
  const [home, work, tmp] = [join(folder, "home"), join(folder, "work"), join(folder, "tmp")];
  const requests = played.requests.map((request) => ({
    ...request,
    body: JSON.parse(normalizePaths(JSON.stringify(request.body), { home, work, tmp })) as unknown,
  }));
  return { tools, requests, log };
}

function planTurns(driver: ClientDriver, tools: readonly string[]): readonly Turn[] {
  if (tools.length === 0) return [];
  return [...driver.load(tools), ...tools.map((tool) => driver.call(tool))];
}

/** All names have the same length, because clients cut texts that contain paths. */
export function sessionFolder({ folder }: Setting, name: string): string {
  return join(folder, name.padEnd("resources-metered".length, "-"));
}

function describeEarlyEnd(
  { requests, isTimedOut, exitCode, stderr }: Played,
  expected: number,
): string | undefined {
  const turns = requests.filter(({ step }) => step !== undefined).length;
  if (!isTimedOut && turns >= expected) return undefined;
  const end = isTimedOut ? "ran too long" : `ended with ${exitCode}`;
  return `${end} after ${turns} of ${expected} requests. ${stderr.trim().slice(-500)}`;
}

function makeServerCommand(folder: string, options: readonly string[]): ServerCommand {
  return { command: process.execPath, args: [serverProgram, folder, ...options] };
}

export function makeMeteredCommand(setting: Setting, metered: Metered): ServerCommand {
  const { executable, driver, era } = setting;
  const { command, args } = makeServerCommand(metered.folder, [metered.set, era]);
  const options = ["--tokenizer", "o200k", ...driver.meterOptions, ...metered.options];
  return { command: executable, args: [...options, "--", command, ...args] };
}

export function findResultParts(
  driver: ClientDriver,
  session: Session,
  tool: string,
): readonly ReadPart[] {
  const { tools } = session;
  const step = driver.load(tools).length + tools.indexOf(tool) + 1;
  return driver.api.newestResults(findRequest(session, step)?.body);
}

export function findRequest({ requests }: Session, step: number): RecordedRequest | undefined {
  return requests.find((request) => request.step === step);
}

export function readRecords<Type extends MeterRecord["type"]>(
  file: string,
  type: Type,
): readonly Extract<MeterRecord, { type: Type }>[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  const records = lines
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as MeterRecord);
  return records.filter(
    (record): record is Extract<MeterRecord, { type: Type }> => record.type === type,
  );
}

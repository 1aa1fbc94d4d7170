import { describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Ajv2020 from "ajv/dist/2020";
import { clientNamed } from "../support/clients.ts";
import { allRecordsIn } from "../support/records.ts";
import { everything, legacy, metered, modern, type ServerCommand } from "../support/servers.ts";
import { legacyInput } from "./lines.ts";
import { eachHome } from "./each-home.ts";
import { type Extra, onlyLog, recordsIn, runMeter } from "./run.ts";

const home = eachHome();

const schemaFile = join(import.meta.dir, "..", "..", "src", "records", "record.schema.json");

function objections(records: readonly unknown[]): string[] {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
  const schema: object = JSON.parse(readFileSync(schemaFile, "utf8"));
  const validate = ajv.compile(schema);
  return records
    .filter((record) => !validate(record))
    .map((record) => `${JSON.stringify(record)}: ${ajv.errorsText(validate.errors)}`);
}

const calls: Parameters<typeof legacyInput>[0] = [
  ["echo", { message: "canary-in-arguments" }],
  ["weather", { city: "Lisbon" }],
  ["picture", {}],
  ["fail", {}],
  ["no-such-tool", {}],
];

const input = legacyInput(calls);

const logged = (file: string, options: readonly string[] = []) =>
  runMeter(home, ["--log", file, ...options, "--", ...legacy().argv], { input });

describe("records", () => {
  test("every line validates and tells the session from beginning to end", async () => {
    const file = join(home.path, "log.ndjson");
    await logged(file);
    const records = await allRecordsIn(readFileSync(file, "utf8"));
    expect(objections(records)).toEqual([]);
    const types = records.map(({ type }) => type);
    expect(types[0]).toBe("session");
    expect(types.at(-1)).toBe("end");
    expect(types).toContain("definitions");
    expect(records.map(({ seq }) => seq)).toEqual(records.map((_, at) => at));
    const tools = records.filter(({ type }) => type === "call").map(({ tool }) => String(tool));
    expect(tools.toSorted()).toEqual(calls.map(([tool]): string => tool).toSorted());
  });
});

const asSdkV1 = (server: ServerCommand) => ({ ...server, env: { ...server.env, ...home.env } });

describe("records of real sessions", () => {
  test("server-everything with progress, sampling and an error", async () => {
    const server = asSdkV1(metered(everything(), ["--summary", "off"]));
    const connection = await clientNamed("sdk-v1").connect(server);
    await connection.listTools();
    await connection.callTool("trigger-long-running-operation", { duration: 0.1, steps: 2 }, []);
    await connection.callTool("trigger-sampling-request", { prompt: "hello" });
    await connection.callTool("get-sum", { a: "two" });
    await connection.close();
    const records = await onlyLog(home);
    expect(objections(records)).toEqual([]);
    const outcome = (tool: string) => records.find((each) => each["tool"] === tool)?.["outcome"];
    expect(outcome("trigger-long-running-operation")).toBe("ok");
    expect(outcome("trigger-sampling-request")).toBe("ok");
    expect(outcome("get-sum")).toBe("tool_error");
    expect(records.map(({ method }) => method)).toContain("sampling/createMessage");
  });

  test("2026 era: two rounds of input are one call, and the probe is no session", async () => {
    const server = asSdkV1(metered(modern(), ["--summary", "off"]));
    const connection = await clientNamed("sdk-v2-modern").connect(server);
    await connection.listTools();
    await connection.callTool("plan", {});
    await connection.close();
    const logs = await Promise.all(
      home.logs().map((file) => recordsIn(readFileSync(file, "utf8"))),
    );
    expect(objections(logs.flat())).toEqual([]);
    const plans = logs.flat().filter(({ tool }) => tool === "plan");
    expect(plans).toHaveLength(1);
    expect(plans[0]).toMatchObject({ type: "call", outcome: "ok", messages: 6 });
    const session = logs.flat().find(({ protocol_version: version }) => version === "2026-07-28");
    expect(session).toMatchObject({ era: "modern", client_name: "sdk-v2-host" });
  });
});

test.each(["table", "markdown", "json"])(
  "report prints as %s what the session printed",
  async (format) => {
    const file = join(home.path, "log.ndjson");
    const session = await logged(file, ["--summary", format]);
    const report = await runMeter(home, ["report", file, "--format", format]);
    expect(report.status).toBe(0);
    expect(report.stdout.trim()).not.toBe("");
    expect(session.stderr).toContain(report.stdout.trimEnd());
  },
);

describe("report over time", () => {
  test("is the same of this machine, a folder, a glob, copies and stdin", async () => {
    const [one, two] = [join(home.path, "r", "one.ndjson"), join(home.path, "r", "two.ndjson")];
    mkdirSync(dirname(one));
    await Promise.all([logged(one), logged(two)]);
    const sessions = join(home.path, "state", "mcp-meter", "sessions", "d");
    mkdirSync(sessions, { recursive: true });
    copyFileSync(one, join(sessions, "1.ndjson"));
    copyFileSync(two, join(sessions, "2.ndjson"));
    const state = { XDG_STATE_HOME: join(home.path, "state") };
    const both = readFileSync(two, "utf8") + readFileSync(one, "utf8");
    const of = async (files: readonly string[], extra: Extra = {}): Promise<string> => {
      const words = ["report", ...files, "--by", "tool", "--since", "1d", "--json"];
      const { status, stdout, stderr } = await runMeter(home, words, extra);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      const { blocks }: { blocks: unknown } = JSON.parse(stdout);
      return JSON.stringify(blocks);
    };
    const folder = await of([dirname(one)]);
    expect(folder).toContain(`"calls":${2 * calls.length}`);
    expect(await of([], { env: state })).toBe(folder);
    expect(await of([join(home.path, "r", "*.ndjson")])).toBe(folder);
    expect(await of([two, sessions, one])).toBe(folder);
    expect(await of(["-"], { input: both })).toBe(folder);
    expect(await of(["-", one], { input: both })).toBe(folder);
  });
});

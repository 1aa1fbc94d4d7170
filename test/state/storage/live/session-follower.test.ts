import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import {
  followedFilesMax,
  SessionFollower,
  type TakeFollowed,
} from "#state/storage/live/session-follower.ts";
import type { MeterRecord } from "#records/record.ts";
import { Folder } from "../../../support/folder.ts";
import { callRecord, sessionRecord } from "../../../support/made-records.ts";
import { eventually } from "../../../support/wait.ts";

let folder: Folder;
let follower: SessionFollower;
let taken: string[];

beforeEach(() => {
  folder = new Folder();
  taken = [];
  follower = new SessionFollower(folder.at("sessions"), takeCall);
});

const takeCall: TakeFollowed = (record, context, isNew) => {
  if (record.type !== "call") return;
  const text = `${record.tool ?? ""} ${context.tokens}`;
  taken.push(isNew ? text : `(${text})`);
};

afterEach(() => {
  follower.close();
  folder[Symbol.dispose]();
});

const makePath = (name: string, day = "2026-09-01"): string =>
  folder.at("sessions", day, `${name}.ndjson`);

function append(path: string, ...records: readonly (MeterRecord | string)[]): void {
  mkdirSync(dirname(path), { recursive: true });
  const lines = records.map((record) =>
    typeof record === "string" ? record : `${JSON.stringify(record)}\n`,
  );
  appendFileSync(path, lines.join(""));
}

const call = (tool: string): MeterRecord =>
  callRecord({ tool, input_tokens: 0, output_tokens: 10 });

const has = (...texts: readonly string[]) =>
  eventually(
    () => `${texts.join(", ")} in ${taken.join(", ")}`,
    () => texts.every((text) => taken.includes(text)),
  );

describe("SessionFollower", () => {
  test("follows a file that there was, with the context from its beginning", async () => {
    append(makePath("old"), sessionRecord(), call("a"));
    expect(follower.start().map(({ path }) => path)).toEqual([makePath("old")]);
    append(makePath("old"), call("b"));
    await has("b 20");
    expect(taken).toEqual(["(a 10)", "b 20"]);
  });

  test("calls of files beyond those that are examined are not new, but for those from then on", async () => {
    const days = ["2026-09-01", "2026-09-02", "2026-09-03", "2026-09-04"];
    for (const day of days) append(makePath("old", day), sessionRecord(), call("old"));
    follower.close();
    follower = new SessionFollower(folder.at("sessions"), takeCall, 2);
    follower.start();
    expect(taken).toEqual([]);
    append(makePath("old"), { ...call("new"), ts: new Date(Date.now() + 1_000).toISOString() });
    await has("new 20");
    expect(taken).toEqual(["(old 10)", "new 20"]);
  });

  test("follows new files, new days, and a folder of sessions that is made later", async () => {
    expect(follower.start()).toEqual([]);
    append(makePath("first"), call("a"));
    await has("a 10");
    append(makePath("second"), call("b"));
    append(makePath("third", "2026-09-02"), call("c"));
    await has("b 10", "c 10");
    append(makePath("first"), call("d"));
    await has("d 20");
    expect(taken).toHaveLength(4);
  });

  test("files that are moved, removed or torn do not stop it", async () => {
    append(makePath("a"), call("a"));
    follower.start();
    append(makePath("a"), '{"type": "call", torn\n', "[]\nnull\n", call("b"));
    await has("b 20");
    renameSync(makePath("a"), makePath("a").replace(".ndjson", ".old"));
    append(makePath("a"), call("c"));
    await has("c 30");
    rmSync(folder.at("sessions", "2026-09-01"), { recursive: true });
    append(makePath("b"), call("d"));
    await has("d 10");
    rmSync(folder.at("sessions"), { recursive: true });
    append(makePath("c"), call("e"));
    await has("e 10");
  });

  test(`of more than ${followedFilesMax} files each call is taken once, with its context`, async () => {
    const names = Array.from({ length: followedFilesMax + 5 }, (_, at) => `s${at}`);
    for (const name of names) append(makePath(name), call(name));
    follower.start();
    for (const name of [...names, ...names]) append(makePath(name), call(name));
    await has(...names.map((name) => `${name} 30`));
    const fresh = taken.filter((text) => !text.startsWith("("));
    expect(fresh).toHaveLength(2 * names.length);
    expect(new Set(fresh).size).toBe(fresh.length);
  });

  test("records of another major version are left out", async () => {
    follower.start();
    append(
      makePath("a"),
      JSON.stringify({ ...call("x"), schema_version: "2.0" }) + "\n",
      call("b"),
    );
    await has("b 10");
    expect(taken).toEqual(["b 10"]);
  });

  test("row 178: records whose time is none are left out", async () => {
    follower.start();
    const times = ["", "9999-99-99", "\u001b[31m", "+275761-01-01T00:00:00.000Z"];
    append(makePath("a"), ...times.map((ts): MeterRecord => ({ ...call("x"), ts })), call("b"));
    await has("b 10");
    expect(taken).toEqual(["b 10"]);
  });
});

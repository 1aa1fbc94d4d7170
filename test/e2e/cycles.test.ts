import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { clientNamed } from "../support/clients.ts";
import { markName, processesOf } from "../support/processes.ts";
import { legacy, metered, modern, type ServerCommand } from "../support/servers.ts";
import { eachHome } from "./each-home.ts";
import { recordsIn } from "./run.ts";

/** Cycles of each era; the long form asks for 100. */
const cycles = Math.ceil(Number(process.env["FAULT_LOOPS"] ?? 10) / 2);

const home = eachHome();

async function orphansOf(mark: string): Promise<number[]> {
  for (let waited = 0; waited < 500 && processesOf(mark).length > 0; waited += 1) {
    await Bun.sleep(20);
  }
  return processesOf(mark);
}

const eras: readonly (readonly [era: string, server: () => ServerCommand])[] = [
  ["legacy", legacy],
  ["modern", modern],
];

for (const [era, server] of eras) {
  test(`${cycles} times connect, list and close by SDK v2 in auto mode, ${era} server (slow)`, async () => {
    const mark = crypto.randomUUID();
    const command = metered(server());
    const env = { ...command.env, ...home.env, [markName]: mark };
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const connection = await clientNamed("sdk-v2-auto").connect({ ...command, env });
      expect((await connection.listTools()).length).toBeGreaterThan(3);
      await connection.close();
    }
    expect(await orphansOf(mark)).toEqual([]);
    const logs = await Promise.all(
      home.logs().map((file) => recordsIn(readFileSync(file, "utf8"))),
    );
    expect(logs).toHaveLength(cycles);
    for (const records of logs) {
      expect(records.map(({ type }) => type)).toContain("definitions");
      expect(records.at(-1)?.["type"]).toBe("end");
    }
  }, 300_000);
}

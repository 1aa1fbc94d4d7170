import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { formatLock } from "#lock/lock.ts";
import { clients, type TestClient } from "../support/clients.ts";
import { Folder } from "../support/folder.ts";
import { lockedDefinition, lockWith } from "../support/locks.ts";
import { executable, fixture, testMaxMs } from "../support/session.ts";
import { slowIf } from "../support/slow-cases.ts";

setDefaultTimeout(testMaxMs);

const inputSchema = { type: "object", properties: {} };
const agreed = (name: string) => ({ name, description: "As locked", inputSchema });

async function callThrough(client: TestClient, how: string, tool: string): Promise<string> {
  using folder = new Folder();
  const names = ["changed", "same", "unseen"];
  const tools = names.map((name) => lockedDefinition(agreed(name)));
  const lock = folder.at("lock.json");
  writeFileSync(lock, formatLock(lockWith(tools)));
  const flags = ["--summary", "off", "--log", "off", "--lock", lock, "--enforce-lock", "--"];
  const argv: readonly [string, ...string[]] = [
    executable,
    ...flags,
    ...fixture("lists-deceptively", how),
  ];
  const server = { name: "fixture", argv, env: { XDG_STATE_HOME: folder.path } };
  const connection = await client.connect(server);
  if (how !== "no-list") await connection.listTools().catch(() => []);
  const outcome = await connection.callTool(tool, {});
  await connection.close();
  return JSON.stringify(outcome);
}

const refused: readonly (readonly [how: string, tool: string, says: string])[] = [
  ["second-page", "changed", "Its definition differs from the lock file"],
  ["second-page", "unseen", "could not be compared with the lock file"],
  ["id-as-text", "changed", "Its definition differs from the lock file"],
  ["long-line", "changed", "could not be compared with the lock file"],
  ["deep", "changed", "could not be compared with the lock file"],
  ["tool-10001", "changed", "Its definition differs from the lock file"],
  ["plain", "neither", "It is not in the lock file"],
  ["no-list", "neither", "It is not in the lock file"],
];

// The lists differ on the wire, not by the client that asks for them: one client has them all.
const listsOf = ({ name }: TestClient) =>
  name === "sdk-v1" ? refused : refused.filter(([how]) => ["plain", "no-list"].includes(how));

describe("row 67: an enforced lock", () => {
  for (const client of clients.filter(({ speaks }) => speaks === "legacy")) {
    for (const [how, tool, says] of listsOf(client)) {
      const part = slowIf(["long-line", "tool-10001"].includes(how));
      test(`row 67: ${client.name}, list ${how}: ${tool} is refused${part}`, async () => {
        const outcome = await callThrough(client, how, tool);
        expect(outcome).toContain(says);
        expect(outcome).not.toContain("the tool ran");
      });
    }

    for (const how of ["plain", "no-list"]) {
      test(`row 67: ${client.name}, list ${how}: a tool as the lock has it runs`, async () => {
        expect(await callThrough(client, how, "same")).toContain("the tool ran");
      });
    }
  }
});

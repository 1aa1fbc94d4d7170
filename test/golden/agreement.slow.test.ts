// The same on every captured server: it takes some seconds, and the servers may be absent.
import { describe, expect, test } from "bun:test";
import { estimatorIds } from "#tokens/estimators/ids.ts";
import { countedList, pricesByCommand } from "../support/agreement.ts";
import { collectedDefinitions, readDefinitions } from "../support/replay.ts";

describe("the prices of the captured servers", () => {
  const servers = collectedDefinitions();

  test("are there to be compared, or this says that they are not", () => {
    if (servers.length === 0) console.warn("Skipping the captured servers: they are not there");
    else expect(servers.length).toBeGreaterThanOrEqual(40);
  });

  for (const { name, file } of servers) {
    test(`${name}: profile, run, report, lock, check and count agree under all estimators`, () => {
      const definitions = readDefinitions(file);
      for (const tokenizer of estimatorIds) {
        const { profile, ...others } = pricesByCommand(definitions, { tokenizer });
        expect(countedList(definitions, tokenizer)).toBe(profile?.total ?? 0);
        for (const [command, priced] of Object.entries(others)) {
          expect<unknown>({ tokenizer, command, ...priced }).toEqual({
            tokenizer,
            command,
            ...profile,
          });
        }
      }
    });
  }
});

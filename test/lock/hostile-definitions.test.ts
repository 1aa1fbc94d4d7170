import { expect, setDefaultTimeout, test } from "bun:test";
import * as fc from "fast-check";
import { sha256 as hash } from "#kit/os/hash.ts";
import { estimateDefinitions } from "#tokens/cost/add-up-definitions.ts";
import { findDrifts, findListDrifts } from "#lock/drift/find-drifts.ts";
import { findContradiction, makeLock, readLock, formatLock } from "#lock/lock.ts";
import { profileServer } from "#lock/profile.ts";
import { findSavings, type ProfileWithSavings } from "#lock/find-savings.ts";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import { buildProfileDocument } from "#screens/renderers/documents/profile.ts";
import { documentFormats } from "#screens/renderers/formats.ts";
import { render } from "#screens/renderers/index.ts";
import { escapeUnsafe } from "#kit/text/unsafe-text.ts";
import type { JsonObject } from "#wire/json.ts";
import { makeCountingReader } from "../support/readers.ts";

setDefaultTimeout(60_000);

const reader = makeCountingReader();

const terms = { reader, thresholds: riskThresholdsDefault, hash };

function profileTools(tools: readonly JsonObject[], instructions: string): ProfileWithSavings {
  const listing = {
    server: { name: instructions, version: null, protocol_version: null, era: null },
    instructions,
    tools,
    prompts: [],
    resources: [],
    resourceTemplates: [],
  };
  const definitions = estimateDefinitions({ tools, instructions }, reader, hash);
  const savings = findSavings(listing, definitions, terms);
  return { ...profileServer(listing, definitions, terms), savings };
}

const text = fc.string({ unit: "binary" });
const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(2 ** 53 - 1, 1e300, -1, 0, 0.5));
const keyword = fc.constantFrom(
  "type",
  "properties",
  "items",
  "anyOf",
  "allOf",
  "$ref",
  "maxItems",
  "maxLength",
  "maximum",
  "exclusiveMaximum",
  "required",
  "enum",
  "const",
  "format",
  "additionalProperties",
  "constructor",
  "limit",
  "max_chars",
  "__proto__",
);
const { schema } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom("object", "array", "string", "#", "#/properties/items", "date", "constructor"),
    number,
    text,
    fc.constant(null),
    fc.dictionary(keyword, tie("schema"), { maxKeys: 5 }),
    fc.array(tie("schema"), { maxLength: 3 }),
  ),
}));
const tool = fc.record({
  name: fc.oneof(text, fc.jsonValue()),
  description: fc.oneof(text, fc.jsonValue()),
  inputSchema: schema,
  outputSchema: schema,
  annotations: fc.jsonValue(),
  _meta: fc.record({ "anthropic/maxResultSizeChars": fc.oneof(number, text) }),
});

test("profile and lock survive any list, and a lock read back is the lock", () => {
  fc.assert(
    fc.property(fc.array(tool, { maxLength: 4 }), text, (rawTools, instructions) => {
      const tools: JsonObject[] = JSON.parse(JSON.stringify(rawTools));
      const profile = profileTools(tools, instructions);
      const lists = { prompts: tools, resourceTemplates: tools };
      const lock = makeLock(profile, { tools, instructions, ...lists });
      const read = readLock(formatLock(lock));
      expect(read).toEqual({ lock });
      expect("lock" in read && findContradiction(read.lock, hash)).toBeUndefined();
      const rules = { thresholds: riskThresholdsDefault, isGrowthLimited: false };
      expect(findDrifts(lock, lock, rules)).toEqual(findListDrifts(lock, {}));
      for (const { worst_case: worst } of profile.tools) {
        expect(Number.isSafeInteger(worst.tokens) && worst.tokens >= 0).toBe(true);
      }
      for (const { tokens } of profile.savings) expect(Number.isSafeInteger(tokens)).toBe(true);
      const printout = { document: buildProfileDocument(profile), data: profile };
      for (const format of documentFormats) {
        const shown = render(format, printout, { color: false }).replaceAll("\n", "");
        expect(escapeUnsafe(shown)).toBe(shown);
      }
    }),
    { numRuns: 200 },
  );
});

import formats from "ajv-formats";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import { findDrifts } from "#lock/drift/find-drifts.ts";
import { lockServer, type Lock } from "#lock/lock.ts";
import { severities } from "#lock/drift/severity-rules.ts";
import { isObject, readMember, type JsonObject } from "#wire/json.ts";
import { sha256 as hash } from "#kit/os/hash.ts";
import { makeCountingReader } from "../../support/readers.ts";

type Release = {
  readonly package: string;
  readonly release: string;
  readonly server: string;
  readonly version: string;
  readonly instructions?: string;
  readonly tools: readonly JsonObject[];
};

const file = join(import.meta.dir, "..", "..", "fixtures", "versions", "releases.ndjson");
const releases: readonly Release[] = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

const terms = { reader: makeCountingReader(), thresholds: riskThresholdsDefault, hash };

function makeReleaseLock({ server: name, version, instructions, tools }: Release): Lock {
  const server = { name, version, protocol_version: null, era: null };
  const lists = { prompts: [], resources: [], resourceTemplates: [] };
  return lockServer({ server, instructions, tools, ...lists }, terms);
}

function findReleaseDrifts(name: string) {
  const [before, after] = releases
    .filter((release) => release.package === name)
    .map(makeReleaseLock);
  if (!before || !after) throw new Error(name);
  return { before, after, drifts: findDrifts(before, after, { ...terms, isGrowthLimited: false }) };
}

const ajv = {
  old: new Ajv({ strict: false, logger: false }),
  new: new Ajv2020({ strict: false, logger: false }),
};

formats(ajv.old);
formats(ajv.new);

function accepts(lock: Lock, tool: string | null, isInput: boolean, value: unknown): boolean {
  const definition = lock.tools.find(({ name }) => name === tool)?.definition ?? {};
  const listed = readMember(definition, isInput ? "inputSchema" : "outputSchema");
  const { $schema, ...schema } = isObject(listed) ? listed : {};
  const isOld = typeof $schema === "string" && $schema.includes("draft-07");
  const engine = isOld ? ajv.old : ajv.new;
  return engine.compile(schema)(value);
}

// Counts of BREAKING, those of them in schemas, RISKY, SAFE and COSMETIC.
const expected: { readonly [name: string]: number[] } = {
  "@modelcontextprotocol/server-filesystem": [0, 0, 19, 0, 0],
  "@modelcontextprotocol/server-memory": [0, 0, 64, 0, 1],
  "@modelcontextprotocol/server-sequential-thinking": [0, 0, 11, 3, 1],
  "@notionhq/notion-mcp-server": [4, 1, 80, 36, 0],
  "@playwright/mcp": [21, 20, 23, 3, 1],
  "@upstash/context7-mcp": [0, 0, 6, 0, 1],
  "chrome-devtools-mcp": [58, 57, 62, 2, 1],
  "tavily-mcp": [4, 0, 5, 0, 1],
};

test.each([...new Set(releases.map((release) => release.package))])(
  "two releases of %s: each BREAKING row of a schema has a value that is rejected since",
  (name) => {
    const { before, after, drifts } = findReleaseDrifts(name);
    const breaking = drifts.filter(({ severity }) => severity === "BREAKING");
    const ofSchemas = breaking.filter(({ kind }) =>
      /^(?:input|output)_(?:removed|breaking)/.test(kind),
    );
    for (const { tool, kind, what, example } of ofSchemas) {
      const isInput = kind.startsWith("input");
      const value: unknown = example === undefined ? undefined : JSON.parse(example);
      const judged = [before, after].map((lock) => accepts(lock, tool, isInput, value));
      expect([what, example, ...judged]).toEqual([what, example, isInput, !isInput]);
      expect(example).toBeDefined();
    }
    const counts = severities.map(
      (release) => drifts.filter(({ severity }) => severity === release).length,
    );
    expect([counts[0], ofSchemas.length, ...counts.slice(1)]).toEqual(expected[name] ?? []);
  },
);

test.each(releases.map((release) => [`${release.package} ${release.release}`, release] as const))(
  "%s does not differ from itself",
  (_, release) => {
    const lock = makeReleaseLock(release);
    expect(
      findDrifts(lock, makeReleaseLock(release), { ...terms, isGrowthLimited: false }),
    ).toEqual([]);
  },
);

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";

const duckDbPackage = "@duckdb/node-api@1.5.6-r.1";

/** A program for Bun: prints `[{"server", "tokens"}]` of the record files that its argument, a glob, names. */
const program = `import { DuckDBInstance } from "@duckdb/node-api";
const connection = await (await DuckDBInstance.create(":memory:")).connect();
const reader = await connection.runAndReadAll(\`
  SELECT server, sum(total_tokens)::DOUBLE AS tokens
  FROM read_ndjson('\${process.argv[2]}', columns={type: 'VARCHAR', server: 'VARCHAR', total_tokens: 'BIGINT'})
  WHERE type = 'call' GROUP BY server\`);
console.log(JSON.stringify(reader.getRowObjects()));
process.exit(0);
`;

/**
 * Installs DuckDB's package into a folder of its own, which takes npm's registry and 70 MB. Returns a program that groups
 * records with it; undefined where it cannot be installed or does not run.
 */
export async function installDuckDb(folder: string): Promise<string | undefined> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"private":true}');
  const file = join(folder, "group.mjs");
  writeFileSync(file, program);
  const quiet = { cwd: folder, reject: false, timeout: 120_000 } as const;
  const { exitCode } = await execa(process.execPath, ["add", duckDbPackage], quiet);
  if (exitCode !== 0) return undefined;
  writeFileSync(join(folder, "one.ndjson"), '{"type":"call","server":"a","total_tokens":1}\n');
  const tried = await execa(process.execPath, [file, join(folder, "one.ndjson")], quiet);
  return tried.stdout === '[{"server":"a","tokens":1}]' ? file : undefined;
}

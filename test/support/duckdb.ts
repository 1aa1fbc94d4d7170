// Run as a process of its own: prints the rows of the last file of SQL as JSON. Arguments: the files.
import { readFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";

const connection = await (await DuckDBInstance.create(":memory:")).connect();
const files = process.argv.slice(2).map((file) => readFileSync(file, "utf8"));
for (const text of files.slice(0, -1)) await connection.run(text);
const rows = await connection.runAndReadAll(files.at(-1) ?? "");
process.stdout.write(JSON.stringify(rows.getRowObjectsJson()));

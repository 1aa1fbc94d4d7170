import { createReadStream } from "node:fs";
import Ajv2020 from "ajv/dist/2020";
import ndjson from "ndjson";
import schema from "../../src/records/record.schema.json" with { type: "json" };

export async function checkRecords(
  file: string,
): Promise<{ readonly records: number; readonly valid: number }> {
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  let [records, valid] = [0, 0];
  for await (const record of createReadStream(file).pipe(ndjson.parse())) {
    records += 1;
    if (validate(record)) valid += 1;
  }
  return { records, valid };
}

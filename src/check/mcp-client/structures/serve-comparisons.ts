import { isObject, memberAt, textAt } from "#wire/json.ts";
import { OutputSchemas } from "./output-schemas.ts";

/** One JSON value per line, and one answer for each: a fault, or null. */
export async function serveComparisons(
  input: AsyncIterable<Uint8Array>,
  write: (line: string) => Promise<unknown>,
): Promise<void> {
  let schemas: OutputSchemas | undefined;
  for await (const line of linesOf(input)) {
    const question: unknown = JSON.parse(line);
    schemas ??= new OutputSchemas(memberAt(question, "isModern") === true);
    await write(`${JSON.stringify((await answer(question, schemas)) ?? null)}\n`);
  }
}

async function answer(question: unknown, schemas: OutputSchemas): Promise<unknown> {
  const tool = textAt(question, "tool") ?? "";
  const schema = memberAt(question, "schema");
  if (isObject(schema)) return schemas.add(tool, schema);
  const isError = memberAt(question, "isError") === true;
  return schemas.compare(tool, memberAt(question, "structure"), isError);
}

async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  for await (const chunk of input) {
    const [first = "", ...rest] = decoder.decode(chunk, { stream: true }).split("\n");
    parts.push(first);
    for (const next of rest) {
      yield parts.join("");
      parts = [next];
    }
  }
}

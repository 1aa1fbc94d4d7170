import type { Io } from "#kit/io.ts";
import { type Child, type ChildStreams, spawnChild } from "#kit/os/child.ts";
import { isObject, readMember, readString, type JsonObject } from "#wire/json.ts";
import type { SchemaRejection, StructureFault, Uncompared } from "../../output-schema-problems.ts";

// A large schema of a real server takes 50 ms.
const comparisonMaxMs = 5_000;

type Question = JsonObject;

// Compares in another process, killed when late: a schema may keep a processor busy for years.
export class StructureComparer {
  readonly #io: Pick<Io, "platform" | "comparer">;
  readonly #maxMs: number;
  #schemas: Question[] = [];
  #running: { readonly child: Child; readonly streams: ChildStreams } | undefined;
  #isStuck = false;

  constructor(io: Pick<Io, "platform" | "comparer">, maxMs: number = comparisonMaxMs) {
    this.#io = io;
    this.#maxMs = maxMs;
  }

  async add(
    tool: string,
    schema: JsonObject,
    isModern: boolean,
  ): Promise<Pick<SchemaRejection, "reason" | "by"> | undefined> {
    if (this.#isStuck) return undefined;
    const question = { isModern, tool, schema };
    const answer = await this.#ask(question);
    if (typeof answer === "string") {
      this.#isStuck = true;
      return { reason: compileFaults[answer], by: "unknown" };
    }
    const reason = readString(answer.value, "reason");
    if (reason === undefined) {
      this.#schemas.push(question);
      return undefined;
    }
    const by = readString(answer.value, "by");
    return { reason, by: by === "older" || by === "newer" ? by : "both" };
  }

  async compare(
    tool: string,
    structure: unknown,
    isError: boolean,
  ): Promise<StructureFault | Uncompared | undefined> {
    if (this.#isStuck || !this.#schemas.some((schema) => schema["tool"] === tool)) return undefined;
    const answer = await this.#ask({ tool, structure, isError });
    if (typeof answer === "string") return answer;
    const { value } = answer;
    if (!isObject(value)) return undefined;
    return {
      pointer: readString(value, "pointer") ?? "",
      reason: readString(value, "reason") ?? "",
      isOlderOnly: readMember(value, "isOlderOnly") === true,
    };
  }

  close(): void {
    this.#running?.child.subprocess.kill("SIGKILL");
    this.#running = undefined;
  }

  async #ask(question: Question): Promise<{ readonly value: unknown } | Uncompared> {
    const { promise: late, resolve } = Promise.withResolvers<Uncompared>();
    const timer = setTimeout(() => resolve("too_slow"), this.#maxMs);
    try {
      const answer = await Promise.race([this.#askProcess(question), late]);
      if (typeof answer === "string") this.close();
      return answer;
    } catch {
      this.close();
      return "crashed";
    } finally {
      clearTimeout(timer);
    }
  }

  async #askProcess(question: Question): Promise<{ readonly value: unknown } | Uncompared> {
    const isNew = this.#running === undefined;
    const streams = this.#openStreams();
    const repeated = isNew ? this.#schemas : [];
    for (const schema of repeated) await exchangeLines(schema, streams);
    return { value: await exchangeLines(question, streams) };
  }

  #openStreams(): ChildStreams {
    if (this.#running) return this.#running.streams;
    const child = spawnChild(this.#io.comparer, this.#io.platform);
    const streams = child.streams();
    this.#running = { child, streams };
    return streams;
  }
}

const compileFaults: { readonly [cause in Uncompared]: string } = {
  too_slow: "takes too long to compile, and would keep a client busy",
  crashed: "crashes the process that compiles it",
};

async function exchangeLines(
  question: Question,
  { stdin, stdout }: ChildStreams,
): Promise<unknown> {
  await stdin.write(`${JSON.stringify(question)}\n`);
  await stdin.flush();
  const decoder = new TextDecoder();
  let text = "";
  while (!text.endsWith("\n")) {
    const { value } = await stdout.read();
    if (!value) throw new Error("the process has ended");
    text += decoder.decode(value, { stream: true });
  }
  return JSON.parse(text);
}

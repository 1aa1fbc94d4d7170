import { raceTimeout } from "#kit/os/race-timeout.ts";
import type { Io } from "#kit/io.ts";
import { type Child, type ChildStreams, spawnChild } from "#kit/os/child.ts";
import { isObject, readMember, readString, type JsonObject } from "#wire/json.ts";
import type {
  SchemaRejection,
  OutputMismatch,
  ValidationFailure,
} from "../../output-schema-problems.ts";

// A large schema of a real server takes 50 ms.
const validationMaxMs = 5_000;

type Question = JsonObject;

// Validates in another process, which is killed if it is too slow: a schema may keep it busy for years.
export class OutputValidator {
  readonly #io: Pick<Io, "platform" | "validatorCommand">;
  readonly #maxMs: number;
  #addedSchemas: Question[] = [];
  #running: { readonly child: Child; readonly streams: ChildStreams } | undefined;
  // Set if compiling a schema hangs or crashes. The next schema could do the same, so nothing more is validated.
  #hasGivenUp = false;

  constructor(io: Pick<Io, "platform" | "validatorCommand">, maxMs: number = validationMaxMs) {
    this.#io = io;
    this.#maxMs = maxMs;
  }

  async add(
    tool: string,
    schema: JsonObject,
    isSdk2Only: boolean,
  ): Promise<Pick<SchemaRejection, "reason" | "rejectedBy"> | undefined> {
    if (this.#hasGivenUp) return undefined;
    const question = { isSdk2Only, tool, schema };
    const answer = await this.#ask(question);
    if (typeof answer === "string") {
      this.#hasGivenUp = true;
      return { reason: compileFaults[answer], rejectedBy: "unknown" };
    }
    const reason = readString(answer.value, "reason");
    if (reason === undefined) {
      this.#addedSchemas.push(question);
      return undefined;
    }
    const sdk = readString(answer.value, "rejectedBy");
    return {
      reason,
      rejectedBy: sdk === "sdk1" || sdk === "sdk2" ? sdk : "both",
    };
  }

  async validate(
    tool: string,
    structuredContent: unknown,
    isError: boolean,
  ): Promise<OutputMismatch | ValidationFailure | undefined> {
    if (this.#hasGivenUp || !this.#addedSchemas.some((schema) => schema["tool"] === tool))
      return undefined;
    const answer = await this.#ask({ tool, structuredContent, isError });
    if (typeof answer === "string") return answer;
    const { value } = answer;
    if (!isObject(value)) return undefined;
    return {
      pointer: readString(value, "pointer") ?? null,
      reason: readString(value, "reason") ?? "",
      isSdk1Only: readMember(value, "isSdk1Only") === true,
    };
  }

  close(): void {
    this.#running?.child.subprocess.kill("SIGKILL");
    this.#running = undefined;
  }

  async #ask(question: Question): Promise<{ readonly value: unknown } | ValidationFailure> {
    try {
      const answer = await raceTimeout(
        this.#askProcess(question),
        this.#maxMs,
        () => "too_slow" as const,
      );
      if (typeof answer === "string") this.close();
      return answer;
    } catch {
      this.close();
      return "crashed";
    }
  }

  async #askProcess(question: Question): Promise<{ readonly value: unknown } | ValidationFailure> {
    const isNew = this.#running === undefined;
    const streams = this.#openStreams();
    const earlierSchemas = isNew ? this.#addedSchemas : [];
    for (const schema of earlierSchemas) await exchangeLines(schema, streams);
    return { value: await exchangeLines(question, streams) };
  }

  #openStreams(): ChildStreams {
    if (this.#running) return this.#running.streams;
    const child = spawnChild(this.#io.validatorCommand, this.#io.platform);
    const streams = child.streams();
    this.#running = { child, streams };
    return streams;
  }
}

const compileFaults: { readonly [cause in ValidationFailure]: string } = {
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

import type { JsonObject } from "#wire/json.ts";
import { UserError } from "#kit/errors.ts";
import type { Io } from "#kit/io.ts";

export type CountQuestion = { readonly text: string; readonly tools?: readonly JsonObject[] };

type CountRequest = {
  readonly path: string;
  readonly headers: Readonly<{ [name: string]: string }>;
  readonly body: JsonObject;
};

export type Maker = {
  readonly id: string;
  readonly name: string;
  readonly keyVariables: readonly string[];
  readonly urlVariable: string;
  readonly url: string;
  readonly servesModel: (model: string) => boolean;
  readonly request: (model: string, question: CountQuestion, key: string) => CountRequest;
  readonly parseTokens: (answer: unknown) => number | undefined;
};

export function readCount(answer: JsonObject, name: string): number | undefined {
  const count = Object.hasOwn(answer, name) ? answer[name] : undefined;
  return Number.isSafeInteger(count) && Number(count) >= 0 ? Number(count) : undefined;
}

export const keyCharactersMax = 1_000;

// The key is never printed or recorded.
export type MakerAccount = {
  readonly url: URL;
  readonly key: string;
  readonly keyVariable: string;
};

// Throws UserError if the key is missing or malformed, or if the address is unsafe.
export function findAccount(maker: Maker, env: Io["env"]): MakerAccount {
  const keyVariable = maker.keyVariables.find((name) => (env[name] ?? "").trim() !== "");
  if (keyVariable === undefined) {
    throw new UserError(
      makerSentences.exactKeyMissing(maker.name, maker.keyVariables.join(" or ")),
    );
  }
  const key = env[keyVariable]?.trim() ?? "";
  // If the key contained characters that a header cannot hold, the error of the request would quote the key.
  if (!/^[\x21-\x7e]+$/.test(key) || key.length > keyCharactersMax) {
    throw new UserError(makerSentences.exactKeyMalformed(keyVariable));
  }
  return { url: findUrl(maker, env), key, keyVariable };
}

function findUrl({ url, urlVariable }: Maker, env: Io["env"]): URL {
  const text = env[urlVariable];
  if (text === undefined || text === "") return new URL(url);
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed && isSafe(parsed)) return parsed;
  throw new UserError(makerSentences.exactUrlUnsafe(urlVariable));
}

// Without encryption, keys are sent only to this machine.
function isSafe({ protocol, hostname, username, password }: URL): boolean {
  if (username !== "" || password !== "") return false;
  if (protocol === "https:") return true;
  return protocol === "http:" && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

export const makerSentences = {
  exactKeyMissing: (maker: string, variables: string) =>
    `Cannot ask ${maker} for exact counts: set ${variables}`,
  exactKeyMalformed: (variable: string) =>
    `Cannot use the key in ${variable}: it does not look like an API key`,
  exactUrlUnsafe: (variable: string) =>
    `Cannot send a key to the address in ${variable}: it must be an https URL without a user or password; http is allowed only for localhost`,
  exactKeyRejected: (maker: string, variable: string, status: number) =>
    `Cannot get exact counts: ${maker} rejects the key in ${variable} (status ${status})`,
  exactModelUnknown: (maker: string, model: string) =>
    `Cannot get exact counts: ${maker} has no model "${model}"; pass its full name, such as claude-opus-5 or gemini-3-pro`,
  exactRefused: (maker: string, status: number, message: string) =>
    `Cannot get exact counts: ${maker} answers ${message === "" ? `with status ${status}` : `"${message}" (status ${status})`}`,
  exactFailed: (maker: string, reason: string) =>
    `Cannot get exact counts from ${maker}: ${reason}`,
} as const;

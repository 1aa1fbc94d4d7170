import { UserError } from "#kit/errors.ts";
import { redisSentences } from "../sentences.ts";

export const redisUrlCharactersMax = 2_048;

// A local Redis answers within 1 ms; this leaves room for a distant one without a noticeable delay.
export const answerTimeoutDefaultMs = 250;

export type RedisAddress = {
  readonly host: string;
  readonly port: number;
  readonly isEncrypted: boolean;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: number;
};

export type RedisLocation = {
  readonly address: RedisAddress;
  readonly fleet: string;
  readonly timeoutMs?: number | undefined; // default: `answerTimeoutDefaultMs`
};

export function parseRedisAddress(text: string): RedisAddress {
  if (text.length > redisUrlCharactersMax)
    throw makeUrlError(`it is longer than ${redisUrlCharactersMax} characters`);
  if (!/^rediss?:\/\//i.test(text))
    throw makeUrlError("it is not a URL that begins with redis:// or rediss://");
  const url = URL.parse(text);
  if (!url || url.port === "0")
    throw makeUrlError(
      'the host or the port is invalid, or a "/", "?" or "#" in the user or the password is not written as %2F, %3F or %23',
    );
  if (url.hostname === "") throw makeUrlError("the host is missing");
  if (url.search !== "" || url.hash !== "") throw makeUrlError("it has a query or a fragment");
  const database = /^\/?(\d{0,5})$/.exec(url.pathname)?.[1];
  if (database === undefined)
    throw makeUrlError("the database must be a number of at most five digits, as in /2");
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? 6379 : Number(url.port),
    isEncrypted: url.protocol === "rediss:",
    user: decode(url.username),
    password: decode(url.password),
    database: Number(database),
  };
}

export function formatHostPort({ host, port }: RedisAddress): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

function decode(text: string): string | undefined {
  try {
    return text === "" ? undefined : decodeURIComponent(text);
  } catch {
    throw makeUrlError('a "%" in the user or the password must be written as %25');
  }
}

function makeUrlError(reason: string): UserError {
  return new UserError(redisSentences.redisUrlMalformed(reason));
}

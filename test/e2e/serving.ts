import { makeHome, type Home } from "./run.ts";
import { executable } from "../support/servers.ts";
import { Started } from "../support/started.ts";

/** A `serve` that runs, and its address. */
export type Serving = Started & { readonly url: URL };

/** Starts `serve` in front of a server, in this home. */
export async function startServe(
  home: Home,
  url: string,
  words: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Serving> {
  const started = new Started([executable(), "serve", "--url", url, ...words], {
    ...home.env,
    ...env,
  });
  return Object.assign(started, { url: new URL(await started.firstLine()) });
}

/** A home of one test that is removed at its end. */
export function ownHome(): Home & Disposable {
  const home = makeHome();
  return { ...home, logs: () => home.logs(), [Symbol.dispose]: () => home.remove() };
}

import { afterEach, beforeEach, setDefaultTimeout } from "bun:test";
import { type Home, makeHome, waitMaxMs } from "./run.ts";

/** The home of the running test: each test of the file begins with an empty one, and has time on a busy machine. */
export function eachHome(): Home {
  setDefaultTimeout(waitMaxMs);
  let current: Home | undefined;
  const home = (): Home => {
    if (!current) throw new Error("no test has begun");
    return current;
  };
  beforeEach(() => {
    current = makeHome();
  });
  afterEach(() => home().remove());
  return {
    get path() {
      return home().path;
    },
    get env() {
      return home().env;
    },
    logs: () => home().logs(),
    remove: () => home().remove(),
  };
}

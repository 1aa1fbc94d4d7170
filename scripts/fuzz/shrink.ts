import type { Play, Script } from "./script.ts";

/** Says whether a play still breaks the same promise. */
export type StillFails = (play: Play) => Promise<boolean>;

/** Attempts after which a play is small enough. */
const attemptsMax = 300;

/**
 * The play with as few sessions and steps as it takes to break the promise: drops halves, quarters and at last
 * single ones as long as `fails`.
 */
export async function shrink(play: Play, fails: StillFails): Promise<Play> {
  let left = attemptsMax;
  const attempt = async (candidate: Play): Promise<boolean> => {
    left -= 1;
    return left >= 0 && (await fails(candidate));
  };
  const scripts = await dropParts(play.scripts, (rest) => attempt({ ...play, scripts: rest }));
  let smaller: readonly Script[] = scripts;
  for (const [index, script] of scripts.entries()) {
    const withSteps = (steps: Script["steps"]): readonly Script[] =>
      smaller.map((one, at) => (at === index ? { ...one, steps } : one));
    const steps = await dropParts(script.steps, (rest) =>
      attempt({ ...play, scripts: withSteps(rest) }),
    );
    smaller = withSteps(steps);
  }
  return { ...play, scripts: smaller };
}

/** The list without the parts that `isEnough` does not need. */
async function dropParts<T>(
  all: readonly T[],
  isEnough: (rest: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let kept = all;
  for (
    let size = Math.ceil(all.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let from = 0; from < kept.length;) {
      const rest = [...kept.slice(0, from), ...kept.slice(from + size)];
      if (await isEnough(rest)) kept = rest;
      else from += size;
    }
  }
  return kept;
}

/** `*` is any text, `?` one character. Linear in the name for each `*`, so that neither a pattern nor a hostile name can make it slow. */
export function fitsWildcard(pattern: string, name: string): boolean {
  let [at, next] = [0, 0];
  let [star, marked] = [-1, 0];
  while (at < name.length) {
    const wanted = pattern[next];
    if (wanted === "*") {
      [star, marked] = [next, at];
      next += 1;
    } else if (wanted === name[at] || wanted === "?") {
      at += 1;
      next += 1;
    } else if (star >= 0) {
      marked += 1;
      [at, next] = [marked, star + 1];
    } else {
      return false;
    }
  }
  while (pattern[next] === "*") next += 1;
  return next === pattern.length;
}

export function fitsChoice(patterns: readonly string[], name: string): boolean {
  return patterns.length === 0 || patterns.some((pattern) => fitsWildcard(pattern, name));
}

export function isWildcard(pattern: string): boolean {
  return /[*?]/.test(pattern);
}

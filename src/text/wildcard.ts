/**
 * True when `name` fits a pattern in which `*` stands for any text and `?` for one character. Linear in
 * the name for each `*`: no pattern of a user and no name of a server makes it slow.
 */
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

export function isWildcard(pattern: string): boolean {
  return /[*?]/.test(pattern);
}

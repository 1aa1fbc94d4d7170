const pattern = /^(\d+)\.(\d+)\.(\d+)(?:-[0-9A-Za-z.-]+)?$/;

export function checkVersion(version: string, current: string): void {
  const [next, now] = [version, current].map((text) => pattern.exec(text)?.slice(1).map(Number));
  if (!next) throw new Error(`"${version}" is not a version such as 1.2.3 or 1.2.3-rc.1`);
  for (const [at, part] of next.entries()) {
    const difference = part - (now?.[at] ?? 0);
    if (difference > 0) return;
    if (difference < 0) throw new Error(`${version} is before the current version, ${current}`);
  }
}

export function withVersion(packageJson: string, version: string): string {
  const line = /^( {2}"version": ")[^"]*(",)$/m;
  if (!line.test(packageJson)) throw new Error("package.json has no version");
  return packageJson.replace(line, `$1${version}$2`);
}

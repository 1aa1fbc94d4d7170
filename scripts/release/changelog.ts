const heading = "## [Unreleased]\n";

export function releasedChangelog(text: string, version: string, date: string): string {
  if (text.includes(`\n## [${version}]`)) {
    throw new Error(`CHANGELOG.md has a section of ${version} already`);
  }
  const [before, after, ...others] = text.split(heading);
  if (before === undefined || after === undefined || others.length > 0) {
    throw new Error("CHANGELOG.md must have one section ## [Unreleased]");
  }
  const [changes = ""] = after.split(/^## \[/m, 1);
  if (!/^- /m.test(changes)) throw new Error("CHANGELOG.md has no unreleased change");
  return `${before}${heading}\n## [${version}] - ${date}\n${after}`;
}

import { expect, test } from "bun:test";
import { releasedChangelog } from "../../../scripts/release/changelog.ts";

const text = `# Changelog

## [Unreleased]

### Added

- A change.

## [0.1.0] - 2026-01-01

- The first.
`;

test("releasedChangelog moves the unreleased changes under a version and its day", () => {
  expect(releasedChangelog(text, "0.2.0", "2026-02-03")).toBe(
    text.replace("[Unreleased]\n", "[Unreleased]\n\n## [0.2.0] - 2026-02-03\n"),
  );
});

test.each([
  [text, "0.1.0", "CHANGELOG.md has a section of 0.1.0 already"],
  [text.replace("- A change.\n", ""), "0.2.0", "CHANGELOG.md has no unreleased change"],
  [text.replace("[Unreleased]", "[Next]"), "0.2.0", "must have one section ## [Unreleased]"],
  [`${text}\n## [Unreleased]\n`, "0.2.0", "must have one section ## [Unreleased]"],
])(
  "releasedChangelog refuses a changelog without a release in it (%#)",
  (wrong, version, reason) => {
    expect(() => releasedChangelog(wrong, version, "2026-02-03")).toThrow(reason);
  },
);

/** Every way to show a check, by the value of `--format`. */
export const checkFormats = ["table", "markdown", "json", "junit", "sarif", "github"] as const;

export type CheckFormat = (typeof checkFormats)[number];

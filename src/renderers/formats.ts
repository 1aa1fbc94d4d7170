/** Formats of every document, as `--format` names them. A list of its own, so that options load no renderer. */
export const documentFormats = ["table", "markdown", "json"] as const;

export type DocumentFormat = (typeof documentFormats)[number];

/** Formats of a check: those of every document, and the reports that CI services read. */
export const checkFormats = [...documentFormats, "junit", "sarif", "github"] as const;

export type CheckFormat = (typeof checkFormats)[number];

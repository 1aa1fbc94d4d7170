/** Formats of every document, as `--format` names them. A list of its own, so that options load no renderer. */
export const documentFormats = ["table", "markdown", "json"] as const;

export type DocumentFormat = (typeof documentFormats)[number];

/** Formats of a report over time. */
export const reportFormats = [...documentFormats, "csv"] as const;

export type ReportFormat = (typeof reportFormats)[number];

/** Formats of a profile. */
export const profileFormats = [...documentFormats, "badge"] as const;

export type ProfileFormat = (typeof profileFormats)[number];

/** Formats of a check: those of every document, the reports that CI services read, and a badge. */
export const checkFormats = [...documentFormats, "junit", "sarif", "github", "badge"] as const;

export type CheckFormat = (typeof checkFormats)[number];

// A separate file, so that the parser of options does not load the renderers.
export const documentFormats = ["table", "markdown", "json"] as const;

export type DocumentFormat = (typeof documentFormats)[number];

export const reportFormats = [...documentFormats, "csv"] as const;

export type ReportFormat = (typeof reportFormats)[number];

export const profileFormats = [...documentFormats, "badge"] as const;

export type ProfileFormat = (typeof profileFormats)[number];

export const checkFormats = [...documentFormats, "junit", "sarif", "github", "badge"] as const;

export type CheckFormat = (typeof checkFormats)[number];

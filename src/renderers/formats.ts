/** Every way to show a summary, by the value of `--summary`. */
export const summaryFormats = ["table", "markdown", "json"] as const;

export type SummaryFormat = (typeof summaryFormats)[number];

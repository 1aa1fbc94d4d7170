/** Every way to show a profile, by the value of `--format`. */
export const profileFormats = ["table", "markdown", "json"] as const;

export type ProfileFormat = (typeof profileFormats)[number];

/** A top-level member of a skimmed object: where its value lies, and its text when it is short. */
export type Member = {
  readonly key: string;
  /** Byte offsets of the value, white space around it included. */
  readonly start: number;
  readonly end: number;
  /** JSON text of the value when at most `skimTextBytesMax` bytes, else undefined. */
  readonly text: string | undefined;
};

/** What a look at the structure of a JSON text tells without parsing it. */
export type Skim = {
  readonly shape: "object" | "array" | "other";
  readonly members: readonly Member[];
  /** Deepest nesting, and how many brackets and commas there are outside strings. */
  readonly depth: number;
  readonly structures: number;
  /** True when every bracket and string that was opened is closed. */
  readonly closed: boolean;
};

/** The last member of that name, as JSON.parse would choose it. */
export function findMember(skim: Skim, key: string): Member | undefined {
  return skim.members.findLast((member) => member.key === key);
}

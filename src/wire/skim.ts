/** A top-level member of a skimmed object: where its value is, and its text when it is short. */
export type Member = {
  readonly key: string;
  /** Byte offsets of the value, white space around it included. */
  readonly start: number;
  readonly end: number;
  /** JSON text of the value when it has at most `skimTextBytesMax` bytes, else undefined. */
  readonly text: string | undefined;
};

/** The structure of a JSON text that was not parsed. */
export type Skim = {
  readonly shape: "object" | "array" | "other";
  readonly members: readonly Member[];
  /** Deepest nesting, and the number of opening brackets and commas outside strings. */
  readonly depth: number;
  readonly structures: number;
  /** True when every bracket and string that was opened is closed. */
  readonly closed: boolean;
};

/** The last member with that key, which is also the one that JSON.parse keeps. */
export function findMember(skim: Skim, key: string): Member | undefined {
  return skim.members.findLast((member) => member.key === key);
}

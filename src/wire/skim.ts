export type Member = {
  readonly key: string;
  readonly start: number;
  readonly end: number;
  readonly text: string | undefined; // white space shortened; undefined for `params` and long values
};

// Members found in a message without parsing it.
export type Skim = {
  readonly shape: "object" | "array" | "other";
  readonly members: readonly Member[];
  readonly depth: number; // of the deepest bracket
  readonly structures: number; // opening brackets and commas outside strings
  // The JSON text of each member of `params` that `subjectKeys` names, except long ones.
  readonly subjects: ReadonlyMap<string, string>;
  readonly isClosed: boolean; // all brackets and strings are
  // Set if readers may find different members: a name is repeated, or only lenient readers accept it.
  readonly ambiguity: "id" | "members" | undefined;
  readonly hasZeroBytes: boolean;
};

// Found in any message, however many other members it has.
export const frameKeys: ReadonlySet<string> = new Set([
  "jsonrpc",
  "id",
  "method",
  "params",
  "result",
  "error",
]);

// Members of `params` that name a tool or prompt, a task, or a round of input.
export const subjectKeys: ReadonlySet<string> = new Set(["name", "taskId", "requestState"]);

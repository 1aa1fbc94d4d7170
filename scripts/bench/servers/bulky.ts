/** A server that answers every call with one line of `argv[2]` bytes, with the call's id. */
import { longAnswerLine } from "../messages.ts";
import { eachLine } from "./lines.ts";
import { writeAll } from "./stdio.ts";

const bytes = Number(process.argv[2]);
let answered = 0;

eachLine(
  () => {
    answered += 1;
    writeAll(longAnswerLine(answered, bytes));
  },
  () => undefined,
);

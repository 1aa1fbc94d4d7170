import { UserError } from "#kit/errors.ts";
import { pluralize } from "#kit/text/numbers.ts";

export const servedQuestionsMax = 64;

export type IsWanted = () => boolean;

type Question = { readonly askers: IsWanted[]; readonly answer: Promise<string> };

// Answers one question at a time, because each may read all records. Equal questions share an answer.
export class QuestionQueue {
  readonly #questions = new Map<string, Question>();
  #last: Promise<unknown> = Promise.resolve();

  async ask(
    key: string,
    isWanted: IsWanted,
    work: (isWanted: IsWanted) => Promise<string>,
  ): Promise<string> {
    const known = this.#questions.get(key);
    if (known) {
      known.askers.push(isWanted);
      return known.answer;
    }
    if (this.#questions.size >= servedQuestionsMax) {
      throw new UserError(questionSentences.questionsTooMany(this.#questions.size));
    }
    const askers = [isWanted];
    const answer = this.#enqueue(async () => {
      try {
        const isStillWanted: IsWanted = () => askers.some((isWantedByAsker) => isWantedByAsker());
        if (!isStillWanted()) throw new UserError(questionSentences.questionCancelled());
        return await work(isStillWanted);
      } finally {
        this.#questions.delete(key);
      }
    });
    this.#questions.set(key, { askers, answer });
    return answer;
  }

  #enqueue(work: () => Promise<string>): Promise<string> {
    const answer = this.#last.then(work);
    this.#last = answer.catch(() => undefined);
    return answer;
  }
}

export const questionSentences = {
  questionsTooMany: (questions: number) =>
    `Cannot answer now: ${pluralize(questions, "other question")} are waiting; ask again later`,
  questionCancelled: () => `The client cancelled the question`,
} as const;

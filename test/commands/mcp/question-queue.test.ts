import { describe, expect, test } from "bun:test";
import { QuestionQueue, servedQuestionsMax } from "#commands/mcp/question-queue.ts";
import { rejectionOf } from "../../support/folder.ts";

const always = (): boolean => true;

describe("QuestionQueue", () => {
  test("answers one question at a time, in their order, and goes on after a failure", async () => {
    const queue = new QuestionQueue();
    const events: string[] = [];
    const work = (name: string) => async () => {
      events.push(`${name} begins`);
      await Bun.sleep(1);
      events.push(`${name} ends`);
      if (name === "b") throw new Error(name);
      return name;
    };
    const answers = ["a", "b", "c"].map((name) => queue.ask(name, always, work(name)));
    expect(await Promise.allSettled(answers)).toMatchObject([
      { value: "a" },
      { reason: new Error("b") },
      { value: "c" },
    ]);
    expect(events).toEqual(["a", "b", "c"].flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  test("equal questions share an answer while they wait, and not afterwards", async () => {
    const queue = new QuestionQueue();
    let answered = 0;
    const ask = () => queue.ask("same", always, async () => String((answered += 1)));
    expect(await Promise.all(Array.from({ length: 1_000 }, ask))).toEqual(Array(1_000).fill("1"));
    expect(await ask()).toBe("2");
  });

  test("a question is not begun when all its clients have cancelled, and ends when they do", async () => {
    const queue = new QuestionQueue();
    let isWanted = true;
    const first = Promise.withResolvers<string>();
    const running = queue.ask("a", always, async () => first.promise);
    const cancelled = queue.ask(
      "b",
      () => isWanted,
      async () => "b",
    );
    const shared = queue.ask(
      "c",
      () => isWanted,
      async (isStillWanted) => String(isStillWanted()),
    );
    void queue.ask("c", always, async () => "not asked");
    isWanted = false;
    first.resolve("a");
    expect(await running).toBe("a");
    expect(await rejectionOf(cancelled)).toBe("UserError: The client cancelled the question");
    expect(await shared).toBe("true");
  });

  test("too many different questions are refused, and equal ones never", async () => {
    const queue = new QuestionQueue();
    const first = Promise.withResolvers<string>();
    const answers = Array.from({ length: servedQuestionsMax }, (_, at) =>
      queue.ask(String(at), always, async () => first.promise),
    );
    expect(await rejectionOf(queue.ask("other", always, async () => ""))).toBe(
      "UserError: Cannot answer now: 64 other questions are waiting; ask again later",
    );
    const equal = queue.ask("0", always, async () => "");
    first.resolve("done");
    expect(await Promise.all([...answers, equal])).toContain("done");
    expect(await queue.ask("other", always, async () => "now")).toBe("now");
  });
});

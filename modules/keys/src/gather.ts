interface GatherOptions {
  /** Most questions that are asked at once. */
  batchMax: number;
  /** Batches under way at a time. */
  concurrency: number;
}

interface Waiting<Question, Answer> {
  question: Question;
  resolve(answer: Answer): void;
  reject(reason: unknown): void;
}

/**
 * Asks many questions at once when there are many: the first goes out at once, and those that come while enough batches
 * are under way go out together as soon as one is back. `ask` answers in the order of its questions; when it fails, all of
 * its batch fail. No answer is given to a question that was asked after `ask` began.
 */
export function gather<Question, Answer>(
  { batchMax, concurrency }: GatherOptions,
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  const waiting: Waiting<Question, Answer>[] = [];
  let underWay = 0;

  async function askBatch(): Promise<void> {
    const batch = waiting.splice(0, batchMax);
    underWay += 1;
    try {
      const answers = await ask(batch.map(({ question }) => question));
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index]!);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      underWay -= 1;
      if (waiting.length > 0) void askBatch();
    }
  }

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      if (underWay < concurrency) void askBatch();
    });
}

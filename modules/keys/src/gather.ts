// Asks many questions at once when there are many. Questions wait in lanes, one for each account, and a batch takes one of each
// lane in turn: a flood of one account delays only itself. When the database refuses a batch because something in it is locked,
// the lanes of that batch are asked one by one, and the locked one waits by itself until it is free.

interface GatherOptions<Question> {
  /** Most questions that are asked at once. */
  batchMax: number;
  /** Batches of several lanes under way at a time; and as many again of lanes that are asked by themselves. */
  concurrency: number;
  /** Questions of one lane need the same row: when it is locked, all of them wait. */
  laneOf(question: Question): string;
  /** True for the refusal of a batch because something that one of its questions needs is locked. */
  isLocked(error: unknown): boolean;
  /** A locked lane rests for this time before it is asked again, in milliseconds. */
  restMs: number;
  /** The longest a question waits for a lock before it fails, in milliseconds. */
  waitMaxMs: number;
}

interface Waiting<Question, Answer> {
  question: Question;
  askedAtMs: number;
  resolve(answer: Answer): void;
  reject(reason: unknown): void;
}

interface Lane<Question, Answer> {
  waiting: Waiting<Question, Answer>[];
  /** Something in it may be locked, so it is asked by itself. */
  isSuspect: boolean;
  /** It is being asked by itself, or it rests. */
  isAway: boolean;
}

/**
 * The first question goes out at once, and those that come while enough batches are under way go out together as soon as one
 * is back. `ask` answers in the order of its questions; when it fails, all of its batch fail. No answer is given to a question
 * that was asked after `ask` began.
 */
export function gather<Question, Answer>(
  options: GatherOptions<Question>,
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  const { batchMax, concurrency, laneOf, isLocked, restMs, waitMaxMs } = options;
  /** Lanes with something to ask or to remember, those first that waited longest for their turn. */
  const lanes = new Map<string, Lane<Question, Answer>>();
  let sharedUnderWay = 0;
  let aloneUnderWay = 0;

  const start = (): void => {
    for (const [name, lane] of lanes) {
      if (aloneUnderWay >= concurrency) break;
      if (lane.isSuspect && !lane.isAway) void askAlone(name, lane);
    }
    while (sharedUnderWay < concurrency) {
      const batch = takeTurns();
      if (batch.length === 0) return;
      void askShared(batch);
    }
  };

  /** Takes a question of each lane in turn, until the batch is full or nothing waits. */
  function takeTurns(): [string, Waiting<Question, Answer>][] {
    const batch: [string, Waiting<Question, Answer>][] = [];
    for (let isEmpty = false; !isEmpty && batch.length < batchMax;) {
      isEmpty = true;
      const round = [...lanes];
      for (const [name, lane] of round) {
        if (lane.isSuspect) continue;
        if (batch.length === batchMax) break;
        const next = lane.waiting.shift();
        // Behind the others: the next batch begins with a lane that had no turn in this one.
        lanes.delete(name);
        if (next === undefined) continue;
        lanes.set(name, lane);
        batch.push([name, next]);
        isEmpty = false;
      }
    }
    return batch;
  }

  async function askShared(batch: readonly [string, Waiting<Question, Answer>][]): Promise<void> {
    sharedUnderWay += 1;
    try {
      await settle(batch.map(([, waiting]) => waiting));
    } catch (error) {
      if (isLocked(error)) for (const [name, waiting] of batch.toReversed()) suspect(name, waiting);
      else for (const [, { reject }] of batch) reject(error);
    } finally {
      sharedUnderWay -= 1;
      start();
    }
  }

  /** Puts a question back where it came from, in a lane that is asked by itself from now on. */
  function suspect(name: string, waiting: Waiting<Question, Answer>): void {
    const lane = laneNamed(name);
    lane.isSuspect = true;
    lane.waiting.unshift(waiting);
  }

  async function askAlone(name: string, lane: Lane<Question, Answer>): Promise<void> {
    const batch = lane.waiting.splice(0, batchMax);
    lane.isAway = true;
    aloneUnderWay += 1;
    let isStillLocked = false;
    try {
      await settle(batch);
    } catch (error) {
      isStillLocked = isLocked(error);
      const isOver = ({ askedAtMs }: Waiting<Question, Answer>): boolean =>
        !isStillLocked || performance.now() - askedAtMs >= waitMaxMs;
      for (const waiting of batch) if (isOver(waiting)) waiting.reject(error);
      lane.waiting.unshift(...batch.filter((waiting) => !isOver(waiting)));
    } finally {
      aloneUnderWay -= 1;
      if (isStillLocked && lane.waiting.length > 0) setTimeout(comeBack, restMs, lane);
      else release(name, lane, isStillLocked);
      start();
    }
  }

  function comeBack(lane: Lane<Question, Answer>): void {
    lane.isAway = false;
    start();
  }

  function release(name: string, lane: Lane<Question, Answer>, isStillLocked: boolean): void {
    lane.isAway = false;
    lane.isSuspect = isStillLocked && lane.waiting.length > 0;
    if (lane.waiting.length === 0) lanes.delete(name);
  }

  async function settle(batch: readonly Waiting<Question, Answer>[]): Promise<void> {
    const answers = await ask(batch.map(({ question }) => question));
    for (const [index, { resolve }] of batch.entries()) resolve(answers[index]!);
  }

  function laneNamed(name: string): Lane<Question, Answer> {
    let lane = lanes.get(name);
    if (lane === undefined) {
      lane = { waiting: [], isSuspect: false, isAway: false };
      lanes.set(name, lane);
    }
    return lane;
  }

  return (question) =>
    new Promise((resolve, reject) => {
      const lane = laneNamed(laneOf(question));
      lane.waiting.push({ question, askedAtMs: performance.now(), resolve, reject });
      if (lane.isSuspect ? aloneUnderWay < concurrency : sharedUnderWay < concurrency) start();
    });
}

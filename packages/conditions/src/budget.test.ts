import { expect, test } from 'vitest';
import {
  createEvaluation,
  eventCpuMs,
  eventFoldedBytes,
  type CpuClock,
  type EvaluationBudget,
} from './budget.ts';
import type { AttendeeFacts } from './condition-fields.ts';
import type { Condition } from './condition.ts';
import { areMet, evaluateConditions } from './evaluate-conditions.ts';
import { facts } from './facts.fixture.ts';

const words = (count: number): Condition[] =>
  Array.from({ length: count }, (_unused, index) => ({
    field: 'chatMessage',
    operator: 'contains_word',
    value: `word ${index}`,
  }));

const messages = (count: number, letter: string): string[] =>
  Array.from({ length: count }, (_unused, index) => `${letter.repeat(990)} ${index}`);

/** Evaluates without a turn of other work, which reads the clock. */
const evaluate = (conditions: readonly Condition[], said: AttendeeFacts, budget: EvaluationBudget) =>
  evaluateConditions(conditions, said, { budget, evaluation: { giveWay: () => undefined } });

/** A clock that counts its readings. Each reading is `stepMs` later than the one before. */
function clockOf(stepMs: number): { cpuMs: CpuClock; readings: () => number } {
  let readings = 0;
  return { cpuMs: () => (readings += 1) * stepMs, readings: () => readings };
}

test('a small evaluation does not read the clock', async () => {
  const { cpuMs, readings } = clockOf(1000);
  const budget = createEvaluation({ cpuMs }).budgetOf('event');
  const said = { ...facts, chatMessage: ['What is the price?'] };
  expect(await evaluate(words(10), said, budget)).toHaveLength(10);
  budget.finish();
  expect([budget.isSpent, readings()]).toEqual([false, 0]);
});

test('an event has 50 ms of CPU time: after that there are no results, and conditions are not met', async () => {
  const said = { ...facts, chatMessage: messages(20, 'a') };
  const { cpuMs } = clockOf(eventCpuMs / 33);
  const budget = createEvaluation({ cpuMs }).budgetOf('event');
  expect(await evaluate(words(1), said, budget)).toMatchObject([{ passed: false }]);
  expect(await evaluate(words(20), said, budget)).toBeUndefined();
  expect(budget.isSpent).toBe(true);
  const always: Condition[] = [{ field: 'joined', operator: 'eq', value: true }];
  expect(await evaluate(always, said, budget)).toBeUndefined();
  expect(areMet(always, said, budget)).toBe(false);
});

test('time while an event is paused does not count', () => {
  let nowMs = 0;
  const budget = createEvaluation({ cpuMs: () => nowMs }).budgetOf('event');
  for (let round = 0; round < 4; round += 1) {
    budget.spend(1_000_000);
    nowMs += 10;
    budget.pause();
    nowMs += 1000;
  }
  expect(budget.isSpent).toBe(false);
  budget.spend(1_000_000);
  nowMs += 10;
  budget.pause();
  expect(budget.isSpent).toBe(true);
});

test('an event has 1 MiB of folded text, two bytes per UTF-16 unit, for any length before folding', () => {
  const ligatures = messages(50, 'ﷺ');
  const budget = createEvaluation({ cpuMs: () => 0 }).budgetOf('event');
  const lengths = ligatures.map((text) => budget.fold(text).length);
  const folded = lengths.filter((length) => length > 0);
  expect(budget.isSpent).toBe(true);
  expect(folded.length).toBe(Math.ceil(eventFoldedBytes / (2 * folded[0]!)));
});

test('fifty messages of a thousand letters are within the limit, and a text is folded once', async () => {
  const budget = createEvaluation({ cpuMs: () => 0 }).budgetOf('event');
  const said = { ...facts, chatMessage: messages(50, 'é') };
  for (let rule = 0; rule < 5; rule += 1) expect(await evaluate(words(20), said, budget)).toHaveLength(20);
});

test('each event has its own budget, and all events of a transaction share one', () => {
  let nowMs = 0;
  const evaluation = createEvaluation({ cpuMs: () => nowMs, totalMs: 100 });
  const spent = Array.from({ length: 4 }, (_unused, index) => {
    const budget = evaluation.budgetOf(`event ${index}`);
    const wasSpent = budget.isSpent;
    budget.spend(1_000_000);
    nowMs += 60;
    budget.pause();
    return wasSpent;
  });
  expect(spent).toEqual([false, false, true, true]);
  expect(evaluation.budgetOf('event 1')).toBe(evaluation.budgetOf('event 1'));
});

test('other work runs after every millisecond', () => {
  let nowMs = 0;
  const evaluation = createEvaluation({ cpuMs: () => nowMs });
  const turns = Array.from({ length: 6 }, (_unused, index) => {
    const budget = evaluation.budgetOf(`event ${index}`);
    budget.spend(1_000_000);
    nowMs += 0.6;
    budget.pause();
    return evaluation.giveWay() !== undefined;
  });
  expect(turns).toEqual([false, true, false, true, false, true]);
});

test('the time of other work does not count for the event that gave way', async () => {
  let nowMs = 0;
  const evaluation = createEvaluation({ cpuMs: () => nowMs });
  const budget = evaluation.budgetOf('event');
  for (let rule = 0; rule < 3; rule += 1) {
    budget.spend(1_000_000);
    nowMs += 12;
    budget.spend(1_000_000);
    const turn = evaluation.giveWay(budget);
    expect(turn).toBeInstanceOf(Promise);
    nowMs += 1000;
    await turn;
  }
  expect(budget.isSpent).toBe(false);
});

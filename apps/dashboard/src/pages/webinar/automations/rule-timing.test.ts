import type { Condition } from '@service/conditions';
import { expect, test } from 'vitest';
import { firesText, isSameTiming, lateConditions, offersOf, type Timing } from './rule-timing.ts';

const offer = '019aa1c9-7ac2-7b1f-8e60-5a1f3a7a5d02';
const other = '019aa1c9-7ac2-7b1f-8e60-5a1f3a7a5dff';
const interactions = [
  { id: offer, type: 'offer' },
  { id: other, type: 'handout' },
];
const half = { type: 'watched_percent', params: { percent: 50 } } as const;
const clicked = { field: 'clickedOffer', operator: 'eq', value: offer } as const;
const rule = (trigger: Timing['trigger'], ...conditions: Condition[]): Timing => ({ trigger, conditions });
const afterwards = { type: 'after_session', params: { offsetMinutes: 5, audience: 'all' } };

test('a click may come after half of the video, and then a second rule waits for the click', () => {
  expect(lateConditions(rule(half, clicked))).toEqual([clicked]);
  const watched = { field: 'watchedPercent', operator: 'gte', value: 50 };
  expect(offersOf(rule(half, clicked), interactions)).toEqual([
    {
      kind: 'second',
      trigger: { type: 'cta_click', params: { interactionId: offer } },
      conditions: [watched],
    },
    { kind: 'change', trigger: afterwards, conditions: [clicked, watched] },
  ]);
});

test('the second rule of the second rule is the first one', () => {
  const downloaded = { field: 'clickedInteraction', operator: 'eq', value: other } as const;
  const [second] = offersOf(rule(half, downloaded), interactions);
  const [first] = offersOf(second!, interactions);
  expect([isSameTiming(first!, rule(half, downloaded)), isSameTiming(second!, first!)]).toEqual([
    true,
    false,
  ]);
  expect(first).toEqual({ kind: 'second', trigger: half, conditions: [downloaded] });
});

test('where the trigger always comes first, the trigger of the condition covers everyone', () => {
  const source = { field: 'utm.source', operator: 'eq', value: 'mail' } as const;
  const [change] = offersOf(rule({ type: 'registered', params: {} }, source, clicked), interactions);
  expect(change).toEqual({
    kind: 'change',
    trigger: { type: 'cta_click', params: { interactionId: offer } },
    conditions: [source],
  });
});

test('two late conditions have no second rule, but a time at which both are known', () => {
  const completed = { field: 'completed', operator: 'eq', value: true } as const;
  expect(
    offersOf(rule(half, clicked, completed), interactions).map(({ kind, trigger }) => [kind, trigger.type]),
  ).toEqual([['change', 'after_session']]);
});

test.each<[string, Timing['trigger'], Condition]>([
  ['a fact of the registration', half, { field: 'utm.source', operator: 'eq', value: 'mail' }],
  ['a fact that the trigger includes', half, { field: 'watchedPercent', operator: 'gte', value: 25 }],
  ['being in the room while watching', half, { field: 'joined', operator: 'eq', value: true }],
  ['the click that is the trigger', { type: 'cta_click', params: { interactionId: offer } }, clicked],
  ['something that must not happen', half, { ...clicked, operator: 'neq' }],
  ['a condition without a value', half, { ...clicked, value: '' }],
])('%s is not late', (_name, trigger, condition) => {
  expect(lateConditions(rule(trigger, condition))).toEqual([]);
});

test('a purchase may come after the session, so only a second rule covers it', () => {
  const bought = { field: 'purchased', operator: 'eq', value: true } as const;
  expect(offersOf(rule(half, bought), interactions).map(({ trigger }) => trigger.type)).toEqual(['purchase']);
});

test('a rule says how often it fires for one person', () => {
  const click = { hasFireMode: false, firesPer: { noun: 'offer or CTA', param: 'interactionId' } };
  const fires = (params: object) => firesText({ trigger: { params }, fireMode: null }, click);
  expect(fires({})).toBe('Once for each offer or CTA, per registration and session');
  expect(fires({ interactionId: offer })).toBe('Once per registration and session');
  const chat = { trigger: { params: {} }, fireMode: 'every_match' } as const;
  expect(firesText(chat, { hasFireMode: true, firesPer: null })).toBe('Each time it happens');
});

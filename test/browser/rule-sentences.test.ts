import { createId } from '@service/database';
import type { Route } from 'playwright-core';
import { expect } from 'vitest';
import { callRest } from '../support/api.ts';
import { test } from '../support/browser-test.ts';
import { signIn } from '../support/sign-in.ts';
import { openAutomations } from './webhook-world.ts';

const ids = ['019aa1c9-7ac2-7b1f-8e60-5a1f3a7a5d02', '019aa1c9-7ac2-7b1f-8e60-5a1f3a7a5dff'] as const;
const answers = ids.map((interactionId) => ({ interactionId, optionId: 'a' }));

/** Two values of each param that a trigger has. A new param fails the test until it has values here. */
const paramValues: Record<string, readonly [unknown, unknown]> = {
  minutes: [5, 6],
  percent: [50, 51],
  interactionId: ids,
  optionId: ['a', 'b'],
  keywords: [['price'], ['price', 'cost']],
  match: ['contains', 'starts_with'],
  branchId: ids,
  segmentId: ids,
  offsetMinutes: [60, 61],
  audience: ['attended', 'no_show'],
  event: ['joined', 'left'],
  delayMinutes: [30, 31],
  unlessEvent: ['cta_click', 'poll_response'],
};

/** For each field an operator, two values of it, and another operator with its value. A new field fails the test too. */
const conditionValues: Record<string, readonly [string, unknown, unknown, string, unknown?]> = {
  watchedPercent: ['gte', 50, 51, 'lte'],
  watchedMinutes: ['eq', 5, 6, 'neq'],
  joined: ['eq', true, false, 'neq'],
  completed: ['eq', true, false, 'neq'],
  purchased: ['eq', true, false, 'neq'],
  clickedOffer: ['eq', ...ids, 'neq'],
  clickedInteraction: ['in', [ids[0]], [...ids], 'exists', true],
  pollAnswer: ['eq', answers[0], answers[1], 'exists', false],
  chatMessage: ['contains', 'price', 'cost', 'contains_word'],
  'utm.source': ['eq', 'google', 'mail', 'neq'],
  'utm.medium': ['eq', 'google', 'mail', 'contains'],
  'utm.campaign': ['in', ['a'], ['a', 'b'], 'exists', true],
  'utm.term': ['exists', true, false, 'eq', 'x'],
  'utm.content': ['eq', 'google', 'mail', 'contains_word'],
  sessionKind: ['eq', 'scheduled', 'on_demand', 'neq'],
  registrationSource: ['eq', 'page', 'api', 'neq'],
  'customFields.company': ['gte', 5, 6, 'lte'],
  'customFields.size': ['gte', 5, 6, 'lte'],
};

interface EventType {
  type: string;
  paramsSchema: { properties?: Record<string, { default?: unknown }>; required?: string[] };
}

interface Variant {
  /** Names the two rules that differ in one field: their sentences must differ too. */
  field: string;
  rules: readonly [object, object];
}

const base = {
  trigger: { type: 'registered', params: {} },
  actions: [{ type: 'webhook', url: 'http://127.0.0.1:9/hooks' }],
};

/** The params that a stored trigger always has: the required ones, and those with a default. */
function paramsNeeded({ paramsSchema: { properties = {}, required = [] } }: EventType): object {
  const needed = Object.entries(properties).map(([name, { default: value }]) => [
    name,
    required.includes(name) ? paramValues[name]![0] : value,
  ]);
  return Object.fromEntries(needed.filter(([, value]) => value !== undefined));
}

function variantsOf({ type, paramsSchema }: EventType): Variant[] {
  const names = Object.keys(paramsSchema.properties ?? {});
  const params = Object.fromEntries(names.map((name) => [name, paramValues[name]![0]]));
  return names.map((name) => {
    const changed = { ...params, [name]: paramValues[name]![1] };
    const rules = [params, changed].map((given) => ({ ...base, trigger: { type, params: given } }));
    return { field: `${type}.${name}`, rules: rules as [object, object] };
  });
}

function conditionVariants(): Variant[] {
  return Object.entries(conditionValues).flatMap(
    ([field, [operator, one, other, otherOperator, itsValue]]) => {
      const withCondition = (condition: object) => ({ ...base, conditions: [condition] });
      const first = withCondition({ field, operator, value: one });
      const rules = [
        withCondition({ field, operator, value: other }),
        withCondition({ field, operator: otherOperator, value: itsValue ?? one }),
      ];
      return rules.map((rule, index) => ({
        field: `${field} ${index === 0 ? 'value' : 'operator'}`,
        rules: [first, rule] as [object, object],
      }));
    },
  );
}

const chat = { type: 'chat_response', params: {} };

const otherVariants: Variant[] = [
  { field: 'enabled', rules: [base, { ...base, enabled: false }] },
  {
    field: 'url',
    rules: [base, { ...base, actions: [{ type: 'webhook', url: 'http://127.0.0.1:9/other' }] }],
  },
  ...(['to', 'subject'] as const).map((field): Variant => {
    const email = { type: 'email', to: 'attendee', purpose: 'service', subject: 'Hello', text: 'Hello' };
    const other = { ...email, to: 'members', ...(field === 'subject' && { to: 'attendee', subject: 'Bye' }) };
    return { field, rules: [email, other].map((one) => ({ ...base, actions: [one] })) as [object, object] };
  }),
  {
    field: 'fireMode',
    rules: [
      { ...base, trigger: chat },
      { ...base, trigger: chat, fireMode: 'every_match' },
    ],
  },
];

test('every field of a rule appears in its sentence: each trigger, param and condition, the URL, the switch and the fire mode', async ({
  service,
  world,
  page,
}) => {
  const path = `/webinars/${world.webinar.id}/automations`;
  const made = await callRest(service, `POST ${path}`, { key: world.key, body: { name: 'Rule', ...base } });
  expect(made.status).toBe(201);
  const types: EventType[] = (await callRest(service, 'GET /event-types', { key: world.key })).json.data;
  const ofTriggers = types.map((type) => ({
    ...base,
    trigger: { type: type.type, params: paramsNeeded(type) },
  }));
  const variants = [...types.flatMap(variantsOf), ...conditionVariants(), ...otherVariants];
  const rules = [
    ...new Set([...ofTriggers, ...variants.flatMap((one) => one.rules)].map((rule) => JSON.stringify(rule))),
  ];
  // One rule is stored. The list that the page reads has all of them in its place.
  await page.route(/\/trpc\/[^?]*automations\.rules\.list/, async (route) => {
    const response = await route.fetch();
    const procedures = new URL(route.request().url()).pathname.replace('/trpc/', '').split(',');
    const answers = [await response.json()].flat();
    const { data } = answers[procedures.indexOf('automations.rules.list')].result;
    const [stored] = data.data;
    data.data = rules.map((rule, index) => ({
      ...stored,
      id: createId(),
      name: `Rule ${index}.`,
      ...JSON.parse(rule),
    }));
    await route.fulfill({ response, json: procedures.length > 1 || isBatch(route) ? answers : answers[0] });
  });
  await signIn(page, service, world);
  await openAutomations(page);
  const items = page.getByRole('list', { name: 'Rules' }).getByRole('listitem');
  await items.nth(rules.length - 1).waitFor();
  await expect.poll(() => items.getByText('…').count(), { timeout: 20_000 }).toBe(0);
  const listed = await items.evaluateAll((elements) =>
    elements.map((element) => [
      element.querySelector('button')!.textContent,
      element.querySelector('p')!.textContent,
    ]),
  );
  const texts = new Map(listed as [string, string][]);
  const textOf = (rule: object): string => texts.get(`Rule ${rules.indexOf(JSON.stringify(rule))}.`)!;
  for (const {
    field,
    rules: [one, other],
  } of variants)
    expect(textOf(one), field).not.toBe(textOf(other));
  expect(new Set(ofTriggers.map(textOf)).size).toBe(types.length);
  // A deleted record is named as such, and no id or template is left in a sentence.
  expect(textOf({ ...base, trigger: { type: 'cta_click', params: {} } })).toBe(
    'When an attendee clicks an offer or CTA, POST to http://127.0.0.1:9/hooks',
  );
  const ofDeleted = { ...base, trigger: { type: 'cta_click', params: { interactionId: ids[0] } } };
  expect(textOf(ofDeleted)).toContain('clicks a deleted interaction (7a5d02)');
  expect([...texts.values()].filter((text) => /[{}[\]|]|undefined|null|019aa1c9/.test(text))).toEqual([]);
});

const isBatch = (route: Route): boolean => new URL(route.request().url()).searchParams.has('batch');

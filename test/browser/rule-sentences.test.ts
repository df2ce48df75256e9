import { expect, test } from 'vitest';
import { callRest, createTestWorld, testApi } from '../support/api.ts';
import { launchBrowser } from '../support/browser.ts';
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
  paramsSchema: { properties?: Record<string, unknown>; required?: string[] };
}

interface Variant {
  /** Names the two rules that differ in one field: their sentences must differ too. */
  field: string;
  rules: readonly [object, object];
}

const base = {
  trigger: { type: 'registered' },
  action: { type: 'webhook', url: 'http://127.0.0.1:9/hooks' },
};

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
  { field: 'url', rules: [base, { ...base, action: { type: 'webhook', url: 'http://127.0.0.1:9/other' } }] },
  {
    field: 'fireMode',
    rules: [
      { ...base, trigger: chat },
      { ...base, trigger: chat, fireMode: 'every_match' },
    ],
  },
];

test(
  'every field of a rule appears in its sentence: each trigger, param and condition, the URL, the switch and the fire mode',
  { timeout: 180_000 },
  async () => {
    await using service = await testApi();
    const world = await createTestWorld(service);
    const call = async (route: string, body?: unknown) => {
      const answer = await callRest(service, route, { key: world.key, body });
      expect(answer.status, `${route} ${answer.text}`).toBeLessThan(300);
      return answer.json?.data;
    };
    const types: EventType[] = await call('GET /event-types');
    const trigger = (type: string, required: string[] = []) => ({
      ...base,
      trigger: { type, params: Object.fromEntries(required.map((name) => [name, paramValues[name]![0]])) },
    });
    const ofTriggers = types.map(({ type, paramsSchema }) => trigger(type, paramsSchema.required));
    const variants = [...types.flatMap(variantsOf), ...conditionVariants(), ...otherVariants];
    // Rules that are equal are made once.
    const rules = [
      ...new Set(
        [...ofTriggers, ...variants.flatMap((one) => one.rules)].map((rule) => JSON.stringify(rule)),
      ),
    ];
    const inOneWebinar = 100;
    const atOnce = 10;
    const path = `/webinars/${world.webinar.id}/automations`;
    const texts = new Map<string, string>();
    await using browser = await launchBrowser();
    const page = await browser.newPage();
    await signIn(page, service, world);
    await openAutomations(page);
    for (let start = 0; start < rules.length; start += inOneWebinar) {
      const part = rules.slice(start, start + inOneWebinar);
      for (let first = 0; first < part.length; first += atOnce) {
        const made = part.slice(first, first + atOnce).map((rule, index) => {
          const body = { name: `Rule ${first + index}.`, ...JSON.parse(rule) };
          return call(`POST ${path}`, body);
        });
        await Promise.all(made);
      }
      await page.reload();
      const items = page.getByRole('list', { name: 'Rules' }).getByRole('listitem');
      await items.nth(part.length - 1).waitFor();
      await expect.poll(() => items.getByText('…').count(), { timeout: 20_000 }).toBe(0);
      const listed = await items.evaluateAll((elements) =>
        elements.map((element) => [
          element.querySelector('button')!.textContent,
          element.querySelector('p')!.textContent,
        ]),
      );
      for (const [index, rule] of part.entries())
        texts.set(rule, listed.find(([name]) => name === `Rule ${index}.`)![1]);
      if (start + inOneWebinar >= rules.length) break;
      for (const { id } of await call(`GET ${path}?limit=100`)) await call(`DELETE ${path}/${id}`);
    }
    const textOf = (rule: object): string => texts.get(JSON.stringify(rule))!;
    for (const {
      field,
      rules: [one, other],
    } of variants)
      expect(textOf(one), field).not.toBe(textOf(other));
    expect(new Set(ofTriggers.map(textOf)).size).toBe(types.length);
    // A deleted record is named as such, and no id or template is left in a sentence.
    expect(textOf(trigger('cta_click'))).toBe(
      'When an attendee clicks an offer or CTA, POST to http://127.0.0.1:9/hooks',
    );
    const ofDeleted = { ...base, trigger: { type: 'cta_click', params: { interactionId: ids[0] } } };
    expect(textOf(ofDeleted)).toContain('clicks a deleted interaction (7a5d02)');
    expect([...texts.values()].filter((text) => /[{}[\]|]|undefined|null|019aa1c9/.test(text))).toEqual([]);
  },
);

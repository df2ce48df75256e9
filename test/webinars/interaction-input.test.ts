import { expect } from 'vitest';
import { codeOf, createTestWorld, type callRest } from '../support/api.ts';
import { test as base } from '../support/service-test.ts';
import { common } from './interaction-types.ts';

const valid = { ...common, url: 'https://example.com', buttonLabel: 'Buy' };

/** Of a webinar for refused calls, which change nothing. */
const test = base.extend('refused', { scope: 'file' }, async ({ service }) => {
  const { call } = await createTestWorld(service);
  return { call, offerId: (await call('POST /offers', valid)).json.data.id as string };
});

const issuesOf = (answer: Awaited<ReturnType<typeof callRest>>): string[] => {
  const paths = answer.json.issues.map((issue: { path: string }) => issue.path);
  return [...new Set<string>(paths)].toSorted();
};

const text = (length: number): string => 'x'.repeat(length);

test.for<[string, object, string[]]>([
  [
    'offer',
    {
      url: 'javascript:alert(1)',
      priceMinor: 100,
      options: [],
      fileName: 'a',
      colour: 'red',
      hideAtSeconds: 60,
    },
    ['buttonLabel', 'colour', 'currency', 'fileName', 'hideAtSeconds', 'options', 'url'],
  ],
  [
    'offer',
    {
      url: 'https://a b',
      buttonLabel: '',
      currency: 'EURO',
      priceMinor: -1,
      productRefs: [''],
      multiple: true,
    },
    ['buttonLabel', 'currency', 'multiple', 'priceMinor', 'productRefs.0', 'url'],
  ],
  ['offer', { url: 'https://example.com', buttonLabel: 'Buy', currency: 'EUR' }, ['priceMinor']],
  [
    'cta',
    { url: 'ftp://example.com', couponCode: null, headline: ' ' },
    ['buttonLabel', 'couponCode', 'headline', 'url'],
  ],
  ['poll', { url: 'https://example.com', results: 'later' }, ['options', 'results', 'url']],
  ['poll', { options: [{ label: 'One' }], multiple: 'no' }, ['multiple', 'options']],
  ['poll', { options: Array.from({ length: 11 }, () => ({ label: 'Same' })) }, ['options']],
  [
    'poll',
    { options: [{ id: 'a', label: 'A' }, { id: 'a', label: 'B' }, { label: 'C' }, { id: 'a', label: 'D' }] },
    ['options.1.id', 'options.3.id'],
  ],
  [
    'handout',
    { buttonLabel: 'Get', showAtSeconds: 1.5 },
    ['buttonLabel', 'fileName', 'showAtSeconds', 'url'],
  ],
  ['handout', { url: 7, fileName: text(256) }, ['fileName', 'url']],
  ['quiz', { headline: 3, url: 'https://example.com' }, ['headline', 'type']],
])(
  'a new %s with %j is refused with all its problems',
  async ([type, fields, paths], { refused: { call } }) => {
    const answer = await call('POST /interactions', { ...common, type, ...fields });
    expect([...codeOf(answer), issuesOf(answer)]).toEqual([422, 'validation_failed', paths]);
  },
);

test.for<[object, string[]]>([
  [{ headline: 'a\0b' }, ['headline']],
  [{ body: 'half \ud83d' }, ['body']],
  [{ url: 'https://example.com/\0' }, ['url']],
  [{ productRefs: ['\udc00'] }, ['productRefs.0']],
  [{ headline: text(201), internalName: text(101), body: text(5001) }, ['body', 'headline', 'internalName']],
  [{ url: `https://example.com/${text(2030)}` }, ['url']],
  [{ showAtSeconds: 3600 }, ['showAtSeconds']],
  [{ showAtSeconds: 1e300 }, ['showAtSeconds']],
  [{ showAtSeconds: -1, hideAtSeconds: '90' }, ['hideAtSeconds', 'showAtSeconds']],
  [{ priceMinor: 1e13, currency: 'EUR' }, ['priceMinor']],
  [{ priceMinor: 5, currency: 'ZZZ' }, ['currency']],
  [{ productRefs: Array(51).fill('sku') }, ['productRefs']],
  [{ segmentId: 'first' }, ['segmentId']],
  [{ enabled: 'true', display: 'full', dismissible: null }, ['dismissible', 'display', 'enabled']],
  [
    { showWhen: Array.from({ length: 11 }, () => ({ field: 'joined', operator: 'eq', value: true })) },
    ['showWhen'],
  ],
  [{ showWhen: [{ field: 'age', operator: 'gte', value: 18 }] }, ['showWhen.0.field']],
  [{ showWhen: [{ field: 'joined', operator: 'gte', value: true }] }, ['showWhen.0.operator']],
  [{ showWhen: [{ field: 'watchedPercent', operator: 'gte', value: '50' }] }, ['showWhen.0.value']],
  [{ showWhen: [{ field: 'utm.source', operator: 'in', value: 'mail' }] }, ['showWhen.0.value']],
  [{ showWhen: [{ field: 'utm.source', operator: 'eq', value: 'a\0' }] }, ['showWhen.0.value']],
  [{ showWhen: [{ field: 'customFields.\0', operator: 'eq', value: 'a' }] }, ['showWhen.0.field']],
  [{ showWhen: [{ field: 'joined', operator: 'eq', value: true, or: [] }] }, ['showWhen.0.or']],
  [{ webinarId: '019aa1c2-0000-7000-8000-000000000001', headline: 'New' }, ['webinarId']],
  [{ type: 'offer' }, ['type']],
])(
  'an offer with %j is refused, in a create and in an update',
  async ([fields, paths], { refused: { call, offerId } }) => {
    const made = await call('POST /offers', { ...valid, ...fields });
    expect([made.status, issuesOf(made)]).toEqual([422, paths]);
    const changed = await call(`PATCH /offers/${offerId}`, fields);
    expect([changed.status, issuesOf(changed)]).toEqual([422, paths]);
  },
);

test.for<[object, string[]]>([
  [{}, ['body']],
  [
    { options: [{ label: 'A' }, { label: 'B' }], fileName: 'a', url: 'https://example.com' },
    ['fileName', 'options'],
  ],
  [{ hideAtSeconds: 60, currency: 'EUR' }, ['hideAtSeconds', 'priceMinor']],
  [{ showAtSeconds: 3600, priceMinor: 5 }, ['currency', 'showAtSeconds']],
  [{ url: null, headline: null }, ['headline', 'url']],
])(
  'an update of an offer to %j is refused with every problem of the result',
  async ([body, paths], { refused: { call, offerId } }) => {
    const at = `/interactions/${offerId}`;
    const before = await call(`GET ${at}`);
    const answer = await call(`PATCH ${at}`, body);
    expect([answer.status, issuesOf(answer)]).toEqual([422, paths]);
    expect((await call(`GET ${at}`)).json).toStrictEqual(before.json);
  },
);

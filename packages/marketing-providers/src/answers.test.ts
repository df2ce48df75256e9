// Outcomes of answers that the suite for every tool does not provoke.
import { expect, test } from 'vitest';
import { type ContactChange, marketingProviders, type ProviderId, type ToolRequest } from './index.ts';
import { credentialOf, exampleChange, providerOf } from './testing/index.ts';

const change = exampleChange({
  fields: [
    { key: 'first_name', value: 'Ada', policy: 'always' },
    { key: 'watched', value: 75, policy: 'always' },
    { key: 'FNAME', value: 'Ada', policy: 'always' },
  ],
  lists: { add: ['L1'], remove: [] },
  events: [{ id: 'e1', name: 'attended', at: new Date(0), properties: {} }],
});

/** The outcome of an answer to the request of a step. A text is a body that is not JSON. */
function outcomeOf(
  id: ProviderId,
  step: string,
  answer: { status: number; body?: unknown; headers?: Record<string, string> },
): unknown {
  const { status, body, headers = {} } = answer;
  const request: ToolRequest = { step, name: '', limits: [], method: 'POST', path: '' };
  const json = typeof body === 'string' ? undefined : body;
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? '');
  return providerOf(id).read(request, { status, headers, json, text }, change, credentialOf(id));
}

const klaviyoError = (detail: string, pointer: string) => ({ errors: [{ detail, source: { pointer } }] });
const problem = (title: string, detail: string, errors: object[] = []) => ({ title, detail, errors });
const hour = 60 * 60 * 1000;

const answers: [id: ProviderId, step: string, answer: Parameters<typeof outcomeOf>[2], outcome: object][] = [
  [
    'klaviyo',
    'contact',
    { status: 400, body: klaviyoError('Invalid number', '/data/attributes/properties/watched') },
    { kind: 'fields_refused', fields: [{ key: 'watched', reason: 'Invalid number' }] },
  ],
  [
    'klaviyo',
    'contact',
    { status: 400, body: klaviyoError('Invalid email', '/data/attributes/email') },
    { kind: 'person_refused' },
  ],
  // An event may be the call that makes the profile.
  [
    'klaviyo',
    'event:e1',
    { status: 400, body: klaviyoError('Invalid email', '/data/attributes/profile/data/attributes/email') },
    { kind: 'person_refused' },
  ],
  // The profile was deleted after the look-up. The list is still there.
  ['klaviyo', 'list:L1', { status: 404, body: klaviyoError('Profile P1 not found', '') }, { kind: 'later' }],
  [
    'klaviyo',
    'event:e1',
    { status: 400, body: klaviyoError('Bad name', '/data/attributes/metric/data/attributes/name') },
    { kind: 'missing', subject: 'event', key: 'attended' },
  ],
  ['klaviyo', 'contact', { status: 200, body: {} }, { kind: 'later', mayHaveArrived: true }],
  // An unknown address has an empty list, and an answer without a list says nothing.
  ['klaviyo', 'lookup', { status: 200, body: { data: [] } }, { kind: 'done', learnt: {} }],
  ['klaviyo', 'lookup', { status: 200, body: {} }, { kind: 'later' }],
  ['mailchimp', 'lookup', { status: 200, body: {} }, { kind: 'later' }],
  [
    'mailchimp',
    'opt_in',
    { status: 200, body: {} },
    { kind: 'done', learnt: { 'account:opt_in': 'double' } },
  ],
  [
    'hubspot',
    'contact',
    { status: 429, body: { policyName: 'DAILY', message: 'You have reached your daily limit.' } },
    { kind: 'throttled', retryAfterMs: hour },
  ],
  [
    'hubspot',
    'create',
    { status: 409, body: { message: 'Contact already exists. Existing ID: 42', category: 'CONFLICT' } },
    { kind: 'done', learnt: { contact: '42' } },
  ],
  // HubSpot fills the list itself since somebody changed it.
  [
    'hubspot',
    'list:L1',
    { status: 400, body: { message: 'Dynamic' } },
    { kind: 'missing', subject: 'list', key: 'L1' },
  ],
  ['hubspot', 'event:e1', { status: 409, body: { message: 'uuid exists' } }, { kind: 'done' }],
  [
    'hubspot',
    'event:e1',
    { status: 403, body: { message: 'Scopes are missing', category: 'MISSING_SCOPES' } },
    { kind: 'not_allowed', reason: 'Scopes are missing (HTTP 403)' },
  ],
  [
    'mailchimp',
    'contact',
    { status: 400, body: problem('Member In Compliance State', 'Only the person can come back.') },
    { kind: 'left' },
  ],
  [
    'mailchimp',
    'contact',
    { status: 400, body: problem('Forgotten Email Not Subscribed', 'It was deleted permanently.') },
    { kind: 'left' },
  ],
  [
    'mailchimp',
    'contact',
    { status: 400, body: problem('Invalid Resource', 'has signed up to a lot of lists very recently') },
    { kind: 'person_refused' },
  ],
  [
    'mailchimp',
    'contact',
    { status: 400, body: problem('Invalid Resource', 'Invalid.', [{ field: 'FNAME', message: 'Too long' }]) },
    { kind: 'fields_refused', fields: [{ key: 'FNAME', reason: 'Too long' }] },
  ],
  [
    'mailchimp',
    'contact',
    { status: 403, body: '<html>Forbidden' },
    { kind: 'throttled', retryAfterMs: 5000 },
  ],
  [
    'mailchimp',
    'contact',
    { status: 403, body: problem('User Disabled', 'Closed') },
    { kind: 'credential_refused' },
  ],
  [
    'mailchimp',
    'event:e1',
    { status: 400, body: problem('Invalid Resource', '', [{ field: 'name', message: '2 to 30' }]) },
    { kind: 'missing', subject: 'event', key: 'attended' },
  ],
  // The answer to an unknown key.
  [
    'activecampaign',
    'contact',
    { status: 403, body: { message: 'Forbidden' } },
    { kind: 'credential_refused' },
  ],
  [
    'activecampaign',
    'contact',
    { status: 200, body: { errors: [{ title: 'The email address is invalid.' }] } },
    { kind: 'person_refused' },
  ],
  [
    'activecampaign',
    'contact',
    { status: 422, body: { errors: [{ title: 'The value is invalid.' }] } },
    { kind: 'fields_refused', fields: [{ key: 'first_name' }, { key: 'watched' }, { key: 'FNAME' }] },
  ],
  [
    'activecampaign',
    'import',
    { status: 400, body: { success: 0, message: 'Rate limit exceeded.' } },
    { kind: 'throttled', retryAfterMs: 60_000 },
  ],
  // The contact was deleted after it was written.
  [
    'activecampaign',
    'tags:0',
    { status: 404, body: { message: 'No Result found for Subscriber with id 7' } },
    { kind: 'later' },
  ],
  [
    'kit',
    'contact',
    { status: 200, body: { subscriber: { id: 7, state: 'complained' } } },
    { kind: 'left', reason: 'The state of the subscriber is complained.' },
  ],
  ['kit', 'contact', { status: 200, body: { subscriber: { id: 7, state: 'cancelled' } } }, { kind: 'left' }],
  // The tag was removed in between.
  ['kit', 'untag:missed', { status: 404, body: { errors: ['Not Found'] } }, { kind: 'done' }],
  // The mails did not arrive. The person has not left.
  ['kit', 'contact', { status: 200, body: { subscriber: { id: 7, state: 'bounced' } } }, { kind: 'done' }],
  [
    'kit',
    'contact',
    {
      status: 200,
      body: { subscriber: { id: 7, state: 'active' }, warnings: ['first_name_2 and watched are unknown'] },
    },
    { kind: 'done', refusedFields: [{ key: 'watched' }] },
  ],
  [
    'brevo',
    'contact',
    {
      status: 400,
      body: {
        code: 'duplicate_parameter',
        message: 'Unable to update contact',
        metadata: { duplicate_identifiers: ['watched'] },
      },
    },
    { kind: 'fields_refused', fields: [{ key: 'watched' }] },
  ],
  [
    'brevo',
    'contact',
    { status: 400, body: { code: 'not_enough_credits', message: 'No credits' } },
    { kind: 'not_allowed' },
  ],
  [
    'brevo',
    'event:e1',
    { status: 400, body: { code: 'invalid_parameter', message: 'event_name is not valid' } },
    { kind: 'missing', subject: 'event', key: 'attended' },
  ],
  ['brevo', 'lists', { status: 200, body: { id: 7, emailBlacklisted: true } }, { kind: 'left' }],
];

test('each answer of a tool has its outcome', () => {
  for (const [id, step, answer, outcome] of answers)
    expect(outcomeOf(id, step, answer), JSON.stringify([id, step, answer])).toMatchObject(outcome);
});

test('answers that no tool explains have the outcome of their status', () => {
  for (const { id } of marketingProviders) {
    expect(outcomeOf(id, 'contact', { status: 504 })).toMatchObject({ kind: 'later', mayHaveArrived: true });
    expect(outcomeOf(id, 'contact', { status: 503, headers: { 'retry-after': '30' } })).toMatchObject({
      kind: 'later',
      retryAfterMs: 30_000,
      mayHaveArrived: false,
    });
    expect(outcomeOf(id, 'contact', { status: 408 })).toMatchObject({ kind: 'later' });
    expect(outcomeOf(id, 'contact', { status: 402 })).toMatchObject({ kind: 'not_allowed' });
    expect(outcomeOf(id, 'contact', { status: 302 })).toMatchObject({ kind: 'later' });
  }
});

test('only the call that writes a contact can refuse the person, and a call that the tool does not take waits', () => {
  for (const { id } of marketingProviders) {
    for (const status of [409, 423, 425, 477])
      expect(outcomeOf(id, 'contact', { status, body: {} }), `${id} ${status}`).toMatchObject({
        kind: 'later',
      });
    for (const status of [405, 410, 451])
      expect(outcomeOf(id, 'contact', { status, body: {} })).toMatchObject({ kind: 'not_allowed' });
    expect(outcomeOf(id, 'contact', { status: 422, body: {} }), id).toMatchObject({
      kind: id === 'activecampaign' ? 'fields_refused' : 'person_refused',
    });
    for (const step of ['lookup', 'opt_in', 'values'])
      expect(outcomeOf(id, step, { status: 400, body: {} })).toMatchObject({ kind: 'not_allowed' });
  }
});

test('a batch is halved when its contacts are refused, and waits when the call is refused', () => {
  for (const provider of marketingProviders.filter(({ batch }) => batch !== undefined)) {
    const changes = ['a', 'b'].map((name) => exampleChange({ email: `${name}@example.com` }));
    const kindOf = (status: number): unknown =>
      provider.readBatch(
        provider.batch!.plan(changes),
        { status, headers: {}, json: {}, text: '{}' },
        changes,
        credentialOf(provider.id),
      );
    for (const status of [400, 413, 422]) expect(kindOf(status)).toMatchObject({ kind: 'person_refused' });
    expect(kindOf(410)).toMatchObject({ kind: 'not_allowed' });
    expect(kindOf(409)).toMatchObject({ kind: 'later' });
  }
});

test('a failure waits for Retry-After and not for the end of a window, and a limit waits for a second', () => {
  const reset = { 'x-sib-ratelimit-reset': '3000' };
  expect(outcomeOf('brevo', 'contact', { status: 503, headers: reset })).toMatchObject({
    kind: 'later',
    retryAfterMs: undefined,
  });
  for (const wait of ['0', 'Tue, 01 Dec 2020 16:00:00 GMT'])
    expect(outcomeOf('klaviyo', 'contact', { status: 429, headers: { 'retry-after': wait } })).toMatchObject({
      kind: 'throttled',
      retryAfterMs: 1000,
    });
});

test('a batch of HubSpot is counted: contacts that the answer does not name are sent again', () => {
  const hubspot = providerOf('hubspot');
  const changes: ContactChange[] = ['a', 'b', 'c'].map((name) =>
    exampleChange({ email: `${name}@example.com` }),
  );
  const request = hubspot.batch!.plan(changes);
  const read = (json: unknown): unknown =>
    hubspot.readBatch(
      request,
      { status: 207, headers: {}, json, text: '' },
      changes,
      credentialOf('hubspot'),
    );
  const context = { objectWriteTraceId: ['1'] };
  expect(
    read({ results: [{ objectWriteTraceId: '0' }], errors: [{ message: 'Bad', context }] }),
  ).toMatchObject([
    { kind: 'done' },
    { kind: 'person_refused', reason: 'Bad (HTTP 400)' },
    { kind: 'later' },
  ]);
  expect(read({})).toMatchObject([{ kind: 'later' }, { kind: 'later' }, { kind: 'later' }]);
});

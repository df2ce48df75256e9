// The words of the API reference that no procedure says: what the API is, its groups, its webhooks.
import type { Samples, Tag } from '@service/rest';

export const introduce = (baseUrl: string): string => `Webinars, registrations and signed webhooks.

\`\`\`sh
curl ${baseUrl}/api/v1/webinars \\
  -H "Authorization: Bearer $API_KEY"
\`\`\``;

/** In the order of a story: a webinar, when it runs, who comes, what they do, what is told to whom. */
export const tags: readonly Tag[] = [
  {
    name: 'Webinars',
    description: 'What is shown: title, video, schedule. A draft is published to open registration.',
  },
  { name: 'Segments', description: 'The parts of an adaptive webinar.' },
  { name: 'Branches', description: 'The ways from one segment of an adaptive webinar to the next.' },
  { name: 'Sessions', description: 'When a webinar runs. Each registration books one session.' },
  { name: 'Registrations', description: 'Who comes. One live registration per session and e-mail address.' },
  {
    name: 'Interactions',
    description: 'Offers, calls to action, polls and handouts shown while a webinar runs.',
  },
  {
    name: 'Webhooks',
    description:
      'Subscriptions that send several event types to one URL, signed with one secret, and what was delivered.',
  },
  {
    name: 'Automations',
    description: 'Rules with a trigger and conditions that send a webhook, and why each did or did not fire.',
  },
  { name: 'Revenue', description: 'Purchases, refunds and chargebacks, and what they are credited to.' },
  { name: 'Account', description: 'The key itself: its workspace, scopes and surfaces.' },
  { name: 'Event types', description: 'What can happen, with the schema and a sample of what is sent.' },
  {
    name: 'Events',
    description: 'What is sent to receivers. See "Webhooks" above for signatures and retries.',
  },
];

/** Receivers copy the code as it stands; a test runs it against a real delivery. */
export const describeWebhooks = (retryScheduleSeconds: readonly number[]): string => `# Webhooks

An event is sent as a \`POST\` of JSON to every subscription and rule that asks for it. Answer any \`2xx\` within 10 seconds. Anything else
is a failure and is tried again: ${retryScheduleSeconds.length} tries over ${hoursOf(retryScheduleSeconds)} h, each later than the last; \`Retry-After\` is honoured.
Deliveries can arrive twice and out of order: remember \`webhook-id\`, which is the same on every try, or \`webinar.id\`, \`event_type\` and
\`attendee.registration_id\` together.

## Verify signatures

\`X-Service-Signature\` is \`sha256=\` and the hex HMAC-SHA256 of the exact bytes of the body, keyed with the whole secret (\`whsec_...\`). Check it
before parsing, in constant time, and answer \`401\` if it does not match:

\`\`\`js
import { createHmac, timingSafeEqual } from 'node:crypto';

// rawBody: the bytes, before any JSON parser.
export function isAuthentic(rawBody, signature, secret) {
  const hmac = createHmac('sha256', secret);
  const digest = hmac.update(rawBody).digest('hex');
  const expected = Buffer.from('sha256=' + digest);
  const given = Buffer.from(signature ?? '');
  return (
    given.length === expected.length &&
    timingSafeEqual(given, expected)
  );
}
\`\`\`

\`\`\`python
import hashlib, hmac

def is_authentic(raw_body, signature, secret):
    key = secret.encode()
    digest = hmac.new(key, raw_body, hashlib.sha256)
    expected = "sha256=" + digest.hexdigest()
    return hmac.compare_digest(expected, signature or "")
\`\`\`

The headers \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\` follow the Standard Webhooks specification, so its libraries
verify the same delivery with the same secret.`;

const hoursOf = (retryScheduleSeconds: readonly number[]): number =>
  Math.round(retryScheduleSeconds.reduce((sum, seconds) => sum + seconds, 0) / 360) / 10;

/** Lifelike values for the examples. A test says where one is missing. */
export const samples: Samples = {
  nextCursor: 'MnwwMTlhYTFjMi03ZDNlLTdjNDEtOWE1Ny0yZjBjNWQ5YjhlMTR8cTNOUmM1dE0',
  hasMore: true,
  'getMe.label': 'CRM sync',
  'Me.label': 'CRM sync',

  title: 'Product launch',
  publicTitle: 'See what is new',
  slug: 'product-launch',
  description: 'What is new, live.',
  locale: 'en',
  timezone: 'Europe/Berlin',
  durationSeconds: 3600,
  'video.url': 'https://video.example.com/launch.m3u8',
  'video.posterUrl': 'https://video.example.com/launch.jpg',
  'video.captionsUrl': 'https://video.example.com/launch.vtt',
  lateCutoffMinutes: 30,
  availableHours: 48,
  capacityPerSession: 500,
  'fields.key': 'company',
  'fields.label': 'Company',
  recurrenceKey: 'weekly-2030-01-15T18:00',
  localTime: '2030-01-15T18:00:00+01:00',
  time: '19:00',
  start: '08:00',
  end: '22:00',
  // Requests that book or schedule must name a time to come.
  startsAt: '2030-01-15T17:00:00.000Z',
  endsAt: '2030-01-15T18:00:00.000Z',
  sessionTime: '2030-01-15T17:00:00.000Z',

  updateWebinar: { title: 'Product launch, second edition', room: { chatMode: 'private' } },
  progressSession: { action: 'start' },

  name: 'Ada Lovelace',
  email: 'ada@example.com',
  phone: '+49 30 1234567',
  customFields: { company: 'Analytical Engines' },
  metadata: { crmId: '4711' },
  'utm.source': 'newsletter',
  'utm.medium': 'email',
  'utm.campaign': 'launch',
  referrer: 'https://example.com/blog',
  consentText: 'Send me news by e-mail.',
  'Offer.couponCode': 'LAUNCH20',
  'Offer.imageUrl': 'https://example.com/launch.png',
  'utm.term': 'webinars',
  'utm.content': 'header',
  joinUrl: 'https://webinars.example.com/join/AZqhwn0-fEGaVy8MXZuOFA',

  url: 'https://example.com/hooks/webinars',
  eventTypes: ['registered', 'joined'],
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwqfK8hJ8vLk4=',
  secretLast4: 'Lk4=',
  createAutomation: {
    name: 'Tell the CRM',
    trigger: { type: 'watched_percent', params: { percent: 50 } },
    conditions: [{ field: 'utm.source', operator: 'eq', value: 'newsletter' }],
    action: { type: 'webhook', url: 'https://example.com/hooks/webinars' },
  },
  updateAutomation: { enabled: false },
  'Automation.name': 'Tell the CRM',

  internalName: 'Launch discount',
  headline: '20 % off until midnight',
  buttonLabel: 'Get the discount',
  fileName: 'slides.pdf',
  currency: 'EUR',
  selectedOption: 'Up to 10',
  optionId: 'small',
  'options.id': 'small',
  'options.label': 'Up to 10',

  'conditions.field': 'watchedPercent',
  'conditions.operator': 'gte',
  'conditions.value': 50,
  ruleName: 'Tell the CRM',
  eventType: 'registered',
  'WebhookDelivery.status': 'success',
  'WebhookDeliverySummary.status': 'success',
  attempts: 1,
  attemptsMax: 11,
  responseCode: 200,
  responseSnippet: 'ok',
  body: '{"event_type":"registered","attendee":{"name":"Ada Lovelace"}}',
  failure: null,
  failureMessage: null,
  nextAttemptAt: null,
  isRefire: false,
};

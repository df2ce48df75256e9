// Texts of the API reference that belong to no procedure: introduction, groups, webhooks.
import { unansweredMax, type Quota } from '@service/composition';
import type { Samples, Tag } from '@service/rest';

export const introduce = (baseUrl: string): string => `Webinars, registrations and signed webhooks.

\`\`\`sh
curl ${baseUrl}/api/v1/webinars \\
  -H "Authorization: Bearer $API_KEY"
\`\`\`

The [guides](${baseUrl}/api/v1/docs/guides) show a first call, receivers of webhooks in six languages, retries, pages and tests.
The [error codes](${baseUrl}/api/v1/docs/errors) are listed with what to do about each, and the
[changelog](${baseUrl}/api/v1/docs/changelog) names what is new.`;

/** In reading order: webinars, sessions, registrations, interactions, webhooks. */
export const tags: readonly Tag[] = [
  {
    name: 'Webinars',
    description: 'A webinar has a title, a video and a schedule. Publishing a draft opens registration.',
  },
  { name: 'Segments', description: 'The parts of an adaptive webinar.' },
  { name: 'Branches', description: 'The connections between segments of an adaptive webinar.' },
  {
    name: 'Sessions',
    description: 'The runs of a webinar at their times. Each registration books one session.',
  },
  {
    name: 'Registrations',
    description: 'Attendees. An e-mail address has one active registration in a session.',
  },
  {
    name: 'Mails',
    description: 'The mails that attendees get: confirmations, reminders and mails after the session.',
  },
  {
    name: 'Interactions',
    description:
      'Offers, calls to action, polls, handouts and recorded chat messages that attendees see during a webinar.',
  },
  {
    name: 'Webhooks',
    description:
      'Subscriptions that send several event types to one URL, signed with one secret, and their deliveries.',
  },
  {
    name: 'Automations',
    description:
      'Rules with a trigger and conditions that send a webhook or e-mails, or update contacts in marketing tools, and the result of each evaluation.',
  },
  {
    name: 'Revenue',
    description:
      'Purchases, refunds and chargebacks, and their attribution to attendees, webinars and offers.',
  },
  {
    name: 'Connections',
    description:
      'The e-mail providers and marketing tools of the workspace, their state and what was sent. Credentials are given in the dashboard, and no answer contains one.',
  },
  { name: 'Activity', description: 'The calls of the API keys and connections of the workspace.' },
  { name: 'Account', description: 'The API key of the request: its workspace, scopes and surfaces.' },
  { name: 'Event types', description: 'All event types, with the schema and a sample of the webhook body.' },
  {
    name: 'Events',
    description: 'The webhook bodies that receivers get. See "Webhooks" above for signatures and retries.',
  },
];

/** Integrators copy this code. A test runs it against a real delivery. */
export const describeWebhooks = ({
  retryScheduleSeconds,
  deliveryQuota: { waitingMax, bytesMax },
}: {
  retryScheduleSeconds: readonly number[];
  deliveryQuota: Quota;
}): string => `# Webhooks

Each event is sent as a \`POST\` with a JSON body to every matching subscription and rule. Answer with any \`2xx\` within 10 seconds. Every other
result is a failure and is retried: ${retryScheduleSeconds.length} attempts in all over ${hoursOf(retryScheduleSeconds)} h, with growing pauses; \`Retry-After\` is honoured.
A delivery can arrive twice and out of order: to detect duplicates, store \`webhook-id\`, which is the same in every attempt. A redelivery has
another one: compare \`webinar.id\`, \`event_type\` and \`attendee.registration_id\` together, and of \`event_data\` also \`interactionId\` of
\`cta_click\` and \`handout_download\`, \`interactionId\` and \`optionId\` of \`poll_response\`, \`message_event_id\` of \`chat_response\`, \`revenueEventId\`
of \`purchase\` and \`refund\`, \`leftAt\` of \`left\`, \`branch_id\` of \`branch_taken\`, and \`segment_id\` of \`segment_completed\`.

## Pause and recover

\`halted: true\` of a rule or subscription pauses it: new deliveries and retries wait, and \`halted: false\` sends them in growing steps. Switching off
cancels what waits instead; the answer has \`cancelledDeliveries\`, whose \`oldestCreatedAt\` is the \`from\` of a recovery with
\`statuses: ["cancelled"]\`. An endpoint is paused (\`health.status\`) after 20 failures in a row over five minutes, or at once after
\`410\`: only a probe is sent to it now and then, and the first that succeeds ends the pause.
\`GET /webhook-endpoints\` lists the health of all endpoints and what waits for them. While a delivery is retried, its status is \`retrying\`:
\`status=failing\` lists these with the failed ones.

## Limits of deliveries

In an account ${waitingMax.toLocaleString('en-US')} deliveries may wait, and stored deliveries may take ${(bytesMax / 1024 / 1024).toLocaleString('en-US')} MB. Beyond a limit, bulk registrations, new
rules, new subscriptions and redeliveries are answered \`429 delivery_backlog_full\`. Attendees and single registrations are never refused:
their deliveries end at once with the status \`failure\` and the failure \`backlog_full\`, and can be recovered when there is room. The same
happens to new deliveries to an endpoint that has never answered with \`2xx\`, while more than ${unansweredMax.toLocaleString('en-US')} wait for it.

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

/** The time over which a delivery is tried. */
export const hoursOf = (retryScheduleSeconds: readonly number[]): number =>
  Math.round(retryScheduleSeconds.reduce((sum, seconds) => sum + seconds, 0) / 360) / 10;

/** Realistic values for the examples. A required text without one is "text", an optional one is left out. */
export const samples: Samples = {
  nextCursor: 'MnwwMTlhYTFjMi03ZDNlLTdjNDEtOWE1Ny0yZjBjNWQ5YjhlMTR8cTNOUmM1dE0',
  hasMore: true,
  'MyKey.label': 'CRM sync',

  title: 'Product launch',
  publicTitle: 'See what is new',
  slug: 'product-launch',
  'Webinar.slug': 'product-launch-k3f9x2',
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
  'presenters.name': 'Grace Hopper',
  'presenters.title': 'Head of Product, Acme',
  takeaways: ['How the new editor works'],
  'consent.text': 'Send me news by e-mail.',
  recurrenceKey: 'weekly-2030-01-15T18:00',
  localTime: '2030-01-15T18:00:00+01:00',
  countedAt: '2030-01-15T18:30:00.000Z',
  countedRegistrations: 128,
  registered: 120,
  cancelled: 8,
  joined: 70,
  attended: 64,
  noShow: 56,
  completed: 41,
  engaged: 30,
  'WebinarAnalytics.clicked': 22,
  'SessionAnalytics.clicked': 22,
  watchedReplay: 5,
  attendancePercent: 53.3,
  noShowPercent: 46.7,
  completionPercent: 64.1,
  engagementPercent: 46.9,
  clickPercent: 34.4,
  averageWatchedSeconds: 2405,
  averageWatchedPercent: 66.8,
  stepSeconds: 30,
  viewers: [70, 69, 66],
  fromSeconds: 1230,
  toSeconds: 1260,
  viewersLost: 9,
  seen: 60,
  answered: 25,
  responsePercent: 36.7,
  'sources.source': 'newsletter',
  buyers: 6,
  conversionPercent: 9.4,
  time: '19:00',
  start: '08:00',
  end: '22:00',
  // Requests that book or schedule need a time in the future.
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
  joinUrl: 'https://webinars.example.com/room/AZqhwn0-fEGaVy8MXZuOFA',

  url: 'https://example.com/hooks/webinars',
  'Webhook.description': 'CRM sync',
  'CreatedWebhook.description': 'CRM sync',
  'CreateWebhookInput.description': 'CRM sync',
  'UpdateWebhookInput.description': 'CRM sync',
  eventTypes: ['registered', 'joined'],
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwqfK8hJ8vLk4=',
  secretLast4: 'Lk4=',
  createAutomation: {
    name: 'Tell the CRM',
    trigger: { type: 'watched_percent', params: { percent: 50 } },
    conditions: [{ field: 'utm.source', operator: 'eq', value: 'newsletter' }],
    actions: [
      { type: 'webhook', url: 'https://example.com/hooks/webinars' },
      {
        type: 'email',
        to: 'attendee',
        purpose: 'service',
        subject: 'Half of {{webinarTitle}}',
        text: 'Hello {{firstName}},\n\nyou have seen half of it. Go on:\n{{joinLink}}',
      },
    ],
  },
  updateAutomation: { enabled: false },
  'Automation.name': 'Tell the CRM',
  'RuleEmail.text': 'Hello {{firstName}},\n\nyou have seen half of it. Go on:\n{{joinLink}}',
  'RuleEmailInput.text': 'Hello {{firstName}},\n\nyou have seen half of it. Go on:\n{{joinLink}}',
  'RuleOfMail.name': 'Half of the video',

  senderName: 'Ada from Acme',
  subject: 'You are registered: {{webinarTitle}}',
  'MailText.text': 'Hello {{firstName}},\n\nyour personal link to join:\n{{joinLink}}',
  'MailReminder.text': '{{webinarTitle}} starts in {{timeUntilStart}}: {{joinLink}}',
  'MailVariable.name': 'firstName',
  'MailVariable.description': 'First word of the name of the attendee.',
  'MailVariable.sample': 'Ada',
  'Mail.to': 'ada@example.com',
  minutesBefore: 60,
  mailKind: 'confirmation',
  updateWebinarMails: { replyTo: 'host@example.com', reminders: [{ minutesBefore: 60 }] },

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
  'Delivery.status': 'success',
  'DeliveryDetail.status': 'success',
  attempts: 1,
  attemptsMax: 11,
  responseCode: 200,
  responseSnippet: 'ok',
  body: '{"event_type":"registered","attendee":{"name":"Ada Lovelace"}}',
  failure: null,
  failureMessage: null,
  nextAttemptAt: null,
  isRefire: false,

  'ContactSend.contact': 'ada@example.com',
  'ContactSend.reason': null,
  'ContactSend.calls': ['Create or update profile'],
  'ContactSend.status': 200,
  'ContactSend.durationMs': 184,
  'ContactSend.fields': ['last_webinar'],
  'ContactSend.bodyHash': 'd2b1b0a0c7b1d6c3f7a1a1a4a5a1f8f3c0a9d9c4f0e6a0f1c1b0b7a6d5e4f3a2',
  'ContactSend.values': { fields: { last_webinar: 'Product launch' }, events: [] },
  'ContactRun.total': 1240,
  'ContactRun.sent': 860,
  'ConnectionWaiting.people': 3,
  'Connection.provider': 'resend',
  'Connection.name': 'Resend',
  'Connection.reason': null,
  'Connection.isDefault': true,
  credentialLast4: '4f2a',
  'ConnectionReports.state': 'read',
  'ConnectionReports.secretLast4': 'oA3d',
  'Mailbox.name': 'Product launch',
  'Mailbox.address': 'webinars@example.com',
  replyTo: 'team@example.com',
  baseUrl: null,

  'RevenueEvent.source': 'generic',
  'RevenueEventDetail.source': 'generic',
  sourceEventId: 'order_4711',
  amountMinor: 4900,
  'PaymentEvent.amountMinor': 4900,
  'RevenuePayment.refundedMinor': 0,
  'RevenuePayment.chargedBackMinor': 0,
  'RevenuePayment.netMinor': 4900,
  'RegistrationRevenue.netMinor': 4900,
  overRefunded: false,
  webinarTitle: 'Product launch',
  registrantName: 'Ada Lovelace',
  interactionName: 'Launch discount',
  utmSource: 'newsletter',
  windowDays: 30,
  'RevenueCredit.matchedBy': 'email',
  'RevenueCredit.reason': null,
  explanation: [
    'The e-mail address of the purchase has a registration.',
    'Credited: clicked the offer “Launch discount” in “Product launch” on 2030-01-15 at 17:40:00 UTC, 2 h before the purchase.',
    'The attribution window is 30 days.',
  ],
  renewalOf: null,
  'ConsideredTouch.level': 'attended',
  'ConsideredTouch.interactionId': null,
  'ConsideredTouch.interactionName': null,
  lost: 'weaker_level',
  moreCount: 0,
  isCut: false,
  timeZone: 'UTC',
  'RevenueSummary.from': '2030-01-01T00:00:00.000Z',
  'RevenueSummary.to': '2030-01-31T00:00:00.000Z',
  'RevenueGroup.key': '2030-01-15',
  'RevenueGroup.title': null,
  'RevenueGroup.registrants': null,
  'RevenueGroup.attendees': null,
  'RevenueGroup.perRegistrantMinor': null,
  'RevenueGroup.perAttendeeMinor': null,
  grossMinor: 49_000,
  refundsMinor: -4900,
  chargebacksMinor: 0,
  netMinor: 44_100,
  purchases: 10,
  renewalsMinor: 19_600,
  renewals: 4,
  refunds: 1,
  chargebacks: 0,
  unattributedShare: 0.1,
  registrants: 210,
  attendees: 105,
  perRegistrantMinor: 210,
  perAttendeeMinor: 420,
  hasMoreGroups: false,
};

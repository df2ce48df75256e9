import { one, page, withUntrusted, type ToolDefinition } from '@service/mcp';
import { z } from 'zod';
import { firstRows, moment, nullable, text, whole } from './output-fields.ts';

const person = { name: text, email: text };

const Registration = withUntrusted(
  {
    id: text,
    status: text,
    source: text,
    sessionId: text,
    sessionTime: moment,
    sessionStatus: text,
    registeredAt: moment,
    consent: z.object({ given: z.boolean() }).nullable(),
    attendance: z
      .object({ firstJoinedAt: nullable(moment), watchedSeconds: whole, completionPercent: whole })
      .nullable(),
    revenue: z.array(z.object({ currency: text, netMinor: whole })).optional(),
  },
  person,
);

/** The answer to a change. The person may have registered earlier, with another name. */
const ChangedRegistration = withUntrusted({ id: text, status: text, sessionTime: moment }, person);

const BulkRow = z.object({
  index: whole,
  status: text,
  registration: withUntrusted({ id: text }, { email: text }).optional(),
  error: z
    .object({
      code: text,
      message: text,
      issues: z.array(z.object({ path: text, message: text })).optional(),
    })
    .optional(),
});

const refusedFirst = (rows: z.output<typeof BulkRow>[]) =>
  firstRows(rows.toSorted((a, b) => Number(a.error === undefined) - Number(b.error === undefined)));

const utm = ['source', 'medium', 'campaign', 'term', 'content'].map((name) => `utm_${name}`);
const rarelyGiven = [
  'phone',
  'timezone',
  'locale',
  'utm',
  ...utm,
  'referrer',
  'metadata',
  'suppressConfirmation',
];

export const registrationTools: readonly ToolDefinition[] = [
  {
    name: 'list_registrations',
    procedure: 'registrations.list',
    title: 'List registrations',
    description:
      'Finds people who registered for a webinar, newest first: by name or address (`q`), status, session or time. ' +
      '`clickedInteractionId` and `purchased` answer who clicked an offer and who bought.',
    texts: {
      status: 'Only these.',
      q: 'Words of the name or address.',
      sessionId: 'Only of this session.',
      registeredFrom: 'Registered at this time or later.',
      registeredTo: 'Registered before this time.',
      clickedInteractionId: 'Clicked this, from list_interactions.',
      purchased: 'Bought, or not.',
    },
    hiddenArguments: ['email', 'source', 'order'],
    output: page(Registration),
  },
  {
    name: 'get_registration_timeline',
    procedure: 'tools.registrationTimeline',
    title: 'Get the timeline of a registration',
    description:
      'Reads one registration with everything the attendee did: joined, left, clicked, answered. Newest first.',
    output: page(
      withUntrusted({ id: text, type: text, occurredAt: moment }, { data: z.record(text, z.unknown()) }),
    ).extend({
      registration: Registration,
    }),
  },
  {
    name: 'list_registration_mails',
    procedure: 'mails.ofRegistration',
    title: 'List the mails of a registration',
    description: 'Lists the mails of one person, newest first, with the reason why one was not sent.',
    output: page(
      withUntrusted(
        {
          kind: text,
          rule: z.object({ id: text, name: text }).nullable(),
          status: text,
          sentAt: nullable(moment),
        },
        { to: text, reason: nullable(text) },
      ),
    ),
  },
  {
    name: 'create_registration',
    procedure: 'registrations.create',
    title: 'Register an attendee',
    description:
      'Books one person into the session that starts at `sessionTime` (see list_session_slots) and fires rules. The same address in ' +
      'the same session returns the existing registration.',
    texts: { name: 'Full name.', email: 'E-mail address.', sessionTime: 'Start of the session.' },
    arguments: {
      customFields: { type: 'object', description: 'Answers to the registration form, by field key.' },
      consent: { type: 'object', description: '{"given":true} if they agreed to the consent text.' },
    },
    hiddenArguments: rarelyGiven,
    output: one(ChangedRegistration),
    hints: { idempotent: true, openWorld: true },
  },
  {
    name: 'bulk_register',
    procedure: 'registrations.createMany',
    title: 'Register many attendees',
    description:
      'Books up to 500 people at once. Rules fire for each of them, so ask the user first. Refused rows do not affect the others. ' +
      'They come first in the result, which has 20 rows.',
    arguments: {
      registrations: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            email: { type: 'string' },
            sessionTime: { type: 'string' },
          },
          required: ['name', 'email'],
        },
        description: '`sessionTime` as in create_registration.',
      },
    },
    output: z.object({
      data: z.array(BulkRow).overwrite(refusedFirst),
      summary: z.object({ created: whole, existing: whole, failed: whole }),
    }),
    hints: { idempotent: true, openWorld: true },
  },
  {
    name: 'move_registration',
    procedure: 'registrations.move',
    title: 'Move a registration',
    description: 'Moves an attendee who has not joined to another session. The join link stays the same.',
    texts: { sessionTime: 'Start of the other session, from list_session_slots.' },
    output: one(ChangedRegistration),
    hints: { destructive: true, idempotent: true },
  },
  {
    name: 'cancel_registration',
    procedure: 'registrations.cancel',
    title: 'Cancel a registration',
    description: 'Frees the place of an attendee and ends their access. They can register again.',
    output: one(ChangedRegistration),
    hints: { destructive: true, idempotent: true },
  },
  {
    name: 'rotate_registration_token',
    procedure: 'registrations.rotateToken',
    title: 'Rotate a join link',
    description:
      'Makes a new join link for an attendee; the old one stops working at once. The dashboard shows the new one.',
    output: one(withUntrusted({ id: text, tokenVersion: whole }, person)),
    hints: { destructive: true },
  },
];

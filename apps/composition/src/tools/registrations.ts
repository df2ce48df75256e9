import { one, page, type ToolDefinition } from '@service/mcp';
import { z } from 'zod';
import { firstRows, moment, nullable, text, whole } from './fields.ts';

const Registration = z.object({
  id: text,
  name: text,
  email: text,
  status: text,
  source: text,
  sessionId: text,
  sessionTime: moment,
  registeredAt: moment,
  attendance: z
    .object({ firstJoinedAt: nullable(moment), watchedSeconds: whole, completionPercent: whole })
    .nullable(),
  revenue: z.array(z.object({ currency: text, netMinor: whole })).optional(),
});

/** The answer to a change. */
const ChangedRegistration = z.object({
  id: text,
  name: text,
  email: text,
  status: text,
  sessionTime: moment,
});

const BulkRow = z.object({
  index: whole,
  status: text,
  registration: z.object({ id: text, email: text }).optional(),
  error: z.object({ code: text, message: text }).optional(),
});

const refusedFirst = (rows: z.output<typeof BulkRow>[]) =>
  firstRows(rows.toSorted((a, b) => Number(a.error === undefined) - Number(b.error === undefined)));

const rarelyGiven = [
  'phone',
  'timezone',
  'locale',
  'utm',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'referrer',
  'metadata',
];

export const registrationTools: readonly ToolDefinition[] = [
  {
    name: 'list_registrations',
    procedure: 'registrations.list',
    title: 'List registrations',
    description:
      'Finds the people who registered for a webinar, newest first: by name or e-mail address (`q`), status, session or time. ' +
      'Status `attended` and `no_show` answer who came and who did not; `clickedInteractionId` and `purchased` answer who clicked an ' +
      'offer and who bought.',
    arguments: {
      clickedInteractionId: { type: 'string' },
      purchased: { type: 'boolean' },
      status: { enum: ['registered', 'attending', 'attended', 'no_show', 'cancelled'] },
      q: { type: 'string', description: 'Words of the name or of the e-mail address.' },
      registeredFrom: { type: 'string' },
      registeredTo: { type: 'string' },
    },
    hiddenArguments: ['email', 'source'],
    output: page(Registration),
  },
  {
    name: 'get_registration_timeline',
    procedure: 'tools.registrationTimeline',
    title: 'Get the timeline of a registration',
    description:
      'Reads one registration with everything the attendee did: joined, left, clicked, answered. Newest first.',
    output: page(
      z.object({ id: text, type: text, occurredAt: moment, data: z.record(text, z.unknown()) }),
    ).extend({
      registration: Registration,
    }),
  },
  {
    name: 'create_registration',
    procedure: 'registrations.create',
    title: 'Register an attendee',
    description:
      'Books one person into the session that starts at `sessionTime` (see list_session_slots) and fires the automation rules for ' +
      'registrations. The same e-mail address in the same session returns the existing registration.',
    arguments: {
      customFields: { type: 'object', description: 'Answers to the registration form, by field key.' },
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
      'Books up to 500 people at once. Rules fire for each of them, so ask the user first. A refused row does not affect the others. ' +
      'The result has 20 rows, the refused ones first.',
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
    description:
      'Moves an attendee who has not joined yet to another session of the webinar. The join link stays the same.',
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
      'Makes a new join link for an attendee; the old one stops working at once. The dashboard shows the new link under Registrations.',
    output: one(z.object({ id: text, name: text, email: text, tokenVersion: whole })),
    hints: { destructive: true },
  },
];

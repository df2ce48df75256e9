import { one, page, withUntrusted, type ToolDefinition } from '@service/mcp';
import { z } from 'zod';
import { firstRows, moment, nullable, text, whole } from './output-fields.ts';

const webinar = {
  id: text,
  title: text,
  status: text,
  timezone: text,
  nextSession: z.object({ id: text, startsAt: moment, status: text, registrationCount: whole }).nullable(),
};

/** The answer to a change. The client knows what it has changed. */
const ChangedWebinar = z.object(webinar);

const Webinar = z.object({
  ...webinar,
  kind: text,
  durationSeconds: whole,
  publicTitle: nullable(text),
  slug: text,
  description: nullable(text),
  locale: text,
  video: z.object({ url: text }).nullable(),
  schedule: z.looseObject({}),
  publishedAt: nullable(moment),
});

const webinarTexts = {
  title: 'Title for your team and webhooks.',
  publicTitle: 'Title for attendees; null: `title`.',
  description: 'Shown to attendees.',
  durationSeconds: 'Length of the video.',
};

/** Arguments whose own schemas are longer than all others together. */
const webinarArguments = {
  kind: { enum: ['standard', 'adaptive'], description: 'Adaptive: with branches.' },
  locale: { type: 'string', description: 'Such as `en`.' },
  timezone: { type: 'string', description: 'Such as `Europe/Berlin`.' },
  video: { type: 'object', description: '{"source":"url","url":"https://example.com/a.mp4"}' },
  schedule: {
    type: 'object',
    description:
      'For one session: {"recurrences":[{"frequency":"once","startDate":"2030-01-15","time":"18:00"}]}, in the time zone of the ' +
      'webinar. `frequency`: once, daily, weekdays, weekly, biweekly or monthly; `daysOfWeek`, such as ["tuesday"], `dayOfMonth`, ' +
      '`endDate`.',
  },
};

const funnel = {
  registered: whole,
  joined: whole,
  attended: whole,
  noShow: whole,
  completed: whole,
  clicked: whole,
};

/** The tool that creates a webinar describes them. */
const asCreated = { type: 'object', description: 'As in create_webinar.' };

const rarelyChanged = [
  'slug',
  'room',
  'replay',
  'registrationForm',
  'registrationPage',
  'attendance',
  'attribution',
];

export const webinarTools: readonly ToolDefinition[] = [
  {
    name: 'list_webinars',
    procedure: 'webinars.list',
    title: 'List webinars',
    description:
      'Finds webinars, newest first, with the time of their next session. Use `q` to find one by its title. Start here: most ' +
      'other tools need a `webinarId`.',
    texts: { q: 'Part of the title.', status: 'Only these.' },
    hiddenArguments: ['kind', 'sort', 'order'],
    output: page(z.object({ ...webinar, kind: text, durationSeconds: whole })),
  },
  {
    name: 'get_webinar',
    procedure: 'webinars.get',
    title: 'Get a webinar',
    description: 'Reads the settings and the schedule of one webinar, before you change or copy them.',
    output: one(Webinar),
  },
  {
    name: 'create_webinar',
    procedure: 'webinars.create',
    title: 'Create a webinar',
    description:
      'Creates a draft that people cannot see yet. To repeat an earlier webinar, use duplicate_webinar. Then set the ' +
      'schedule and call publish_webinar.',
    texts: webinarTexts,
    arguments: webinarArguments,
    hiddenArguments: rarelyChanged,
    output: one(ChangedWebinar),
  },
  {
    name: 'update_webinar',
    procedure: 'webinars.update',
    title: 'Change a webinar',
    description:
      'Changes only the given fields. `schedule` replaces the whole schedule. Sessions that have registrations keep their time.',
    texts: webinarTexts,
    arguments: { ...webinarArguments, video: asCreated, schedule: asCreated },
    hiddenArguments: rarelyChanged,
    output: one(ChangedWebinar),
    hints: { destructive: true, idempotent: true },
  },
  {
    name: 'duplicate_webinar',
    procedure: 'webinars.duplicate',
    title: 'Duplicate a webinar',
    description:
      'Copies settings, schedule, segments and interactions into a new draft. Sessions, registrations and rules are not copied. The ' +
      'schedule may lie in the past: change it before publish_webinar.',
    texts: { title: 'Title of the copy.' },
    output: one(ChangedWebinar),
  },
  {
    name: 'publish_webinar',
    procedure: 'webinars.publish',
    title: 'Publish a webinar',
    description: 'Opens registration to the public and creates the sessions of the next 60 days.',
    output: one(ChangedWebinar),
    hints: { idempotent: true, openWorld: true },
  },
  {
    name: 'archive_webinar',
    procedure: 'webinars.archive',
    title: 'Archive a webinar',
    description:
      'Closes the webinar and its room and cancels coming sessions, which may mail attendees. It cannot be read here until a member restores it.',
    output: one(z.object({ id: text, title: text, status: text })),
    hints: { destructive: true, idempotent: true, openWorld: true },
  },
  {
    name: 'get_webinar_report',
    procedure: 'tools.webinarReport',
    title: 'Get the results of a webinar',
    description:
      'Answers how a webinar did lately: attendance of its sessions, responses to its interactions, and its revenue.',
    texts: { from: 'Sessions from this time on. Default: 30 days ago.', to: 'Default: now.' },
    output: one(
      z.object({
        webinar: z.object({ id: text, title: text }),
        from: moment,
        to: moment,
        sessions: z.array(
          z.object({
            id: text,
            startsAt: moment,
            status: text,
            registrations: whole,
            attended: whole,
            noShow: whole,
            cancelled: whole,
          }),
        ),
        moreSessions: z.boolean(),
        totals: z.object({
          registrations: whole,
          attended: whole,
          noShow: whole,
          attendancePercent: whole.nullable(),
        }),
        revenue: z.array(z.object({ currency: text, netMinor: whole, purchases: whole })).nullable(),
        interactions: z.array(
          z.object({
            id: text,
            type: text,
            headline: text,
            views: whole,
            clicks: whole,
            clickers: whole,
            answers: whole,
          }),
        ),
      }),
    ),
  },
  {
    name: 'get_analytics',
    procedure: 'analytics.read',
    title: 'Analyse a webinar or a session',
    description:
      'Counts the steps from registration to purchase, viewers along the video, responses and sources.',
    texts: { sessionId: 'Only this session.' },
    output: one(
      z.object({
        isComplete: z.boolean(),
        ...funnel,
        averageWatchedPercent: whole.nullable(),
        curve: z
          .object({
            stepSeconds: whole,
            viewers: z.array(whole),
            dropOffs: z.array(z.object({ fromSeconds: whole, viewersLost: whole })),
          })
          .nullable(),
        interactions: z
          .array(
            z.object({
              type: text,
              headline: text,
              seen: whole,
              clicked: whole,
              answered: whole,
              options: z.array(z.object({ label: text, count: whole })),
            }),
          )
          .overwrite(firstRows),
        sources: z.array(withUntrusted({ registered: whole, attended: whole }, { source: nullable(text) })),
        revenue: z
          .object({
            buyers: whole,
            sums: z.array(
              z.object({
                currency: text,
                netMinor: whole,
                perRegistrantMinor: whole.nullable(),
                perAttendeeMinor: whole.nullable(),
              }),
            ),
          })
          .nullable(),
      }),
    ),
  },
  {
    name: 'list_sessions',
    procedure: 'sessions.list',
    title: 'List sessions',
    description:
      'Lists the past and future runs of a webinar with their numbers of registrations. To book, use list_session_slots.',
    texts: { status: 'Only these.' },
    hiddenArguments: ['kind'],
    output: page(
      z.object({
        id: text,
        kind: text,
        control: text,
        status: text,
        startsAt: moment,
        endsAt: moment,
        registrationCount: whole,
      }),
    ),
  },
  {
    name: 'list_session_slots',
    procedure: 'sessions.slots',
    title: 'List bookable times',
    description:
      'Lists the next times that can be booked, soonest first. Pass a `startsAt` as `sessionTime` to create_registration.',
    texts: { timezone: 'Of `localTime`.' },
    output: z.object({
      data: z.array(
        z.object({
          startsAt: moment,
          endsAt: moment,
          kind: text,
          localTime: text,
          sessionId: nullable(text),
        }),
      ),
    }),
  },
  {
    name: 'list_chat_messages',
    procedure: 'responses.messages',
    title: 'Read the chat of a session',
    description: 'Lists the chat of a session, newest first, with every author.',
    output: page(
      withUntrusted({ registrationId: nullable(text), sentAt: moment }, { name: nullable(text), text }),
    ),
  },
  {
    name: 'cancel_session',
    procedure: 'sessions.cancel',
    title: 'Cancel a session',
    description: 'Cancels one session that has not ended. Its attendees cannot join.',
    output: one(z.object({ id: text, status: text, startsAt: moment })),
    hints: { destructive: true, idempotent: true },
  },
];

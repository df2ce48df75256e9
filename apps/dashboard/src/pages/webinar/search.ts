import { registrationSources, registrationStatuses } from '@service/attendees/inputs';
import { allSkipReasons } from '@service/catalogue';
import * as z from 'zod/mini';
import { flag, moment, optional, text, word } from '../../search-params.ts';
import { orderParam } from '../../sorting.ts';
import { deliveryFilterParams } from '../delivery/search.ts';

export const WebinarSearch = z.object({
  /** The delivery whose drawer is open, on any tab. */
  delivery: text,
  /** The field that gets the focus, such as one that prevents publishing. */
  field: text,
});

export type WebinarSearch = z.output<typeof WebinarSearch>;

export const InteractionsSearch = z.object({
  /** The interaction whose panel is open. */
  interaction: text,
  /** The panel shows its results instead of its settings. */
  results: flag,
  /** The panel for a new interaction of this type is open. */
  new: optional(z.enum(['offer', 'cta', 'poll', 'handout', 'chat'])),
  /** The interaction that a new one is a copy of. */
  copy: text,
  /** The segment of an adaptive webinar whose video is shown. */
  segment: text,
});

export type InteractionsSearch = z.output<typeof InteractionsSearch>;

export const AdaptiveSearch = z.object({
  /** The path of a problem, from the publish check: the segment or branch in it is shown. */
  field: text,
  /** The segment whose panel is open. */
  segment: text,
  /** The panel for a new segment is open. */
  newSegment: flag,
  /** The branch whose panel is open. */
  branch: text,
  /** The segment that a new branch leaves; its panel is open. */
  newBranch: text,
});

export type AdaptiveSearch = z.output<typeof AdaptiveSearch>;

export const SessionsSearch = z.object({
  /** The list on the page. Absent: upcoming sessions. */
  when: optional(z.enum(['live', 'past'])),
  /** Of the starts. The nearest to now is first when left out. */
  order: orderParam,
  /** The session whose drawer is open. */
  session: text,
  /** The dialog that makes an API-controlled session is open. */
  create: flag,
  /** The session whose dialog "Move session" is open. */
  move: text,
});

export type SessionsSearch = z.output<typeof SessionsSearch>;

const day = optional(z.string().check(z.regex(/^20\d\d-\d\d-\d\d$/)));

export const RegistrationsSearch = z.object({
  /** Words of a name or an e-mail address. */
  q: word,
  /** The session whose registrations are shown. */
  session: text,
  status: optional(z.enum(registrationStatuses)),
  source: optional(z.enum(registrationSources)),
  /** The first and the last day of registration, in the reader's time zone. */
  from: day,
  to: day,
  /** An offer, CTA or handout that the attendee has clicked. */
  clicked: optional(z.guid()),
  /** A purchase is credited to the registration, or none is. */
  bought: optional(z.enum(['yes', 'no'])),
  /** Newest first when left out. */
  order: orderParam,
  /** The registration whose drawer is open. */
  registration: text,
  /** The dialog that registers an attendee is open. */
  create: flag,
  /** The dialog that imports a file is open. */
  import: flag,
});

export type RegistrationsSearch = z.output<typeof RegistrationsSearch>;

export const ResultsSearch = z.object({
  /** The session whose results are shown. All sessions when left out. */
  session: optional(z.guid()),
  /** Sessions whose curves are compared, at most three. */
  compare: optional(z.array(z.guid()).check(z.maxLength(3))),
});

export type ResultsSearch = z.output<typeof ResultsSearch>;

export const MailsSearch = z.object({
  /** The mail whose panel is open: its kind, or `reminder-60` for the reminder an hour before. `sender`: the panel of the sender. */
  mail: text,
  /** The dialog that adds a reminder is open. */
  add: flag,
});

export type MailsSearch = z.output<typeof MailsSearch>;

export const AutomationsSearch = z.object({
  /** The list that is shown. The rules when left out. */
  view: optional(z.enum(['executions'])),
  /** The form of a new rule is open. */
  create: flag,
  /** The rule that a new one begins as a copy of. */
  copy: text,
  /** The copy is for the other order of trigger and condition. */
  second: flag,
  /** The rule whose drawer is open. */
  rule: text,
  /** The drawer has the form of the rule. */
  edit: flag,
  /** The attendee that the drawer of a rule explains. */
  attendee: text,
  /** Filters of the executions. */
  of: optional(z.guid()),
  outcome: optional(z.enum(['matched', 'skipped'])),
  reason: optional(z.enum(allSkipReasons)),
  registration: optional(z.guid()),
  from: moment,
  to: moment,
  /** The execution whose details are open. */
  execution: text,
});

export type AutomationsSearch = z.output<typeof AutomationsSearch>;

export const WebhooksTabSearch = z.object({
  ...deliveryFilterParams,
  /** The dialog that is open. All but `create` are about one subscription. */
  dialog: optional(z.enum(['create', 'edit', 'rotate', 'off', 'delete'])),
  subscription: text,
});

export type WebhooksTabSearch = z.output<typeof WebhooksTabSearch>;

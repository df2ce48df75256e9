// "Keep every registrant in step": from the facts of a person to the parts of a change. Pure.
import { hasAttended, type Attendee } from '@service/attendees';
import { syncTags, type SyncField, type SyncSettings, type SyncTag } from '@service/connections';
import type { Consent, FieldValue } from '@service/marketing-providers';
import type { ChangeParts } from '../change/change.ts';

/** Everything that the service knows of one e-mail address in one account. */
export interface PersonFacts {
  email: string;
  /** The registrations, in the order in which they were made. */
  attendees: readonly PersonAttendee[];
  /** Net revenue by registration id, one entry for each currency. */
  revenue: ReadonlyMap<string, readonly { currency: string; netMinor: number }[]>;
}

export interface PersonAttendee extends Pick<Attendee, 'facts' | 'lastSeenAt'> {
  registration: Pick<
    Attendee['registration'],
    'id' | 'webinarId' | 'status' | 'registeredAt' | 'consent' | 'purchased'
  >;
  session: Pick<Attendee['session'], 'startsAt'>;
  webinar: Pick<Attendee['webinar'], 'title' | 'attendance'>;
}

/** The answer of a person to the consent text, the last time that they were asked. */
export function consentOf(attendees: readonly Pick<PersonAttendee, 'registration'>[]): Consent | undefined {
  const answered = attendees.findLast(({ registration }) => registration.consent !== null);
  const consent = answered?.registration.consent;
  return consent ? { given: consent.given, at: new Date(consent.at) } : undefined;
}

/** True if this person is none of the registrants that are kept in step. */
export function isLeftOut({ domainsLeftOut }: Pick<SyncSettings, 'domainsLeftOut'>, email: string): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return domainsLeftOut.some((one) => domain === one || domain.endsWith(`.${one}`));
}

/** The values and tags of a person. Undefined when the settings leave them out. */
export function syncParts(
  { email, attendees, revenue }: PersonFacts,
  sync: SyncSettings,
): ChangeParts | undefined {
  const own = attendees.filter(({ registration }) => !sync.webinarsLeftOut.includes(registration.webinarId));
  if (!sync.enabled || own.length === 0 || isLeftOut(sync, email)) return undefined;
  const result = lastResult(own);
  const values = valuesOf(own, result, revenue);
  const fields = Object.entries(sync.fields).flatMap(([name, { key, policy }]) => {
    const value = values[name as SyncField];
    return value === undefined ? [] : [[key, { value, policy }] as const];
  });
  const switches = tagsOf(own, result, revenue);
  return {
    fields: Object.fromEntries(fields),
    tags: Object.fromEntries(
      sync.tags.use.flatMap((name) =>
        switches[name] === undefined ? [] : [[`${sync.tags.prefix}${syncTags[name]}`, switches[name]]],
      ),
    ),
    // Only a registration adds people to lists (`sync-subscriber.ts`).
    lists: {},
    events: [],
  };
}

type Result = 'attended' | 'missed';

const isLive = ({ registration }: PersonAttendee): boolean => registration.status !== 'cancelled';

/** Undefined until the attendee has watched for the minimum time, or has become a no-show after the end. */
const resultOf = (attendee: PersonAttendee): Result | undefined =>
  hasAttended(attendee) ? 'attended' : attendee.registration.status === 'no_show' ? 'missed' : undefined;

/** The result of the latest session that has one. */
const lastResult = (attendees: readonly PersonAttendee[]): Result | undefined =>
  attendees
    .filter((attendee) => isLive(attendee) && resultOf(attendee) !== undefined)
    .toSorted((one, other) => one.session.startsAt.getTime() - other.session.startsAt.getTime())
    .map(resultOf)
    .at(-1);

function valuesOf(
  attendees: readonly PersonAttendee[],
  result: Result | undefined,
  revenue: PersonFacts['revenue'],
): Partial<Record<SyncField, FieldValue | undefined>> {
  const last = attendees.findLast(isLive);
  const seenMs = attendees.flatMap(({ lastSeenAt }) => lastSeenAt?.getTime() ?? []);
  return {
    lastWebinar: last?.webinar.title,
    registeredAt: last?.registration.registeredAt.toISOString(),
    attended: result && result === 'attended',
    watchedPercent: Math.max(...attendees.map(({ facts }) => facts.watchedPercent)),
    lastSeenAt: seenMs.length > 0 ? new Date(Math.max(...seenMs)).toISOString() : undefined,
    revenue: revenueOf(attendees, revenue),
  };
}

/** In major units. Currencies are never added together: that of the last registration with revenue counts. */
function revenueOf(
  attendees: readonly PersonAttendee[],
  revenue: PersonFacts['revenue'],
): number | undefined {
  const sums = attendees.flatMap(({ registration }) => revenue.get(registration.id) ?? []);
  const currency = sums.at(-1)?.currency;
  if (currency === undefined) return undefined;
  const minor = sums.reduce((sum, one) => sum + (one.currency === currency ? one.netMinor : 0), 0);
  return minor / 10 ** digitsOf(currency);
}

const digitsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** True: added. False: removed. A tag that the person cannot have is not removed, because that may cost a call. */
function tagsOf(
  attendees: readonly PersonAttendee[],
  result: Result | undefined,
  revenue: PersonFacts['revenue'],
): Partial<Record<SyncTag, boolean>> {
  const hadResult = (one: Result): boolean => attendees.some((attendee) => resultOf(attendee) === one);
  const hasPurchased = attendees.some(({ registration }) => registration.purchased);
  const hadRevenue = attendees.some(({ registration }) => revenue.has(registration.id));
  return {
    registered: attendees.some(isLive),
    ...(hadResult('attended') && { attended: result === 'attended' }),
    // A no-show who watches later had the tag, and nothing shows it any more.
    ...((result === 'attended' || hadResult('missed')) && { missed: result === 'missed' }),
    ...(attendees.some(({ facts }) => facts.watchedPercent >= 50) && { watched50: true }),
    ...(attendees.some(({ facts }) => Object.keys(facts.clicks).length > 0) && { clicked: true }),
    ...((hasPurchased || hadRevenue) && { purchased: hasPurchased }),
  };
}

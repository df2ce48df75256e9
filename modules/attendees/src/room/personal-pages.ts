// The pages of one attendee outside of the room: before, during and after the session. They open no visit and count nothing.
import { createEvaluation } from '@service/conditions/budget';
import {
  type AccountReader,
  accountWriter,
  type AccountWriter,
  type Database,
  databaseTime,
} from '@service/database';
import {
  acceptsEvents,
  loadInteractions,
  publicSlots,
  publicTitleOf,
  type SessionSubscriber,
  statusAt,
} from '@service/webinars';
import type { z } from 'zod';
import { type Attendee, factsOf, findAttendees } from '../attendance/find-attendees.ts';
import { attendeeErrors } from '../errors.ts';
import type { EventSubscriber } from '../event/event-subscriber.ts';
import { chatMessages } from '../event/past-events.ts';
import { createCalendar } from '../page/calendar.ts';
import { calendarLinksOf } from '../page/calendar-links.ts';
import { pageLocaleOf, slotToOutput } from '../page/read-page.ts';
import type { BrandingReader } from '../page/schemas.ts';
import { cancelRegistration, moveRegistration } from '../registration/change-registration.ts';
import type { JoinLinks, JoinToken } from '../registration/join-token.ts';
import { endedAt, lobbyOpensAt, phaseAt, replayEndsAt } from './phase.ts';
import type { ChangeSessionInput, PersonalPage } from './schemas.ts';
import { asksForMessages, metBy, offeredIn } from './shown-interactions.ts';

export interface PersonalPageParts {
  database: Pick<Database, 'ofAccount'>;
  joinLinks: Pick<JoinLinks, 'urlOf' | 'clickUrlOf'>;
  subscriber: EventSubscriber & SessionSubscriber;
  readBranding: BrandingReader;
  /** Without a trailing slash. */
  baseUrl: string;
  /** Called after a commit that changed a registration. */
  onChanged: (accountId: string, webinarId: string) => void;
  now?: (() => Date) | undefined;
}

/** Each call throws join_link_expired for a replaced link and for a webinar that is not published any more. */
export type PersonalPages = ReturnType<typeof createPersonalPages>;

export function createPersonalPages({
  database,
  joinLinks,
  subscriber,
  readBranding,
  baseUrl,
  onChanged,
  now = databaseTime,
}: PersonalPageParts) {
  const read = async (token: JoinToken): Promise<PersonalPage> => {
    const { accountId } = token;
    const { query } = database.ofAccount(accountId);
    const reader = { query, accountId, now: now() };
    const holder = await findHolder(reader, token);
    const [slots, branding] = await Promise.all([publicSlots(reader, holder.webinar), readBranding(reader)]);
    const { isSuspended: _isSuspended, ...shown } = branding;
    return {
      ...toPage(holder, reader.now),
      branding: shown,
      calendar: calendarLinksOf({
        title: publicTitleOf(holder.webinar),
        joinUrl: joinLinks.urlOf(holder.registration),
        session: holder.session,
      }),
      changeableTo: mayChange(holder)
        ? slots
            .filter(({ startsAt }) => startsAt.getTime() !== holder.session.startsAt.getTime())
            .map(slotToOutput)
        : [],
      nextStep: await nextStepOf(reader, holder, {
        joinLinks,
        pageUrl: slots.some(({ isFull }) => !isFull) ? `${baseUrl}/w/${holder.webinar.slug}` : undefined,
      }),
    };
  };

  const change = async (
    token: JoinToken,
    work: (tx: AccountWriter, holder: Attendee) => Promise<unknown>,
  ): Promise<PersonalPage> => {
    const { accountId } = token;
    await database.ofAccount(accountId).transaction(async (transaction) => {
      const tx = accountWriter(transaction, { accountId, now: now() });
      const holder = await findHolder(tx, token);
      await work(tx, holder);
      tx.afterCommit(() => onChanged(accountId, holder.webinar.id));
    });
    return read(token);
  };

  return {
    read,
    /** Moves an attendee who has not joined. Throws like `moveRegistration`. */
    changeSession: (token: JoinToken, { sessionTime }: z.output<typeof ChangeSessionInput>) =>
      change(token, (tx, { registration: { id: registrationId, webinarId } }) =>
        moveRegistration(
          tx,
          { webinarId, registrationId, sessionTime },
          { subscriber, by: { kind: 'attendee' } },
        ),
      ),
    /** Cancels the registration of an attendee who has not joined. Throws registration_attended, session_ended. */
    cancel: (token: JoinToken) =>
      change(token, async (tx, { registration, session }) => {
        const { id: registrationId, webinarId, status } = registration;
        if (status === 'cancelled') return;
        if (status !== 'registered') throw attendeeErrors.registration_attended();
        if (statusAt(session, tx.now) === 'ended')
          throw attendeeErrors.session_ended({ details: { status: 'ended' } });
        await cancelRegistration(tx, { webinarId, registrationId, onlyAbsent: true }, subscriber);
      }),
    /** The session as a calendar file. */
    async calendar(token: JoinToken): Promise<string> {
      const { accountId } = token;
      const reader = { query: database.ofAccount(accountId).query, accountId, now: now() };
      const { registration, session, webinar } = await findHolder(reader, token);
      const isCancelled = registration.status === 'cancelled' || session.status === 'cancelled';
      return createCalendar(
        {
          registrationId: registration.id,
          changedAt: reader.now,
          title: publicTitleOf(webinar),
          startsAt: session.startsAt,
          endsAt: session.endsAt,
          joinLink: joinLinks.urlOf(registration),
        },
        { isCancelled },
      ).content;
    },
  };
}

type Reader = Pick<AccountReader, 'query' | 'accountId' | 'now'>;

/** The attendee of a token, also of a cancelled registration. Throws join_link_expired. */
async function findHolder(reader: Reader, { registrationId, tokenVersion }: JoinToken): Promise<Attendee> {
  const [attendee] = await findAttendees(reader, [registrationId]);
  if (attendee?.registration.tokenVersion !== tokenVersion || !acceptsEvents(attendee.webinar))
    throw attendeeErrors.join_link_expired();
  return attendee;
}

const mayChange = ({ registration, facts }: Attendee): boolean =>
  registration.status === 'registered' && !facts.joined;

function toPage(holder: Attendee, now: Date) {
  const { registration, session, webinar } = holder;
  const phase = registration.status === 'cancelled' ? 'cancelled' : phaseAt(holder, now);
  const status = statusAt(session, now);
  const availableUntil = replayEndsAt(holder);
  return {
    serverNow: now.toISOString(),
    locale: pageLocaleOf(webinar),
    phase,
    opensAt: phase === 'scheduled' ? lobbyOpensAt(holder).toISOString() : null,
    webinar: {
      id: webinar.id,
      slug: webinar.slug,
      title: publicTitleOf(webinar),
      description: webinar.description ?? null,
      kind: webinar.kind,
      timezone: webinar.timezone,
      durationSeconds: webinar.durationSeconds,
      posterUrl: webinar.video?.posterUrl ?? null,
      presenters: webinar.registrationPage.presenters,
      takeaways: webinar.registrationPage.takeaways,
    },
    attendee: { name: registration.name },
    session: {
      id: session.id,
      kind: session.kind,
      startsAt: session.startsAt.toISOString(),
      endsAt: (status === 'ended' ? endedAt(holder) : session.endsAt).toISOString(),
      status,
    },
    isTest: registration.status === 'test',
    replay:
      availableUntil === undefined
        ? null
        : { availableUntil: status === 'ended' ? (availableUntil?.toISOString() ?? null) : null },
  } satisfies Partial<PersonalPage>;
}

interface NextOptions {
  joinLinks: Pick<JoinLinks, 'clickUrlOf'>;
  /** The registration page, if a session can be booked. */
  pageUrl: string | undefined;
}

/** After the session: the last offer of the replay that this attendee may see, else the next session. */
async function nextStepOf(
  reader: Reader,
  holder: Attendee,
  { joinLinks, pageUrl }: NextOptions,
): Promise<PersonalPage['nextStep']> {
  const { registration } = holder;
  const phase = phaseAt(holder, reader.now);
  const isAfter = registration.status !== 'cancelled' && (phase === 'ended' || phase === 'replay');
  const offer = isAfter ? await findLastOffer(reader, holder) : undefined;
  if (offer && 'buttonLabel' in offer.details)
    return {
      kind: 'offer',
      headline: offer.headline,
      clickUrl: joinLinks.clickUrlOf(registration, offer.id),
      buttonLabel: offer.details.buttonLabel,
    };
  const isOver = isAfter || phase === 'cancelled' || registration.status === 'cancelled';
  return isOver && pageUrl !== undefined ? { kind: 'next_session', url: pageUrl } : null;
}

async function findLastOffer(reader: Reader, { registration, session, facts }: Attendee) {
  const { webinarId } = registration;
  const list = await loadInteractions(reader.query, reader.accountId, [{ webinarId, id: null }]);
  const offers = offeredIn(list, true).filter(({ type }) => type === 'offer');
  const attendee = { registrationId: registration.id, sessionId: session.id };
  const said = asksForMessages(offers) ? await chatMessages(reader, [attendee]) : undefined;
  const budget = createEvaluation().budgetOf(registration.id);
  const met = metBy(
    offers,
    factsOf({ registration, session, facts, chatMessages: said?.get(registration.id) ?? [] }),
    budget,
  );
  budget.finish();
  return met.at(-1);
}

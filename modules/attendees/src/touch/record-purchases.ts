import { type AccountWriter, statement } from '@service/database';
import { acceptsEvents } from '@service/webinars';
import { findAttendees } from '../attendance/find-attendees.ts';
import type { EventSubscriber } from '../event/event-subscriber.ts';
import { type EventDraft, publishEvents } from '../event/publish-events.ts';

/** An event that another module found out about an attendee. */
interface RegistrationEvent extends EventDraft {
  registrationId: string;
}

/**
 * Publishes events of attendees of any webinars, in their order within each webinar. Leaves out unknown and foreign registrations,
 * and webinars that accept no events: drafts, archived and deleted ones.
 */
export async function publishForRegistrations(
  tx: AccountWriter,
  events: readonly RegistrationEvent[],
  subscriber: EventSubscriber,
): Promise<void> {
  const ids = new Set(events.map(({ registrationId }) => registrationId));
  const attendees = await findAttendees(tx, [...ids]);
  const byId = new Map(attendees.map((attendee) => [attendee.registration.id, attendee]));
  const drafts = events.flatMap(({ registrationId, ...event }) => {
    const attendee = byId.get(registrationId);
    return attendee && acceptsEvents(attendee.webinar) ? [{ ...event, ...attendee }] : [];
  });
  for (const [webinarId, own] of Map.groupBy(drafts, ({ webinar }) => webinar.id))
    await publishEvents(tx, own, await subscriber.findInterest(tx, webinarId));
}

const updatePurchased = statement({
  name: 'attendees.set_purchased',
  text: `
    with locked as (
      select r.id, changed.purchased
      from attendees.registration r join unnest($2::uuid[], $3::boolean[]) as changed (id, purchased) on changed.id = r.id
      where r.account_id = $1 and r.purchased <> changed.purchased
      order by r.session_id, r.email for no key update of r
    )
    update attendees.registration r set purchased = locked.purchased
    from locked where r.account_id = $1 and r.id = locked.id`,
});

/**
 * Sets whether a purchase is credited to each registration, for filters and conditions. Rows are locked in the order in which bulk
 * calls lock them, so that no two transactions wait for each other. Ids that do not exist or belong to another account are left out.
 */
export async function setPurchased(
  { query, accountId }: Pick<AccountWriter, 'query' | 'accountId'>,
  purchasedById: ReadonlyMap<string, boolean>,
): Promise<void> {
  if (purchasedById.size === 0) return;
  await query(updatePurchased, [accountId, [...purchasedById.keys()], [...purchasedById.values()]]);
}

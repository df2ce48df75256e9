// Events and deliveries of the account under load, read from the tables.
import type { ChaosWorld } from './world.ts';

export interface RegistrationRecord {
  email: string;
  /** `registered` events. */
  events: number;
  /** Deliveries of them, in any state. */
  deliveries: number;
  /** The number of deliveries there must be: one for each rule of its webinar. */
  rules: number;
}

export interface DeliveryRecord {
  id: string;
  url: string | null;
  /** By this machine's clock in milliseconds, as the API wrote it. */
  createdAt: number;
  /** `vanished`: no longer in the queue, without a record of its end. */
  status: 'waiting' | 'success' | 'failure' | 'cancelled' | 'vanished';
  attempts: number;
  /** True when their numbers are 1, 2, 3 and so on. */
  numbered: boolean;
  successes: number;
}

const selectRegistrations = `
  select registration.email, coalesce(events.count, 0) as events, coalesce(made.count, 0) as deliveries,
    coalesce(rules.count, 0) as rules
  from attendees.registration
  left join (
    select registration_id, count(*)::int as count from attendees.attendee_event
    where type = 'registered' group by registration_id
  ) events on events.registration_id = registration.id
  left join (
    select execution.registration_id, count(*)::int as count from automations.execution
    join deliveries.delivery on delivery.id = execution.delivery_id group by execution.registration_id
  ) made on made.registration_id = registration.id
  left join (
    select webinar_id, count(*)::int as count from automations.rule group by webinar_id
  ) rules on rules.webinar_id = registration.webinar_id
  where registration.account_id = $1`;

const selectDeliveries = `
  select delivery.id, endpoint.url, extract(epoch from delivery.created_at)::float8 * 1000 as "createdAt",
    case
      when due.delivery_id is not null then 'waiting'
      when delivery.ended_as is not null then delivery.ended_as
      when last.failure is null and attempts.count > 0 then 'success'
      else 'vanished'
    end as status,
    coalesce(attempts.count, 0) as attempts,
    coalesce(attempts.lowest = 1 and attempts.highest = attempts.count, true) as numbered,
    coalesce(attempts.successes, 0) as successes
  from deliveries.delivery
  left join deliveries.endpoint on endpoint.id = delivery.endpoint_id
  left join deliveries.due on due.delivery_id = delivery.id
  left join (
    select delivery_id, count(*)::int as count, min(number) as lowest, max(number) as highest,
      (count(*) filter (where failure is null))::int as successes
    from deliveries.attempt group by delivery_id
  ) attempts on attempts.delivery_id = delivery.id
  left join deliveries.attempt last on last.delivery_id = delivery.id and last.number = attempts.highest
  where delivery.account_id = $1`;

export const readRegistrations = (world: ChaosWorld): Promise<RegistrationRecord[]> =>
  world.query<RegistrationRecord>(selectRegistrations, [world.accountId]);

export const readDeliveries = (world: ChaosWorld): Promise<DeliveryRecord[]> =>
  world.query<DeliveryRecord>(selectDeliveries, [world.accountId]);

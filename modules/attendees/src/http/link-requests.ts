// A person who has lost their join link, or has one that was replaced, asks for it by mail. The answer is sent before anything is
// looked up, so neither it nor its time says who is registered.
import { accountWriter, createConnectionGate, type Database, statement } from '@service/database';
import type { Log } from '@service/log';
import { addressKey, createBuckets } from '@service/rest';
import { acceptsEvents, loadWebinars } from '@service/webinars';
import type { Request } from 'express';
import { hash } from 'node:crypto';
import type { z } from 'zod';
import { type Registration, registrationRow } from '../entities/registration.ts';
import { attendeeErrors } from '../errors.ts';
import type { EventSubscriber } from '../event/event-subscriber.ts';
import type { JoinLinks } from '../registration/join-token.ts';
import type { LinkRequestInput } from '../room/schemas.ts';
import type { SlugLookup } from './page-admission.ts';

interface LinkRequestParts {
  database: Pick<Database, 'ofAccount'>;
  lookUpSlug: SlugLookup;
  joinLinks: Pick<JoinLinks, 'read'>;
  subscriber: EventSubscriber;
  log: Log;
  now: () => Date;
}

const limitsOf = {
  perNetwork: { burst: 20, perMinute: 5 },
  // Beyond these, a request does nothing, and its answer is the same.
  perAddress: { burst: 3, perMinute: 0.2 },
  perAccount: { burst: 300, perMinute: 60 },
};

/** Requests that are being looked up. More do nothing, and the person asks again. */
const openMax = 1000;

/** Those of one account, whose statements may wait: they must not use up the requests of the others. */
const turnLimits = { places: Infinity, accountMax: 4, waitMaxMs: 5000, waitingMax: 20 };

const selectRegistration = statement({
  name: 'attendees.select_registration_of_request',
  text: `
    select r.* from attendees.registration r
    where r.account_id = $1 and r.email = $2 and r.status not in ('cancelled', 'test') and r.webinar_id = coalesce(
      $3::uuid, (select o.webinar_id from attendees.registration o where o.account_id = $1 and o.id = $4::uuid))
    order by r.id desc limit 1`,
  row: registrationRow.columns,
});

interface Wanted {
  accountId: string;
  webinarId?: string;
  /** A registration of the webinar. */
  registrationId?: string;
}

export function createLinkRequests({
  database,
  lookUpSlug,
  joinLinks,
  subscriber,
  log,
  now,
}: LinkRequestParts) {
  const perNetwork = createBuckets(limitsOf.perNetwork);
  const perAddress = createBuckets(limitsOf.perAddress);
  const perAccount = createBuckets(limitsOf.perAccount);
  const turns = createConnectionGate(turnLimits);
  let open = 0;

  const findWanted = async ({
    token,
    slug,
  }: z.output<typeof LinkRequestInput>): Promise<Wanted | undefined> => {
    const read = token === undefined ? null : joinLinks.read(token);
    if (read) return read.isProved ? read.token : read;
    return slug === undefined ? undefined : lookUpSlug(slug);
  };

  const mail = async (input: z.output<typeof LinkRequestInput>): Promise<void> => {
    const wanted = await findWanted(input);
    if (!wanted) return;
    const { accountId } = wanted;
    const key = hash('sha256', `${accountId} ${input.email}`, 'base64');
    if (perAddress.take(key, now()) !== undefined || perAccount.take(accountId, now()) !== undefined) return;
    const leave = await turns.enter(accountId);
    try {
      const account = database.ofAccount(accountId);
      const registration = await findRegistration(account.query, wanted, input.email);
      if (!registration) return;
      await account.transaction(async (tx) =>
        subscriber.onLinkRequested?.(accountWriter(tx, { accountId, now: now() }), registration),
      );
    } finally {
      leave();
    }
  };

  return {
    /** Before the body is read. Throws too_many_link_requests. */
    admit({ ip = '' }: Request): void {
      const retryAfterSeconds = perNetwork.take(addressKey(ip), now());
      if (retryAfterSeconds !== undefined) throw attendeeErrors.too_many_link_requests({ retryAfterSeconds });
    },
    /** Returns at once. */
    take(input: z.output<typeof LinkRequestInput>): void {
      if (open >= openMax) return;
      open += 1;
      void mail(input)
        .catch((error: unknown) => log.warn({ err: error }, 'Could not mail a join link again'))
        .finally(() => (open -= 1));
    },
  };
}

async function findRegistration(
  query: Database['query'],
  { accountId, webinarId, registrationId }: Wanted,
  email: string,
): Promise<Registration | undefined> {
  const [row] = await query(selectRegistration, [
    accountId,
    email,
    webinarId ?? null,
    registrationId ?? null,
  ]);
  if (!row) return undefined;
  const registration = registrationRow.toEntity(row);
  const id = registration.webinarId;
  const webinar = (await loadWebinars(query, [{ accountId, id }])).get(id);
  return webinar && acceptsEvents(webinar) ? registration : undefined;
}

// What other modules do with endpoints. A URL is judged (packages/outbound-http) by whoever takes it from a person.
import { raw } from '@mikro-orm/postgresql';
import { createId, type AccountReader, type AccountWriter } from '@service/database';
import type { SecretBox } from '@service/secrets';
import { createSecret } from '@service/signing';
import { deliveryErrors } from '../errors.ts';
import type { EndpointHealthOutput } from '../schemas.ts';
import { untilFormerIsUnused } from './destinations.ts';
import { EndpointHealth } from './endpoint-health.ts';
import { Endpoint } from './endpoint.ts';
import { healthToOutput } from './health-output.ts';

export interface EndpointSummary {
  id: string;
  url: string;
  secretLast4: string;
  createdAt: Date;
  health: EndpointHealthOutput;
}

export async function createEndpoint(
  tx: AccountWriter,
  { url, enabled }: { url: string; enabled: boolean },
  secretBox: SecretBox,
) {
  const id = createId();
  const secret = createSecret();
  const secretLast4 = secret.slice(-4);
  await tx.em.insert(Endpoint, {
    id,
    accountId: tx.accountId,
    url,
    enabled,
    sealedSecret: secretBox.seal(secret, id),
    secretLast4,
    createdAt: tx.now,
  });
  return { endpointId: id, secret, secretLast4 };
}

/** Where nothing is sent: a claim that finds no endpoint cancels. */
const nowhere = '00000000-0000-0000-0000-000000000000';

const cancelUnheld = `
  with waiting as materialized (
    select delivery_id from deliveries.due
    where account_id = ? and endpoint_id = ? and (leased_until is null or leased_until <= now())
    for update
  ), removed as (
    delete from deliveries.due using waiting where due.delivery_id = waiting.delivery_id and due.account_id = ?
  )
  update deliveries.delivery set ended_as = 'cancelled'
  from waiting where delivery.id = waiting.delivery_id and delivery.account_id = ?`;

// What a worker holds is left to it: its attempt is recorded, and should that fail the next claim cancels. A row whose
// result is being written at this very moment is passed over, since waiting for it could be waiting for each other.
const detachHeld = `
  update deliveries.due set endpoint_id = ?
  where account_id = ? and delivery_id in (
    select delivery_id from deliveries.due where account_id = ? and endpoint_id = ? for update skip locked
  )`;

/** Switched off, nothing is sent to an endpoint and what waits is cancelled; switched on, new deliveries go. */
export async function setEnabled(tx: AccountWriter, endpointId: string, enabled: boolean): Promise<void> {
  await change(tx, endpointId, { enabled });
  if (!enabled) await cancelWaiting(tx, endpointId);
}

export async function deleteEndpoint(tx: AccountWriter, endpointId: string): Promise<void> {
  const { em, accountId } = tx;
  const deleted = await em.nativeDelete(Endpoint, { id: endpointId, accountId });
  if (deleted === 0) throw deliveryErrors.endpoint_not_found();
  tx.afterCommit(untilFormerIsUnused);
  await cancelWaiting(tx, endpointId);
}

/** From now on everything goes to this URL. What was held for the former one is let go. */
export async function moveEndpoint(tx: AccountWriter, endpointId: string, url: string): Promise<void> {
  await change(tx, endpointId, { url });
  await tx.em.execute(startAnew, [tx.accountId, endpointId], 'run');
}

export async function rotateSecret(
  tx: AccountWriter,
  endpointId: string,
  secretBox: SecretBox,
): Promise<{ secret: string; secretLast4: string }> {
  const secret = createSecret();
  const secretLast4 = secret.slice(-4);
  await change(tx, endpointId, { sealedSecret: secretBox.seal(secret, endpointId), secretLast4 });
  return { secret, secretLast4 };
}

/** A paused endpoint is tried as soon as a worker looks, with the delivery that is next; nothing happens to others. */
export async function probe({ em, accountId }: AccountWriter, endpointId: string): Promise<void> {
  const paused = { endpointId, accountId, state: 'paused' as const };
  const found = await em.nativeUpdate(EndpointHealth, paused, { probeAt: raw('now()') });
  if (found > 0) await em.execute(holdNext, [accountId, endpointId, accountId, endpointId], 'run');
}

// A probe sends the oldest that is held. Where nothing is, because all of it waits for its own time, the next one is.
const holdNext = `
  update deliveries.due set due_at = 'infinity'
  where (delivery_id, account_id) in (
    select delivery_id, account_id from deliveries.due
    where account_id = ? and endpoint_id = ? and (leased_until is null or leased_until <= now())
    order by due_at, delivery_id limit 1 for update skip locked)
  and not exists (
    select from deliveries.due where account_id = ? and endpoint_id = ? and due_at = 'infinity')`;

async function change(
  tx: AccountWriter,
  endpointId: string,
  values: Partial<Pick<Endpoint, 'url' | 'enabled' | 'sealedSecret' | 'secretLast4'>>,
): Promise<void> {
  const { em, accountId } = tx;
  const changed = await em.nativeUpdate(Endpoint, { id: endpointId, accountId }, values);
  if (changed === 0) throw deliveryErrors.endpoint_not_found();
  tx.afterCommit(untilFormerIsUnused);
}

async function cancelWaiting({ em, accountId }: AccountWriter, endpointId: string): Promise<void> {
  await em.nativeDelete(EndpointHealth, { endpointId, accountId });
  await em.execute(cancelUnheld, [accountId, endpointId, accountId, accountId], 'run');
  await em.execute(detachHeld, [nowhere, accountId, accountId, endpointId], 'run');
}

const startAnew = `
  update deliveries.endpoint_health
  set state = 'draining', failures = 0, probes = 0, probe_at = now(), drain_rate = 16
  where account_id = ? and endpoint_id = ?`;

export async function revealSecret(
  reader: AccountReader,
  endpointId: string,
  secretBox: SecretBox,
): Promise<string> {
  const endpoint = await reader.em.findOne(Endpoint, { id: endpointId, accountId: reader.accountId });
  if (!endpoint) throw deliveryErrors.endpoint_not_found();
  return secretBox.open(endpoint.sealedSecret, endpoint.id);
}

export async function findEndpoints(
  reader: AccountReader,
  endpointIds: readonly string[],
): Promise<Map<string, EndpointSummary>> {
  if (endpointIds.length === 0) return new Map();
  const { em, accountId } = reader;
  const ids = [...endpointIds];
  const endpoints = await em.find(
    Endpoint,
    { accountId, id: { $in: ids } },
    { fields: ['url', 'secretLast4', 'createdAt'] },
  );
  const unwell = await em.find(EndpointHealth, { accountId, endpointId: { $in: ids } });
  const healthById = new Map(unwell.map((health) => [health.endpointId, health]));
  return new Map(
    endpoints.map(({ id, url, secretLast4, createdAt }) => [
      id,
      { id, url, secretLast4, createdAt, health: healthToOutput(healthById.get(id)) },
    ]),
  );
}

// What other modules do with endpoints. A URL is judged (packages/outbound-http) by whoever takes it from a person.
import { createId, type AccountReader, type AccountWriter } from '@service/database';
import type { SecretBox } from '@service/secrets';
import { createSecret } from '@service/signing';
import { Endpoint } from './endpoint.ts';
import { deliveryErrors } from './errors.ts';

export interface EndpointSummary {
  id: string;
  url: string;
  secretLast4: string;
  createdAt: Date;
}

export async function createEndpoint(tx: AccountWriter, input: { url: string }, secretBox: SecretBox) {
  const id = createId();
  const secret = createSecret();
  const secretLast4 = secret.slice(-4);
  await tx.em.insert(Endpoint, {
    id,
    accountId: tx.accountId,
    url: input.url,
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

export async function cancelWaiting({ em, accountId }: AccountWriter, endpointId: string): Promise<void> {
  await em.execute(cancelUnheld, [accountId, endpointId, accountId, accountId], 'run');
  await em.execute(detachHeld, [nowhere, accountId, accountId, endpointId], 'run');
}

export async function deleteEndpoint(tx: AccountWriter, endpointId: string): Promise<void> {
  const { em, accountId } = tx;
  const deleted = await em.nativeDelete(Endpoint, { id: endpointId, accountId });
  if (deleted === 0) throw deliveryErrors.endpoint_not_found();
  await cancelWaiting(tx, endpointId);
}

export async function moveEndpoint(
  { em, accountId }: AccountWriter,
  endpointId: string,
  url: string,
): Promise<void> {
  const moved = await em.nativeUpdate(Endpoint, { id: endpointId, accountId }, { url });
  if (moved === 0) throw deliveryErrors.endpoint_not_found();
}

export async function rotateSecret(
  { em, accountId }: AccountWriter,
  endpointId: string,
  secretBox: SecretBox,
): Promise<{ secret: string; secretLast4: string }> {
  const secret = createSecret();
  const secretLast4 = secret.slice(-4);
  const sealedSecret = secretBox.seal(secret, endpointId);
  const rotated = await em.nativeUpdate(
    Endpoint,
    { id: endpointId, accountId },
    { sealedSecret, secretLast4 },
  );
  if (rotated === 0) throw deliveryErrors.endpoint_not_found();
  return { secret, secretLast4 };
}

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
  const endpoints = await reader.em.find(
    Endpoint,
    { accountId: reader.accountId, id: { $in: [...endpointIds] } },
    { fields: ['url', 'secretLast4', 'createdAt'] },
  );
  return new Map(
    endpoints.map(({ id, url, secretLast4, createdAt }) => [id, { id, url, secretLast4, createdAt }]),
  );
}

// Operations of other modules on endpoints. The caller must have checked the URL with packages/outbound-http.
import { column, createId, statement, type AccountReader, type AccountWriter } from '@service/database';
import type { SecretBox } from '@service/secrets';
import { createSecret } from '@service/signing';
import { isFree } from '../due.ts';
import { deliveryErrors } from '../errors.ts';
import type { EndpointHealthOutput } from '../schemas.ts';
import { cancelLater, cancelWaiting, countCancellable, finishCancellation } from './cancel-waiting.ts';
import type { CancelledDeliveriesOutput } from './cancel-waiting.ts';
import { Endpoint, EndpointHealth, healthToOutput } from './endpoint.ts';
import { drainStart } from './health-machine.ts';
import { untilFormerIsUnused } from './open-destinations.ts';

export interface EndpointSummary {
  id: string;
  url: string;
  secretLast4: string;
  createdAt: Date;
  /** Nothing is sent until the endpoint is resumed. */
  halted: boolean;
  health: EndpointHealthOutput;
}

/** Makes an endpoint with a new secret. */
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

/**
 * Switching an endpoint off cancels its waiting deliveries, which are counted, and ends a halt; an attempt in flight is recorded and not
 * repeated if it fails. Switching it on sends new deliveries only; it returns null. Throws endpoint_not_found.
 */
export async function setEnabled(
  tx: AccountWriter,
  endpointId: string,
  enabled: boolean,
): Promise<CancelledDeliveriesOutput | null> {
  await change(tx, endpointId, { enabled });
  if (enabled) {
    await finishCancellation(tx, endpointId);
    return null;
  }
  const counted = await countCancellable(tx, endpointId);
  await cancelWaiting(tx, endpointId);
  return counted;
}

/**
 * Halts an endpoint: nothing but tests is sent, deliveries wait, and none is lost. Resuming it releases them step by step. Throws
 * endpoint_not_found.
 */
export async function setHalted(tx: AccountWriter, endpointId: string, halted: boolean): Promise<void> {
  const { query, accountId } = tx;
  const [endpoint] = await query(lockEndpoint, [accountId, endpointId]);
  if (!endpoint) throw deliveryErrors.endpoint_not_found();
  if (halted) await query(halt, [accountId, endpointId]);
  else await startDraining(tx, endpointId, 'halted');
  tx.afterCommit(untilFormerIsUnused);
}

/** $1 account, $2 endpoint. */
const halt = statement({
  text: `
    insert into deliveries.endpoint_health as health
      (account_id, endpoint_id, state, failures, since, probes, drain_rate)
    values ($1, $2, 'halted', 0, now(), 0, 0)
    on conflict (endpoint_id, account_id) do update set state = excluded.state, probe_at = null`,
});

/** True while an endpoint is halted. */
export async function isHalted({ query, accountId }: AccountWriter, endpointId: string): Promise<boolean> {
  const rows = await query(selectHalted, [accountId, endpointId]);
  return rows.length > 0;
}

const selectHalted = statement({
  text: `
    select endpoint_id from deliveries.endpoint_health
    where account_id = $1 and endpoint_id = $2 and state = 'halted'`,
  row: { endpoint_id: column.id },
});

/** Deletes an endpoint and cancels its waiting deliveries. Throws endpoint_not_found. */
export async function deleteEndpoint(tx: AccountWriter, endpointId: string): Promise<void> {
  const { em, accountId } = tx;
  const deleted = await em.nativeDelete(Endpoint, { id: endpointId, accountId });
  if (deleted === 0) throw deliveryErrors.endpoint_not_found();
  tx.afterCommit(untilFormerIsUnused);
  await cancelWaiting(tx, endpointId);
}

/** Deletes endpoints, however many. Nothing is sent to them any more; workers cancel their waiting deliveries. */
export async function deleteEndpoints(tx: AccountWriter, endpointIds: readonly string[]): Promise<void> {
  if (endpointIds.length === 0) return;
  const { em, accountId } = tx;
  await em.nativeDelete(Endpoint, { id: { $in: [...endpointIds] }, accountId });
  tx.afterCommit(untilFormerIsUnused);
  await cancelLater(tx, endpointIds);
}

/**
 * Sends everything to this URL from now on. Deliveries that were parked because of the former URL are released. Does nothing if the
 * endpoint has this URL already, which programs send with every change of a rule. A halted endpoint stays halted. Throws
 * endpoint_not_found.
 */
export async function moveEndpoint(tx: AccountWriter, endpointId: string, url: string): Promise<void> {
  const same = await tx.query(selectByUrl, [tx.accountId, endpointId, url]);
  if (same.length > 0) return;
  await change(tx, endpointId, { url });
  await tx.query(markUntried, [tx.accountId, endpointId]);
  await startDraining(tx, endpointId, 'not halted');
}

/** $1 account, $2 endpoint. A healthy endpoint gets a row if something waits for it. */
const markUntried = statement({
  text: `
    insert into deliveries.endpoint_health
      (account_id, endpoint_id, state, failures, since, probes, drain_rate, is_untried)
    select $1, $2, 'failing', 0, now(), 0, 0, true
    where exists (select from deliveries.due where account_id = $1 and endpoint_id = $2)
      or exists (select from deliveries.endpoint_health where account_id = $1 and endpoint_id = $2)
    on conflict (endpoint_id, account_id) do update set is_untried = true`,
});

/** Releases what is parked for an endpoint that is halted, or for one that is not. */
async function startDraining(
  { query, accountId }: AccountWriter,
  endpointId: string,
  which: 'halted' | 'not halted',
): Promise<void> {
  const { state, failures, probes, drainRate } = drainStart;
  await query(startDrain, [accountId, endpointId, state, failures, probes, drainRate, which === 'halted']);
}

const selectByUrl = statement({
  name: 'deliveries.select_endpoint_by_url',
  text: `select id from deliveries.endpoint where account_id = $1 and id = $2 and url = $3`,
  row: { id: column.id },
});

const startDrain = statement({
  name: 'deliveries.start_drain',
  text: `
    update deliveries.endpoint_health set state = $3, failures = $4, probes = $5, drain_rate = $6, probe_at = now()
    where account_id = $1 and endpoint_id = $2 and (state = 'halted') = $7`,
});

/** Replaces the secret, for retries too. Throws endpoint_not_found. */
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

/** Has a paused endpoint probed at once, with its next delivery. Does nothing to other endpoints. */
export async function probe({ query, accountId }: AccountWriter, endpointId: string): Promise<void> {
  const paused = await query(probeNow, [accountId, endpointId]);
  if (paused.length > 0) await query(parkNext, [accountId, endpointId]);
}

const probeNow = statement({
  name: 'deliveries.probe_now',
  text: `
    update deliveries.endpoint_health set probe_at = now()
    where account_id = $1 and endpoint_id = $2 and state = 'paused' returning endpoint_id`,
  row: { endpoint_id: column.id },
});

// A probe sends a parked delivery. If none is parked, because all deliveries wait for their own retry, the next one is
// parked. Without a name, so that it is planned for the current queue.
const parkNext = statement({
  text: `
    update deliveries.due set due_at = 'infinity'
    where (delivery_id, account_id) in (
      select delivery_id, account_id from deliveries.due
      where account_id = $1 and endpoint_id = $2 and ${isFree}
      order by due_at, delivery_id limit 1 for update skip locked)
    and not exists (
      select from deliveries.due where account_id = $1 and endpoint_id = $2 and due_at = 'infinity')`,
});

/** $1 account, $2 endpoint. Locked, so that the endpoint is not switched off before the transaction is committed. */
export const lockEndpoint = statement({
  text: `select enabled from deliveries.endpoint where account_id = $1 and id = $2 for share`,
  row: { enabled: column.boolean },
});

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

/** The secret in clear text. The caller must check that the person may see it. Throws endpoint_not_found. */
export async function revealSecret(
  reader: AccountReader,
  endpointId: string,
  secretBox: SecretBox,
): Promise<string> {
  const endpoint = await reader.em.findOne(Endpoint, { id: endpointId, accountId: reader.accountId });
  if (!endpoint) throw deliveryErrors.endpoint_not_found();
  return secretBox.open(endpoint.sealedSecret, endpoint.id);
}

/** By id. Endpoints that do not exist or belong to another account are left out. */
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
  const unhealthy = await em.find(EndpointHealth, { accountId, endpointId: { $in: ids } });
  const healthById = new Map(unhealthy.map((health) => [health.endpointId, health]));
  return new Map(
    endpoints.map(({ id, url, secretLast4, createdAt }) => {
      const health = healthById.get(id);
      const halted = health?.state === 'halted';
      return [id, { id, url, secretLast4, createdAt, halted, health: healthToOutput(health) }];
    }),
  );
}

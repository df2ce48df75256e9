// Ended deliveries with every status, and recoveries of them.
import { idTime } from '@service/database';
import type { Deliveries, RecoveryOutput } from '@service/deliveries';
import { eventually } from '../support/eventually.ts';
import { createDeliveryWorld, type DeliveryWorld } from './delivery-world.ts';

type Ended = 'failure' | 'cancelled' | 'success';
type RecoveryRequest = Parameters<Deliveries['createRecovery']>[1];

export interface RecoveryWorld extends DeliveryWorld {
  endpointId: string;
  /** Makes deliveries with this status without sending them. Returns their ids, oldest first. */
  ended(
    status: Ended,
    drafts?: Partial<Parameters<Deliveries['enqueue']>[1][number]> & { count?: number },
  ): Promise<string[]>;
  /** Ends waiting deliveries. */
  end(deliveryIds: readonly string[], status: Ended): Promise<void>;
  redeliver(deliveryId: string): Promise<string>;
  /** A preview of the last hour by default. */
  preview(request?: Partial<RecoveryRequest>): Promise<number>;
  recover(request?: Partial<RecoveryRequest>): Promise<RecoveryOutput>;
  untilRecovery(
    recoveryId: string,
    what: string,
    is: (recovery: RecoveryOutput) => boolean,
  ): Promise<RecoveryOutput>;
  /** For each waiting redelivery, the first delivery of its message. */
  waitingFor(): Promise<string[]>;
}

const hourMs = 3_600_000;

/** Redeliveries are due after an hour, so workers do not send them. */
export async function createRecoveryWorld(): Promise<RecoveryWorld> {
  const world = await createDeliveryWorld({ retryScheduleSeconds: [3600] });
  const { accountId, deliveries, write, database } = world;
  const { endpointId } = await world.createEndpoint('http://127.0.0.1:9/hook');
  const toRequest = (request: Partial<RecoveryRequest>): RecoveryRequest => ({
    endpointId,
    since: new Date(Date.now() - hourMs),
    statuses: ['failure'],
    ...request,
  });

  const end: RecoveryWorld['end'] = async (ids, status) => {
    await database.pool.query('delete from deliveries.due where delivery_id = any($1)', [ids]);
    if (status === 'success') {
      await database.pool.query(
        `insert into deliveries.attempt (delivery_id, number, account_id, url, started_at, duration_ms, response_code)
         select id, 1, $2, '', now(), 1, 200 from unnest($1::uuid[]) as id`,
        [ids, accountId],
      );
    } else {
      await database.pool.query('update deliveries.delivery set ended_as = $2 where id = any($1)', [
        ids,
        status,
      ]);
    }
    // A recovery redelivers deliveries that were made before the millisecond in which it is created.
    const madeAt = idTime(ids.at(-1)!).getTime();
    await eventually('a new millisecond', () => Date.now() > madeAt);
  };

  return {
    ...world,
    endpointId,
    end,
    async ended(status, { count = 1, ...draft } = {}) {
      const drafts = Array.from({ length: count }, (_, index) => ({
        endpointId,
        eventType: 'registered',
        body: `body ${index}`,
        ...draft,
      }));
      const ids = await write((tx) => deliveries.enqueue(tx, drafts));
      await end(ids, status);
      return ids;
    },
    redeliver: async (deliveryId) =>
      (await write((tx) => deliveries.redeliver(tx, { deliveryId, endpointId }))).id,
    preview: async (request = {}) =>
      (await deliveries.previewRecovery(world.reader(), toRequest(request))).total,
    recover: (request = {}) => write((tx) => deliveries.createRecovery(tx, toRequest(request))),
    untilRecovery: (recoveryId, what, is) =>
      eventually(`the recovery to be ${what}`, async () => {
        const recovery = await deliveries.getRecovery(world.reader(), { recoveryId, endpointId });
        return is(recovery) && recovery;
      }),
    async waitingFor() {
      const { rows } = await database.pool.query<{ id: string }>(
        `select coalesce(redelivery_of, id) as id from deliveries.delivery
         join deliveries.due on due.delivery_id = delivery.id where is_refire order by delivery.id`,
      );
      return rows.map((row) => row.id);
    },
  };
}

export const isDone = ({ state }: RecoveryOutput): boolean => state === 'done';

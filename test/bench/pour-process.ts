// Enqueues as many deliveries to one endpoint as its parent asks for, in transactions of the API's largest bulk.
import { setTimeout as delay } from 'node:timers/promises';
import { serviceEntities } from '@service/composition';
import { openDatabase } from '@service/database';
import { answerParent } from '../support/answering-process.ts';
import { createDeliveryBenchWorld } from './delivery-bench-world.ts';
import type { PourOptions } from './pour.ts';

const batch = 500;

/** Ten times the rate that an API process accepts. A faster load would take both cores itself. */
const perSecond = 10_000;

const { url, encryptionKey, endpoint } = JSON.parse(process.argv[2]!) as PourOptions;
const database = await openDatabase({
  url,
  entities: serviceEntities,
  name: 'bench pour',
  connections: { poolSize: 2 },
});
const world = createDeliveryBenchWorld({ database, url, encryptionKey });

answerParent('ready', pour);

async function pour(deliveries: number): Promise<number> {
  const startedAt = performance.now();
  for (let done = 0; done < deliveries; done += batch) {
    await world.enqueue(Array.from({ length: Math.min(batch, deliveries - done) }, () => endpoint));
    const aheadMs = startedAt + (1000 * (done + batch)) / perSecond - performance.now();
    if (aheadMs > 0) await delay(aheadMs);
  }
  return performance.now() - startedAt;
}

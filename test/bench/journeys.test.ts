import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { clockMs } from '../support/clock-ms.ts';
import { followJourneys, latenciesOf } from './journeys.ts';
import { startReceiverProcess } from '../support/receiver-process.ts';

const post = (origin: string, path: string, deliveryId: string) =>
  fetch(`${origin}${path}`, { method: 'POST', headers: { 'webhook-id': deliveryId }, body: '{}' });

it('a journey ends with the first receipt, whether or not it is answered, and one that does not end counts', async () => {
  using receiver = await startReceiverProcess({ receivers: 1, record: 'arrivals' });
  const [origin] = receiver.origins;
  const journeys = followJourneys(receiver);
  journeys.depart(['early', 'refused', 'hanging', 'lost']);
  await post(origin!, '/ok/hook', 'early');
  expect((await post(origin!, '/refuse/hook', 'refused')).status).toBe(500);
  const beforeRetryMs = clockMs();
  await post(origin!, '/refuse/hook', 'refused');
  await receiver.setHanging(true);
  const hanging = post(origin!, '/may-hang/hook', 'hanging');
  hanging.catch(() => undefined);

  const all = await eventually('what is not answered to be received', async () => {
    const soFar = await journeys.untilArrived(0);
    return soFar[2]!.receivedMs !== undefined && soFar;
  });
  const [early, refused, hung, lost] = all;
  expect(early!.receivedMs).toBeGreaterThanOrEqual(early!.committedMs);
  expect(refused!.receivedMs).toBeLessThan(beforeRetryMs);
  expect(hung!.receivedMs).toBeGreaterThan(beforeRetryMs);
  expect(lost!.receivedMs).toBeUndefined();
  const waitedMs = clockMs() - lost!.committedMs;
  const latencies = latenciesOf(all);
  expect(latencies).toHaveLength(4);
  expect(latencies[3]).toBeGreaterThanOrEqual(waitedMs);
});

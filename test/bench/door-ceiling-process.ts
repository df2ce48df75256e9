// The least that takes a registration and sends its webhook: express writes the rows with pg, answers, posts the signed webhook and
// records the attempt, all in one process.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import pg from 'pg';
import { Pool } from 'undici';
import { answerParent } from '../support/answering-process.ts';
import { writeOne, type BareWrite, type WrittenRegistration } from './write-ceiling.ts';

const [, , databaseUrl, targetText, receiverUrl] = process.argv as [string, string, string, string, string];
const target = JSON.parse(targetText) as BareWrite;
const receiver = new URL(receiverUrl);
const database = new pg.Pool({ connectionString: databaseUrl, max: 10 });
// Shorter than the receiver keeps idle connections.
const receivers = new Pool(receiver.origin, { connections: 64, keepAliveTimeout: 1000 });
const secret = 'a secret of the usual length';

const recordAttempt = {
  name: 'attempt',
  text: `
    with ended as (delete from deliveries.due where delivery_id = $1 and account_id = $2)
    insert into deliveries.attempt (delivery_id, number, account_id, url, started_at, duration_ms, response_code)
    values ($1, 1, $2, $3, now(), 1, $4)`,
};

const app = express();
app.use(express.json());
app.post('/registrations', async (request, response) => {
  const { email } = request.body as { email: string };
  const written = await writeOne(database, target, { email, isDue: false });
  response.status(201).json({ data: { id: written.registrationId } });
  await send(written);
});
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
answerParent((server.address() as AddressInfo).port, () => undefined);

async function send({ deliveryIds: [deliveryId], body }: WrittenRegistration): Promise<void> {
  const seconds = Math.floor(Date.now() / 1000);
  const hmac = (text: string, as: 'hex' | 'base64') => createHmac('sha256', secret).update(text).digest(as);
  const answer = await receivers.request({
    method: 'POST',
    path: receiver.pathname,
    headers: {
      'content-type': 'application/json',
      'x-service-signature': `sha256=${hmac(body, 'hex')}`,
      'webhook-id': deliveryId!,
      'webhook-timestamp': String(seconds),
      'webhook-signature': `v1,${hmac(`${deliveryId!}.${seconds}.${body}`, 'base64')}`,
    },
    body,
  });
  await answer.body.dump();
  await database.query({
    ...recordAttempt,
    values: [deliveryId, target.accountId, receiverUrl, answer.statusCode],
  });
}

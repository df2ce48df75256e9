import { randomBytes, randomUUID } from 'node:crypto';
import { request } from 'undici';
import { payloadOf } from '../../support/shop.ts';
import { sendWebhook } from '../revenue/providers.ts';
import { asks, batchOf, pick, withKey, type Way } from './way.ts';

/** The first ten: costly calls, forged ones, and webhooks to receivers that hang. */
export const ways: Record<string, Way> = {
  click: asks(({ room, visits }, turn) => ({
    path: `/room/${pick(room.attendees.slice(0, visits.length), turn).join}/interactions/${room.interactionId}/clicks`,
    body: { visitId: pick(visits, turn) },
  })),
  // As many as fit into a URL, and as many as are allowed.
  trpc: asks((stage, turn) =>
    turn % 2 === 0
      ? batchOf(stage, Array(1000).fill('keys.list'))
      : batchOf(stage, Array(20).fill('webinars.list'), { limit: 100 }),
  ),
  mcp: asks((stage, turn) => {
    // As many calls as are allowed, a body that is as long as is allowed, or a token that does not exist.
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_webinars' } };
    const filler = { ...call, params: { ...call.params, arguments: { q: 'x'.repeat(250_000) } } };
    const forged = { authorization: `Bearer svc_at_${randomBytes(16).toString('hex')}` };
    return {
      path: turn % 3 === 2 ? '/mcp/connect' : '/mcp',
      headers: turn % 3 === 2 ? forged : withKey(stage),
      body: turn % 2 === 0 ? Array.from({ length: 20 }, () => call) : filler,
    };
  }),
  stream: async ({ origins, attacker }, turn, agent) => {
    const query = `input={}&connectionParams=${encodeURIComponent(JSON.stringify({ workspaceId: attacker.accountId }))}`;
    const url = `${pick(origins, turn)}/trpc/accounts.stream?${query}`;
    const { statusCode, body } = await request(url, {
      dispatcher: agent,
      headers: { cookie: attacker.cookie },
    });
    // It has no end.
    body.on('error', () => undefined).destroy();
    return statusCode;
  },
  bulk: asks((stage) => ({
    path: `/api/v1/webinars/${stage.flood.id}/registrations/bulk`,
    headers: { ...withKey(stage), 'idempotency-key': randomUUID() },
    body: {
      registrations: Array.from({ length: 500 }, (_, row) => ({
        name: 'Mallory',
        email: `mallory-${row}@example.com`,
        sessionTime: stage.flood.sessionTime,
      })),
    },
  })),
  'forged room': asks(({ victim }, turn) => {
    const { join } = pick(victim.attendees, turn);
    const forged = join.slice(0, -20) + randomBytes(15).toString('base64url');
    const path = turn % 2 === 0 ? 'visits' : `interactions/${victim.interactionId}/clicks`;
    return { path: `/room/${forged}/${path}`, body: {} };
  }),
  webhooks: asks((stage) => ({
    path: `/api/v1/webinars/${stage.flood.id}/registrations`,
    headers: withKey(stage),
    body: {
      name: 'Mallory',
      email: `${randomUUID()}@example.com`,
      sessionTime: stage.flood.sessionTime,
    },
  })),
  purchases: async ({ origins, doors }, turn, agent) => {
    const payload = payloadOf({ email: `mallory-${turn}@example.com`, filler: 'x'.repeat(200_000) });
    const webhook = {
      door: 'generic',
      eventId: payload.event_id,
      body: JSON.stringify(payload),
    } as const;
    return (await sendWebhook(doors, webhook, { origin: pick(origins, turn), agent })).status;
  },
  'forged purchases': asks(({ sellerId }, turn) => ({
    path: `/api/webhooks/revenue/${sellerId}/${turn % 2 === 0 ? 'generic' : 'stripe'}`,
    headers: {
      'x-forwarded-for': '203.0.113.9',
      'x-service-signature': `sha256=${randomBytes(32).toString('hex')}`,
      'stripe-signature': `t=${Math.floor(Date.now() / 1000)},v1=${randomBytes(32).toString('hex')}`,
    },
    body: payloadOf({ filler: 'x'.repeat(200_000) }),
  })),
};

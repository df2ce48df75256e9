import { randomBytes, randomUUID } from 'node:crypto';
import { request } from 'undici';
import { payloadOf } from '../../support/shop.ts';
import { sendWebhook } from '../revenue/providers.ts';
import { asMember, get, pick, post, type Way } from './way.ts';

/** The first ten: costly calls, forged ones, and webhooks to receivers that hang. */
export const ways: Record<string, Way> = {
  click: ({ origins, room, visits }, turn, agent) =>
    post(agent, {
      origin: pick(origins, turn),
      path: `/room/${pick(room.attendees.slice(0, visits.length), turn).join}/interactions/${room.interactionId}/clicks`,
      body: { visitId: pick(visits, turn) },
    }),
  trpc: (stage, turn, agent) => {
    // As many as fit into a URL, and as many as are allowed.
    const isHuge = turn % 2 === 0;
    const calls = Array.from({ length: isHuge ? 1000 : 20 }, () => (isHuge ? 'keys.list' : 'webinars.list'));
    const input = isHuge ? {} : Object.fromEntries(calls.map((_, index) => [index, { limit: 100 }]));
    const query = `batch=1&input=${encodeURIComponent(JSON.stringify(input))}`;
    return get(agent, `${pick(stage.origins, turn)}/trpc/${calls.join(',')}?${query}`, asMember(stage));
  },
  mcp: ({ origins, attacker }, turn, agent) => {
    // As many calls as are allowed, a body that is as long as is allowed, or a token that does not exist.
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_webinars' } };
    const filler = { ...call, params: { ...call.params, arguments: { q: 'x'.repeat(250_000) } } };
    return post(agent, {
      origin: pick(origins, turn),
      ...(turn % 3 === 2
        ? {
            path: '/mcp/connect',
            headers: { authorization: `Bearer svc_at_${randomBytes(16).toString('hex')}` },
          }
        : { path: '/mcp', headers: { authorization: `Bearer ${attacker.key}` } }),
      body: turn % 2 === 0 ? Array.from({ length: 20 }, () => call) : filler,
    });
  },
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
  bulk: ({ origins, attacker, flood }, turn, agent) =>
    post(agent, {
      origin: pick(origins, turn),
      path: `/api/v1/webinars/${flood.id}/registrations/bulk`,
      headers: { authorization: `Bearer ${attacker.key}`, 'idempotency-key': randomUUID() },
      body: {
        registrations: Array.from({ length: 500 }, (_, row) => ({
          name: 'Mallory',
          email: `mallory-${row}@example.com`,
          sessionTime: flood.sessionTime,
        })),
      },
    }),
  'forged room': ({ origins, victim }, turn, agent) => {
    const { join } = pick(victim.attendees, turn);
    const forged = join.slice(0, -20) + randomBytes(15).toString('base64url');
    const path = turn % 2 === 0 ? 'visits' : `interactions/${victim.interactionId}/clicks`;
    return post(agent, { origin: pick(origins, turn), path: `/room/${forged}/${path}`, body: {} });
  },
  webhooks: ({ origins, attacker, flood }, turn, agent) =>
    post(agent, {
      origin: pick(origins, turn),
      path: `/api/v1/webinars/${flood.id}/registrations`,
      headers: { authorization: `Bearer ${attacker.key}` },
      body: { name: 'Mallory', email: `${randomUUID()}@example.com`, sessionTime: flood.sessionTime },
    }),
  purchases: async ({ origins, doors }, turn, agent) => {
    const payload = payloadOf({ email: `mallory-${turn}@example.com`, filler: 'x'.repeat(200_000) });
    const webhook = {
      door: 'generic',
      eventId: String(payload['event_id']),
      body: JSON.stringify(payload),
    } as const;
    return (await sendWebhook(doors, webhook, { origin: pick(origins, turn), agent })).status;
  },
  'forged purchases': ({ origins, sellerId }, turn, agent) =>
    post(agent, {
      origin: pick(origins, turn),
      path: `/api/webhooks/revenue/${sellerId}/${turn % 2 === 0 ? 'generic' : 'stripe'}`,
      headers: {
        'x-forwarded-for': '203.0.113.9',
        'x-service-signature': `sha256=${randomBytes(32).toString('hex')}`,
        'stripe-signature': `t=${Math.floor(Date.now() / 1000)},v1=${randomBytes(32).toString('hex')}`,
      },
      body: payloadOf({ filler: 'x'.repeat(200_000) }),
    }),
};

// Stripe's own library judges the signatures that the tests of revenue send and that the service accepts or refuses.
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { stripeHeader, stripeHeaders } from '../revenue/sender.ts';
import { judgeProgram } from './judge-program.ts';

interface Stripe {
  webhooks: {
    generateTestHeaderString(options: { payload: string; secret: string; timestamp: number }): string;
    constructEvent(payload: string, header: string, secret: string): object;
  };
}

const secret = 'whsec_0123456789abcdef';
const event = JSON.stringify({ id: 'evt_1', object: 'event', type: 'checkout.session.completed' }, null, 2);
const { webhooks } = createRequire(judgeProgram('stripe/package.json'))('stripe') as Stripe;

const isAccepted = (body: string, header: string): boolean => {
  try {
    webhooks.constructEvent(body, header, secret);
    return true;
  } catch {
    return false;
  }
};

test('the library makes the same header, and accepts the same ones', () => {
  const header = stripeHeader(secret, event);
  const timestamp = Number(/^t=(\d+),/.exec(header)![1]);
  expect(webhooks.generateTestHeaderString({ payload: event, secret, timestamp })).toBe(header);
  for (const { name, body, header: given, isValid } of stripeHeaders(secret, event))
    expect(isAccepted(body, given), name).toBe(isValid);
});

test('the library accepts a timestamp 301 s ahead, which the service refuses', () => {
  expect(isAccepted(event, stripeHeader(secret, event, -305))).toBe(true);
});

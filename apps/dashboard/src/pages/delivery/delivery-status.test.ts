import { expect, test } from 'vitest';
import { deliveryStatuses, sendAgainReason } from './delivery-status.tsx';

const source = { kind: 'rule' as const, enabled: true };

test('a failed and a retrying delivery can be sent again, and every other status says why it cannot', () => {
  const sendable = deliveryStatuses.filter(
    (status) => sendAgainReason({ status, replacedBy: null, source }) === undefined,
  );
  expect(sendable.toSorted()).toEqual(['failure', 'retrying']);
});

test('a delivery is not sent again when it was replaced, or when its source is off or deleted', () => {
  const failed = { status: 'failure' as const, replacedBy: null, source };
  const off = { kind: 'webhook' as const, enabled: false };
  expect(sendAgainReason({ ...failed, replacedBy: 'newer' })).toMatch('sent again already');
  expect(sendAgainReason({ ...failed, source: off })).toMatch('subscription is switched off');
  expect(sendAgainReason({ ...failed, source: null })).toMatch('was deleted');
});

import { expect, test } from 'vitest';
import type { Connection } from '../../../trpc.ts';
import { stateText } from './connection-texts.ts';

test.each([
  ['mail', null, 'at about the start of its session.'],
  ['mail', 'The key is revoked.', 'at about the start of its session. The provider last said:'],
  ['marketing', null, 'resume the connection within that time, and all are sent.'],
  ['marketing', 'The key is revoked.', 'wait for 30 days at most. The tool last said:'],
] as const)(
  'the text about a paused %s connection with the reason %s promises no sending while the key is refused',
  (kind, reason, end) => {
    const connection = { kind, reason, state: 'paused', isDefault: true } as Connection;
    const text = stateText(connection, true);
    expect(text?.slice(-end.length)).toBe(end);
    expect(text?.includes('all are sent')).toBe(kind === 'marketing' && reason === null);
  },
);

import { expect, test } from 'vitest';
import { defineModule, type Module } from './define-module.ts';

interface Parts {
  subscribers: { changes?: () => Promise<void> };
  api: { database: string };
  worker: { database: string; everyMs: number };
  admin: { write: () => void };
}

const rooms = defineModule({
  name: 'rooms',
  router: ({ database }: { database: string }) => ({ rooms: { list: () => [database] } }),
  subscribers: { changes: async () => undefined },
});
const clocks = defineModule({
  name: 'clocks',
  repeats: ({ everyMs }: { everyMs: number }) => [{ name: 'clock', everyMs, run: async () => undefined }],
});

test('a module keeps the types of its procedures and gets its parts from the list', () => {
  const list = [rooms, clocks] as const satisfies readonly Module<Parts>[];
  const names: string[] = list[0].router({ database: 'one' }).rooms.list();
  expect(names).toEqual(['one']);
  expect(list[1].repeats({ everyMs: 5 })).toMatchObject([{ name: 'clock', everyMs: 5 }]);
});

// The type check fails when one of these lines compiles.
test('a misspelled field, a part that the list does not have, and an unknown subscriber do not compile', () => {
  // @ts-expect-error -- `migration` is not a field
  const misspelled = defineModule({ name: 'misspelled', migration: [] });
  const needsMail = defineModule({ name: 'mail', router: ({ mailer }: { mailer: string }) => ({ mailer }) });
  const listens = defineModule({ name: 'listens', subscribers: { change: async () => undefined } });
  // @ts-expect-error -- no `mailer` in the parts
  const withoutPart: readonly Module<Parts>[] = [rooms, needsMail];
  // @ts-expect-error -- no `change` among the subscribers
  const withoutPort: readonly Module<Parts>[] = [rooms, listens];
  expect([misspelled, ...withoutPart, ...withoutPort]).toHaveLength(5);
});

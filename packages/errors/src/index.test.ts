import { expect, test } from 'vitest';
import { commonErrors, defineErrors, joinCatalogues } from './index.ts';

test('on a page a temporary refusal names the wait, and every other message is that of the API', () => {
  expect(commonErrors.too_many_calls({ retryAfterSeconds: 41 }).pageMessage).toBe(
    'Too many requests in a short time. Try again in 41 seconds.',
  );
  expect(commonErrors.service_busy({ retryAfterSeconds: 1 }).pageMessage).toContain('in 1 second.');
  const { catalogue } = commonErrors;
  expect(commonErrors.service_unavailable().pageMessage).toBe(catalogue.service_unavailable.message);
  expect(commonErrors.not_found({ retryAfterSeconds: 5 }).pageMessage).toBe(catalogue.not_found.message);
});

test('a code has one definition', () => {
  const { catalogue } = defineErrors({
    room_full: { kind: 'conflict', message: 'The room is full.', remedy: 'Come back later.' },
  });
  expect(joinCatalogues([commonErrors.catalogue, catalogue])).toEqual({
    ...commonErrors.catalogue,
    ...catalogue,
  });
  const { catalogue: undocumented } = defineErrors({
    room_dark: { kind: 'conflict', message: 'It is dark.' },
  });
  // @ts-expect-error -- a code that the documentation shows has a remedy
  expect(joinCatalogues([undocumented])).toEqual(undocumented);
  expect(() => joinCatalogues([catalogue, commonErrors.catalogue, catalogue])).toThrow(
    'Two catalogues define the error code room_full',
  );
});

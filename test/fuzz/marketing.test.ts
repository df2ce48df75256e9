// Random histories of changes, batches, people who leave a tool or a list, and lost answers, against the fake of each marketing tool.
// SEED=n tries others.
import { marketingProviders } from '@service/marketing-providers';
import { checkConsentHistories } from '@service/marketing-providers/testing';
import { test } from 'vitest';
import { requestsFor, seed, timeoutFor } from './judge.ts';

/** 10,000 of `npm run fuzz`. The suite of the tools runs 100 in every `npm test`, so here are few. */
const histories = requestsFor(1250) > 1250 ? requestsFor(1250) : requestsFor(10);

test.each(marketingProviders.map(({ id }) => id))(
  `%s: ${histories} histories bring no person back`,
  { timeout: timeoutFor(histories) },
  (id) => checkConsentHistories(id, { runs: histories, seed }),
);

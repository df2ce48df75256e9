// The results of conditions contain facts about attendees, such as answers and custom fields. The same on every surface.
import { isRevenueField } from '@service/conditions';
import { mayRead, type Principal } from '@service/trpc';
import type { z } from 'zod';
import type { ExecutionOutput } from './schemas.ts';

type Execution = z.input<typeof ExecutionOutput>;

/**
 * A page of executions as a principal may read it: without the actual values of conditions for clients that may not read registrations,
 * and without conditions on purchases for clients that may not read revenue.
 */
export function hideFacts<Page extends { data: Execution[] }>(principal: Principal, page: Page): Page {
  const mayReadRevenue = mayRead(principal, 'revenue:read');
  const mayReadFacts = mayRead(principal, 'registrations:read');
  if (mayReadRevenue && mayReadFacts) return page;
  const data = page.data.map((execution) => ({
    ...execution,
    conditions: execution.conditions
      .filter(({ field }) => mayReadRevenue || !isRevenueField(field))
      .map((result) => (mayReadFacts ? result : { ...result, actual: null })),
  }));
  return { ...page, data };
}

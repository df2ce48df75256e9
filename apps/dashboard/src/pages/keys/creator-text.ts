import type { ApiKey } from '../../trpc.ts';

/** The creator of a key in a table. A member keeps the name they had then. */
export function creatorText(createdBy: ApiKey['createdBy']): string {
  if (createdBy.kind === 'member') return createdBy.name;
  return createdBy.kind === 'operator' ? 'Operator' : 'Unknown';
}

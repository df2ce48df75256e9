import type { ApiKey } from '../../trpc.ts';

/** The creator of a key in a table, with the name of that time. */
export function creatorText(createdBy: ApiKey['createdBy']): string {
  if (createdBy.kind === 'member') return createdBy.name;
  return createdBy.kind === 'operator' ? 'Operator' : 'Unknown';
}

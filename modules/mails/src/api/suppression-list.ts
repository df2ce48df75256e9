import { column, nullable, statement, type AccountReader, type AccountWriter } from '@service/database';
import type { z } from 'zod';
import type {
  AddSuppressionInput,
  ListSuppressionsInput,
  RemoveSuppressionInput,
  SuppressionOutput,
} from './schemas.ts';
import type { SuppressionReason } from '../entities.ts';
import { mailErrors } from '../errors.ts';
import { suppress } from '../suppression/suppressions.ts';

const selectPage = statement({
  name: 'mails.list_suppressions',
  text: `
    select address, reason, added_at as "addedAt", note from mails.suppression
    where account_id = $1 and address > $2 and ($3::text is null or position($3 in address) > 0)
    order by address limit $4`,
  row: {
    address: column.text,
    reason: column.textOf<SuppressionReason>(),
    addedAt: column.time,
    note: nullable(column.text),
  },
});

/** A page of the suppressed addresses, from A to Z. */
export async function listSuppressions(
  { query, accountId }: AccountReader,
  { q, after, limit }: z.output<typeof ListSuppressionsInput>,
): Promise<z.input<typeof SuppressionOutput>[]> {
  const rows = await query(selectPage, [accountId, after ?? '', q || null, limit]);
  return rows.map((row) => ({ ...row, addedAt: row.addedAt.toISOString() }));
}

export const addSuppression = (
  tx: AccountWriter,
  { address, note }: z.output<typeof AddSuppressionInput>,
  addedBy: string,
): Promise<void> => suppress(tx, [{ address, note, addedBy, reason: 'by_hand' }]);

const remove = statement({
  name: 'mails.remove_suppression',
  text: 'delete from mails.suppression where account_id = $1 and address = $2 returning address',
  row: { address: column.text },
});

/** Throws suppression_not_found. */
export async function removeSuppression(
  { query, accountId }: AccountWriter,
  { address }: z.output<typeof RemoveSuppressionInput>,
): Promise<void> {
  const removed = await query(remove, [accountId, address]);
  if (removed.length === 0) throw mailErrors.suppression_not_found();
}

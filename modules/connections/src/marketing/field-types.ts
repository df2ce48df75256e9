// The types of the fields of a tool, as its last catalogue had them. They are stored, so that values are written in the form of their
// fields, and mappings are checked, without a call to the tool.
import { column, statement, type AccountQueries } from '@service/database';
import type { Catalogue, FieldType } from '@service/marketing-providers';

export const typesOf = ({ fields }: Pick<Catalogue, 'fields'>): Record<string, FieldType> =>
  Object.fromEntries(fields.map(({ key, type }) => [key, type]));

const updateTypes = statement({
  name: 'connections.update_field_types',
  text: `
    update connections.connection set field_types = $4::jsonb
    where account_id = $1 and id = $2 and credential_version = $3 and field_types <> $4::jsonb`,
});

/** Does nothing after the credential was replaced, which may be that of another account at the tool. */
export async function storeFieldTypes(
  { query, accountId }: AccountQueries,
  { id, version }: { id: string; version: number },
  catalogue: Pick<Catalogue, 'fields'>,
): Promise<void> {
  await query(updateTypes, [accountId, id, version, JSON.stringify(typesOf(catalogue))]);
}

const selectTypes = statement({
  name: 'connections.select_field_types',
  text: `
    select wanted.key, c.field_types ->> wanted.key as type
    from connections.connection c cross join unnest($3::text[]) as wanted (key)
    where c.account_id = $1 and c.id = $2 and c.kind = 'marketing' and c.field_types ? wanted.key`,
  row: { key: column.text, type: column.textOf<FieldType>() },
});

/** The types of these fields by their keys. A field that the tool did not have is left out. */
export async function findFieldTypes(
  { query, accountId }: AccountQueries,
  connectionId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, FieldType>> {
  if (keys.length === 0) return new Map();
  const rows = await query(selectTypes, [accountId, connectionId, keys]);
  return new Map(rows.map(({ key, type }) => [key, type]));
}

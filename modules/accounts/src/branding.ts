// The colour and the logo that attendees see on the pages of a workspace.
import { column, nullable, statement, type AccountQueries, type AccountWriter } from '@service/database';
import type { z } from 'zod';
import { accountErrors } from './errors.ts';
import type { BrandingInput } from './schemas.ts';
import { timeZoneDefault } from './workspace.ts';

const selectBranding = statement({
  name: 'accounts.select_branding',
  text: `
    select o.name, s.brand_color as color, s.logo_url as "logoUrl", u.account_id is not null as "isSuspended"
    from accounts.organization o
    left join accounts.setting s on s.account_id = o.id left join accounts.suspension u on u.account_id = o.id
    where o.id = $1`,
  row: {
    name: column.text,
    color: nullable(column.text),
    logoUrl: nullable(column.text),
    isSuspended: column.boolean,
  },
});

interface Branding {
  name: string;
  /** `#rrggbb`. */
  color: string | null;
  /** Black or white, the one with more contrast to `color`. */
  textColor: string | null;
  logoUrl: string | null;
  /** An operator has suspended the workspace. */
  isSuspended: boolean;
}

/** The name, colours and logo of a workspace, for its attendees. Throws workspace_not_found. */
export async function findBranding({ query, accountId }: AccountQueries): Promise<Branding> {
  const [row] = await query(selectBranding, [accountId]);
  if (!row) throw accountErrors.workspace_not_found();
  return { ...row, textColor: row.color === null ? null : textColorOn(row.color) };
}

const upsertBranding = statement({
  name: 'accounts.upsert_branding',
  text: `
    insert into accounts.setting (account_id, time_zone, brand_color, logo_url, changed_by, changed_at)
    values ($1, $2, $3, $4, $5, $6)
    on conflict (account_id) do update
    set brand_color = excluded.brand_color, logo_url = excluded.logo_url, changed_by = excluded.changed_by,
      changed_at = excluded.changed_at`,
});

/** Stores the colour and the logo with the owner who changed them. */
export async function storeBranding(
  { query, accountId, now }: AccountWriter,
  { color, logoUrl }: z.output<typeof BrandingInput>,
  ownerId: string,
): Promise<void> {
  await query(upsertBranding, [accountId, timeZoneDefault, color, logoUrl, ownerId, now]);
}

/** Black or white, by the relative luminance of WCAG 2.2. Their contrast to any colour is at least 4.5. */
function textColorOn(color: string): '#000000' | '#ffffff' {
  const [red, green, blue] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(color.slice(at, at + 2), 16) / 255),
  );
  const luminance = 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  // At this luminance the contrast to black equals that to white.
  return luminance > Math.sqrt(1.05 * 0.05) - 0.05 ? '#000000' : '#ffffff';
}

const linear = (channel: number): number =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;

import { randomBytes } from 'node:crypto';

/** A workspace's name as it can stand in an address: `Zoë & Søn` becomes `zoe-s-n`; `workspace` if nothing is left. */
export function nameToSlug(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replaceAll(/^-+|-+$/g, '');
  return slug || 'workspace';
}

/** The slug with a random tail: unique without asking the database first. */
export const createSlug = (name: string): string => `${nameToSlug(name)}-${randomBytes(4).toString('hex')}`;

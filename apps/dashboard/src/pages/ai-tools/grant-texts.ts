import { allScopes, presets, type Scope } from '@service/catalogue';
import type { StatusStyle } from '../../components/status.tsx';
import type { Grant } from '../../trpc.ts';

const statuses: Record<Grant['state'], StatusStyle & { word: string }> = {
  active: { tone: 'good', word: 'Active' },
  expired: { tone: 'quiet', isHollow: true, word: 'Expired' },
  revoked: { tone: 'quiet', isHollow: true, word: 'Revoked' },
  member_removed: { tone: 'quiet', isHollow: true, word: 'Member removed' },
  // Only a copied code or token is used twice.
  code_reused: { tone: 'bad', word: 'Ended: code used twice' },
  refresh_token_reused: { tone: 'bad', word: 'Ended: token used twice' },
};

export const grantStatus = (state: Grant['state']): StatusStyle & { word: string } => statuses[state];

const shownMax = 2;

/** The name of the preset with the same scopes, else the scopes, or their number. */
export function scopesText(scopes: readonly Scope[]): string {
  const names = allScopes.filter((scope) => scopes.includes(scope));
  const preset = Object.values(presets).find((known) => known.scopes.join() === names.join());
  if (preset) return preset.label;
  return names.length > shownMax ? `${names.length} scopes` : names.join(', ');
}

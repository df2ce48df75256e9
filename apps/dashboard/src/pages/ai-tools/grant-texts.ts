import { allScopes, presets, type Scope } from '@service/catalogue';
import type { StatusStyle } from '../../components/status.tsx';
import type { Grant } from '../../trpc.ts';

interface GrantStatus extends StatusStyle {
  word: string;
  /** The next step, or the reason. */
  hint?: string;
}

/** Only a copied code or token is used twice. */
const copied = 'It may have been copied. Connect again in the client.';

const statuses: Record<Grant['state'], GrantStatus> = {
  not_connected: {
    tone: 'warn',
    isHollow: true,
    word: 'Not connected',
    hint: 'Allowed, but the client has not come back. Connect again in the client.',
  },
  active: { tone: 'good', word: 'Connected' },
  denied: {
    tone: 'bad',
    isHollow: true,
    word: 'Denied',
    hint: 'To allow it, connect again in the client.',
  },
  expired: { tone: 'quiet', isHollow: true, word: 'Expired', hint: 'Not used for 60 days.' },
  revoked: { tone: 'quiet', isHollow: true, word: 'Revoked' },
  replaced: {
    tone: 'quiet',
    isHollow: true,
    word: 'Replaced',
    hint: 'The same person allowed this client again.',
  },
  member_removed: { tone: 'quiet', isHollow: true, word: 'Member removed' },
  code_reused: { tone: 'bad', word: 'Ended: code used twice', hint: copied },
  refresh_token_reused: { tone: 'bad', word: 'Ended: token used twice', hint: copied },
};

const waiting: GrantStatus = {
  tone: 'warn',
  isHollow: true,
  isMoving: true,
  word: 'Waiting for the first call',
  hint: 'Ask the client something.',
};

export const grantStatus = ({ state, lastUsedAt }: Pick<Grant, 'state' | 'lastUsedAt'>): GrantStatus =>
  state === 'active' && lastUsedAt === null ? waiting : statuses[state];

const shownMax = 2;

/** The name of the preset with the same scopes, else the scopes, or their number. */
export function scopesText(scopes: readonly Scope[]): string {
  const names = allScopes.filter((scope) => scopes.includes(scope));
  if (names.length === 0) return 'None';
  const preset = Object.values(presets).find((known) => known.scopes.join() === names.join());
  if (preset) return preset.label;
  return names.length > shownMax ? `${names.length} scopes` : names.join(', ');
}

import type { Attendee } from '@service/attendees';
import type { SkipReason } from '../execution/execution.ts';
import type { TimerRule } from './timer-rules.ts';

/** Why a timer that came due is not for somebody, whatever it waited for; the first that holds. */
export function skipReasonOf(
  { enabled }: Pick<TimerRule, 'enabled'>,
  { registration, session }: Pick<Attendee, 'registration' | 'session'>,
): SkipReason | undefined {
  if (registration.status === 'cancelled') return 'registration_cancelled';
  if (session.status === 'cancelled') return 'session_cancelled';
  return enabled ? undefined : 'rule_disabled';
}

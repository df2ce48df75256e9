import type { AccountWriter } from '@service/database';
import type { SessionChange } from '@service/webinars';
import { minutesAfter } from './moment.ts';
import { findSessionRules, type TimerRule } from './timer-rules.ts';
import { dropTimers, putTimers, type TimerDraft } from './timers.ts';

/**
 * Keeps timers of whole sessions in step with sessions that change, in the transaction that changes them. Those before a session
 * that is called off stay, so that history says to whom they would have gone.
 */
export async function followSessions(tx: AccountWriter, changes: readonly SessionChange[]): Promise<void> {
  if (changes.length === 0) return;
  const rules = await findSessionRules(
    tx,
    changes.map(({ session }) => session.webinarId),
  );
  const steps = changes.flatMap((change) =>
    rules
      .filter((rule) => rule.webinarId === change.session.webinarId)
      .map((rule) => stepOf(rule, change, tx.now)),
  );
  dropTimers(
    tx,
    steps.flatMap(({ drop }) => drop ?? []),
  );
  putTimers(
    tx,
    steps.flatMap(({ put }) => put ?? []),
  );
}

interface Step {
  put?: TimerDraft;
  drop?: TimerDraft;
}

function stepOf(rule: TimerRule, { change, session }: SessionChange, now: Date): Step {
  const timer = { ruleId: rule.id, webinarId: session.webinarId, sessionId: session.id, dueAt: now };
  const { trigger } = rule;
  if (trigger.type === 'before_session') {
    if (session.kind !== 'scheduled' || change === 'cancelled') return {};
    if (change === 'ended' || session.startsAt <= now) return { drop: timer };
    const dueAt = minutesAfter(session.startsAt, -trigger.params.offsetMinutes);
    // Everybody who is registered by now was told of another time: when the moment has passed already, it is now.
    return rule.enabled ? { put: { ...timer, dueAt: dueAt < now ? now : dueAt } } : {};
  }
  if (trigger.type !== 'after_session' || change === 'moved') return {};
  if (change !== 'ended') return { drop: timer };
  const sourceAt = session.actualEndedAt ?? now;
  const dueAt = minutesAfter(sourceAt, trigger.params.offsetMinutes);
  return rule.enabled ? { put: { ...timer, dueAt, sourceAt } } : {};
}

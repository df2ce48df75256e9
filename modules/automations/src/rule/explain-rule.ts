// Why a rule did not fire for one attendee. Only the evaluation of an enabled rule leaves an execution, so without one the answer
// comes from the events of the attendee and from the times of the rule.
import {
  attendeeErrors,
  chatMessages,
  factsOf,
  findAttendees,
  latestEvents,
  type Attendee,
  type AttendeeEventType,
} from '@service/attendees';
import type { AccountReader } from '@service/database';
import type { Deliveries } from '@service/deliveries';
import { evaluateConditions, readsMessages } from '@service/conditions';
import { createEvaluation } from '@service/conditions/budget';
import type { z } from 'zod';
import type { Rule } from '../entities.ts';
import { eventTypes, type Trigger } from '../event-type/event-types.ts';
import { listExecutions } from '../execution/executions.ts';
import { createKeepResults } from '../execution/record-executions.ts';
import { minutesAfter } from '../timer/timer-candidate.ts';
import type { explanationKinds, ExplanationOutput } from './schemas.ts';

type Explanation = z.input<typeof ExplanationOutput>;
type Kind = (typeof explanationKinds)[number];

/** Executions in the answer. */
const shownMax = 5;

/** Throws registration_not_found. */
export async function explain(
  reader: AccountReader,
  deliveries: Pick<Deliveries, 'summaries'>,
  { rule, registrationId }: { rule: Rule; registrationId: string },
): Promise<Explanation> {
  const [attendee] = await findAttendees(reader, [registrationId]);
  if (attendee?.registration.webinarId !== rule.webinarId) throw attendeeErrors.registration_not_found();
  const { data: executions } = await listExecutions(reader, deliveries, {
    webinarId: rule.webinarId,
    ruleId: rule.id,
    registrationId: attendee.registration.id,
    limit: shownMax,
  });
  if (executions.length > 0) {
    const hasFired = executions.some(({ outcome }) => outcome === 'matched');
    const conditionsNow = hasFired ? [] : await evaluateNow(reader, rule, attendee);
    return { kind: hasFired ? 'fired' : 'skipped', at: null, watched: null, executions, conditionsNow };
  }
  const occasion = await findOccasion(reader, triggerOf(rule), attendee);
  const kind = kindOf(occasion, rule, reader.now);
  return {
    kind,
    at: occasion.at?.toISOString() ?? null,
    watched: occasion.watched ?? null,
    executions: [],
    conditionsNow: await evaluateNow(reader, rule, attendee),
  };
}

/** Shortened as in history. */
async function evaluateNow(
  reader: AccountReader,
  { conditions }: Pick<Rule, 'conditions'>,
  attendee: Attendee,
): Promise<Explanation['conditionsNow']> {
  const { id: registrationId, sessionId } = attendee.registration;
  const sent = readsMessages(conditions)
    ? (await chatMessages(reader, [{ registrationId, sessionId }])).get(registrationId)
    : undefined;
  const evaluation = createEvaluation();
  const budget = evaluation.budgetOf('explanation');
  const facts = factsOf({ ...attendee, ...(sent && { chatMessages: sent }) });
  const results = await evaluateConditions(conditions, facts, { budget, evaluation });
  budget.finish();
  return results ? createKeepResults()('explanation', results) : [];
}

const triggerOf = ({ triggerType: type, triggerParams: params }: Rule) => ({ type, params }) as Trigger;

type Watched = NonNullable<Explanation['watched']>;

/** The time at which the trigger came, or will come, for an attendee. */
interface Occasion {
  /** Undefined if the event has not happened. */
  at?: Date | undefined;
  /** An event of the type happened, which the params of the trigger do not let through. */
  hasOther?: boolean;
  watched?: Watched;
}

function kindOf({ at, hasOther }: Occasion, { enabled, createdAt, updatedAt }: Rule, now: Date): Kind {
  if (!at) return hasOther ? 'other_event_happened' : 'event_has_not_happened';
  if (at > now) return enabled ? 'not_due_yet' : 'rule_is_off';
  if (createdAt > at) return 'rule_is_newer';
  if (!enabled) return 'rule_is_off';
  return updatedAt > at ? 'rule_was_changed' : 'no_record';
}

async function findOccasion(reader: AccountReader, trigger: Trigger, attendee: Attendee): Promise<Occasion> {
  const { session } = attendee;
  if (trigger.type === 'watched_percent')
    return watchOccasion(attendee, ({ percent }) => percent >= trigger.params.percent);
  if (trigger.type === 'watched_minutes')
    return watchOccasion(attendee, ({ minutes }) => minutes >= trigger.params.minutes);
  if (trigger.type === 'before_session')
    return { at: minutesAfter(session.startsAt, -trigger.params.offsetMinutes) };
  if (trigger.type === 'after_session') {
    const endedAt = session.status === 'ended' ? (session.actualEndedAt ?? session.endsAt) : undefined;
    return { at: endedAt && minutesAfter(endedAt, trigger.params.offsetMinutes) };
  }
  if (trigger.type === 'time_elapsed_after_event') {
    const { event, delayMinutes } = trigger.params;
    const source = await eventOccasion(reader, attendee, { type: event, isMatch: () => true });
    return { at: source.at && minutesAfter(source.at, delayMinutes) };
  }
  return eventOccasion(reader, attendee, { type: trigger.type, isMatch: matcherOf(trigger) });
}

/** Marks of watch time become events only while a rule waits for them, so the watch time itself answers. */
function watchOccasion(attendee: Attendee, isReached: (watched: Watched) => boolean): Occasion {
  const { watchedPercent: percent, watchedMinutes: minutes } = factsOf(attendee);
  const watched = { percent, minutes };
  return { at: isReached(watched) ? (attendee.lastSeenAt ?? undefined) : undefined, watched };
}

interface Wanted {
  type: AttendeeEventType;
  isMatch: (event: { data: Record<string, unknown> }) => boolean;
}

async function eventOccasion(
  reader: AccountReader,
  { registration }: Attendee,
  { type, isMatch }: Wanted,
): Promise<Occasion> {
  if (type === 'registered') return { at: registration.registeredAt };
  const events = await latestEvents(reader, registration, type);
  return { at: events.find(isMatch)?.occurredAt, hasOther: events.length > 0 };
}

/** Several events of one explanation share the budget of one event. */
function matcherOf({ type, params }: Trigger): Wanted['isMatch'] {
  const budget = createEvaluation().budgetOf('explanation');
  return ({ data }) => eventTypes[type].matches(params, { data }, budget) === true;
}

import { foldText, holdsWord, type AttendeeEvent } from '@service/webinars';
import type { Trigger } from '../event/trigger.ts';
import type { ListeningRule } from '../rule/listening-rule.ts';
import type { WebinarRules } from '../rule/webinar-rules.ts';

/** A rule and an event that its trigger waits for. */
interface Match {
  rule: ListeningRule;
  event: AttendeeEvent;
}

/** In the order of events. An event that a trigger's params leave out is none that the rule looks at. */
export const matchRules = ({ byTrigger }: WebinarRules, events: readonly AttendeeEvent[]): Match[] =>
  events.flatMap((event) => {
    const rules = byTrigger.get(event.type) ?? [];
    return rules.filter(({ trigger }) => isMeant(trigger, event)).map((rule) => ({ rule, event }));
  });

/** Whether an event is one of those that the params of a trigger of its type let through. */
export function isMeant(trigger: Trigger, { data, mark }: Pick<AttendeeEvent, 'data' | 'mark'>): boolean {
  switch (trigger.type) {
    case 'watched_minutes':
      return trigger.params.minutes === mark;
    case 'watched_percent':
      return trigger.params.percent === mark;
    case 'cta_click':
      return isWanted(trigger.params.interactionId, data['interactionId']);
    case 'poll_response': {
      const { interactionId, optionId } = trigger.params;
      const isOption = optionId === undefined || optionId === data['optionId'];
      return isOption && isWanted(interactionId, data['interactionId']);
    }
    case 'chat_response':
      return holdsKeyword(trigger.params, data['message']);
    case 'branch_taken':
      return isWanted(trigger.params.branchId, data['branch_id']);
    case 'segment_completed':
      return isWanted(trigger.params.segmentId, data['segment_id']);
    default:
      return true;
  }
}

/** Ids may be written in capitals. */
const isWanted = (wantedId: string | undefined, id: unknown): boolean =>
  wantedId === undefined || wantedId.toLowerCase() === id;

type ChatParams = Extract<Trigger, { type: 'chat_response' }>['params'];

const holds: Record<ChatParams['match'], (text: string, keyword: string) => boolean> = {
  contains: (text, keyword) => text.includes(keyword),
  contains_word: holdsWord,
  equals: (text, keyword) => text === keyword,
  starts_with: (text, keyword) => text.startsWith(keyword),
};

/** Any message where there are no keywords; one of them is enough. */
function holdsKeyword({ keywords, match }: ChatParams, message: unknown): boolean {
  if (!keywords) return true;
  if (typeof message !== 'string') return false;
  const text = foldText(message);
  return keywords.some((keyword) => holds[match](text, foldText(keyword)));
}

import { skipReasons } from '@service/catalogue';
import type { inferRouterOutputs } from '@trpc/server';
import { formatExact } from '../../../format.ts';
import type { ServiceRouter } from '../../../trpc.ts';

export type ExplanationData = inferRouterOutputs<ServiceRouter>['automations']['rules']['explain']['data'];

interface About {
  /** The attendee, or "this attendee" until the name is loaded. */
  who: string;
  /** "for 90 days" */
  kept: string | undefined;
}

type Text = (explanation: ExplanationData, about: About) => string;

/** The answer for each kind of explanation. */
const texts: Record<ExplanationData['kind'], Text> = {
  fired: (_explanation, { who }) => `It fired for ${who}.`,
  skipped: ({ executions }, { who }) => {
    const reason = executions[0]?.skipReason;
    return `It did not fire for ${who}${reason ? `, because ${skipReasons[reason].because}` : ''}.`;
  },
  event_has_not_happened: ({ watched }, { who }) =>
    watched === null
      ? `The event has not happened for ${who} yet.`
      : `The event has not happened for ${who} yet: they have watched ${watched.minutes} min so far, ${watched.percent} % of the video.`,
  other_event_happened: (_explanation, { who }) =>
    `Such an event happened for ${who}, but not the one that the rule asks for.`,
  not_due_yet: ({ at }, { who }) => `It is not due yet. For ${who} it is due on ${timeOf(at)}.`,
  rule_is_off: ({ at }) =>
    `The rule is switched off, so nothing was evaluated. The event was on ${timeOf(at)}.`,
  rule_is_newer: ({ at }, { who }) =>
    `The event happened for ${who} on ${timeOf(at)}, before the rule was made. A rule does not fire for earlier events.`,
  rule_was_changed: ({ at }, { who }) =>
    `The event happened for ${who} on ${timeOf(at)}. The rule was changed or switched on after that.`,
  no_record: ({ at }, { kept }) =>
    `There is no record of it. The event was on ${timeOf(at)}${kept ? `; executions are kept ${kept}` : ''}.`,
};

const timeOf = (at: string | null): string => (at === null ? 'an unknown date' : formatExact(at));

export const explanationText: Text = (explanation, about) => texts[explanation.kind](explanation, about);

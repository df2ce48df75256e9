interface ReasonTexts {
  /** For lists and filters of the dashboard. */
  title: string;
  /** For the API reference. */
  description: string;
  /** Completes a sentence that begins with "It did not fire, because". */
  because: string;
}

/** Why a rule did not fire for an event. */
export const skipReasons = {
  condition_not_met: {
    title: 'Condition not met',
    description: 'at least one condition was not met',
    because: 'a condition was not met',
  },
  already_fired: {
    title: 'Already fired',
    description: 'the rule had already fired for this, for the same attendee and session',
    because: 'it had already fired for this attendee in this session',
  },
  rule_disabled: {
    title: 'Rule switched off',
    description: 'the rule was switched off before the event was due',
    because: 'the rule was switched off when it was due',
  },
  registered_too_late: {
    title: 'Registered too late',
    description: 'the attendee registered after the time of the rule before the session',
    because: 'the attendee registered after the time of the rule',
  },
  registration_cancelled: {
    title: 'Registration cancelled',
    description: 'the registration was cancelled before the event was due',
    because: 'the registration was cancelled',
  },
  session_cancelled: {
    title: 'Session cancelled',
    description: 'the session was cancelled',
    because: 'the session was cancelled',
  },
  session_not_scheduled: {
    title: 'Not a scheduled session',
    description: 'the session is just-in-time or on-demand, and the rule is for scheduled sessions',
    because: 'the session is just-in-time or on demand, and the rule is for scheduled sessions',
  },
  webinar_archived: {
    title: 'Webinar archived',
    description: 'the webinar was archived or deleted before the event was due',
    because: 'the webinar was archived or deleted',
  },
  webinar_unpublished: {
    title: 'Webinar unpublished',
    description: 'the webinar was a draft again when the event was due',
    because: 'the webinar was a draft again',
  },
  not_in_audience: {
    title: 'Not in the audience',
    description: 'the attendee is not in the audience of the rule',
    because: 'the attendee is not in the audience of the rule',
  },
  other_event_came: {
    title: 'Other event came first',
    description: 'the `unlessEvent` of the rule came first',
    because: 'the event that stops the rule came first',
  },
  evaluation_budget: {
    title: 'Limit of one event',
    description:
      'other rules had used up the limit of one event: 50 ms of CPU time and 1 MiB of compared text',
    because: 'other rules had used up the computing time for this event',
  },
} as const satisfies Readonly<Record<string, ReasonTexts>>;

export type SkipReason = keyof typeof skipReasons;

export const allSkipReasons = Object.keys(skipReasons) as readonly SkipReason[];

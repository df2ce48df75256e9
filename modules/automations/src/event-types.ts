/** What an API subscription may listen to, in the order answers list them. */
export const eventTypes = ['registered', 'joined', 'left', 'no_show', 'video_complete', 'cta_click'] as const;

export type EventType = (typeof eventTypes)[number];

/** The same types once each, in the fixed order. */
export const normalizeEventTypes = (given: readonly string[]): EventType[] =>
  eventTypes.filter((known) => given.includes(known));

import { topics, type Topic } from '@service/catalogue';

/** Changed topics, each with the webinars of its changes. An empty list means any webinar. */
export type Changed = Partial<Record<Topic, readonly string[]>>;

/** More webinars of one topic count as any webinar. */
export const webinarsMax = 4;

export function addChange(changed: Changed, topic: Topic, webinarId: string | undefined): void {
  const known = changed[topic];
  if (webinarId === undefined || known?.length === 0) changed[topic] = [];
  else if (known === undefined) changed[topic] = [webinarId];
  else if (!known.includes(webinarId))
    changed[topic] = known.length < webinarsMax ? [...known, webinarId] : [];
}

export function addChanges(changed: Changed, more: Changed): void {
  for (const topic of topics) {
    const webinarIds = more[topic];
    if (webinarIds?.length === 0) addChange(changed, topic, undefined);
    for (const webinarId of webinarIds ?? []) addChange(changed, topic, webinarId);
  }
}

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

/** Processes with open streams listen on this channel. */
export const changesChannel = 'account_changes';

/** Characters of one payload. Postgres takes less than 8,000 bytes, and a payload has ASCII characters only. */
const lengthMax = 7900;

/** The payload when there were too many changes to list them. */
const everything = '*';

/** The changes of accounts by their ids, or `everything` of all accounts. */
export type AccountChanges = ReadonlyMap<string, Changed> | 'everything';

/** As few payloads as possible. Each line of a payload is an account with its changes. */
export function payloadsOf(changes: AccountChanges): string[] {
  if (changes === 'everything') return [everything];
  const payloads: string[] = [];
  for (const [accountId, changed] of changes) {
    const line = `${accountId} ${JSON.stringify(changed)}`;
    const last = payloads.at(-1);
    if (last === undefined || last.length + 1 + line.length > lengthMax) payloads.push(line);
    else payloads[payloads.length - 1] = `${last}\n${line}`;
  }
  return payloads;
}

export function changesIn(payload: string): AccountChanges {
  if (payload === everything) return 'everything';
  return new Map(
    payload.split('\n').map((line) => {
      const end = line.indexOf(' ');
      return [line.slice(0, end), JSON.parse(line.slice(end + 1)) as Changed];
    }),
  );
}

// The mail to owners when an endpoint is paused or answers again. It never contains a whole URL: path and query can be secrets.
import type { EndpointOwner } from '@service/automations';
import { allDeliveryFailures, deliveryFailures } from '@service/catalogue';
import type { Notice } from '@service/deliveries';

export interface OwnedNotice extends Pick<Notice, 'kind' | 'reason' | 'at' | 'url'> {
  owner: EndpointOwner;
}

/** One mail about all notices, in their order. */
export function composeNotices(
  notices: readonly OwnedNotice[],
  { workspaceUrl }: { workspaceUrl: string },
): { subject: string; text: string } {
  const isPaused = notices.some((notice) => notice.kind === 'paused');
  const parts = [
    'Hello,',
    ...notices.map((notice) => describeNotice(notice, workspaceUrl)),
    ...(isPaused ? [whatHappensNow, whatToDo] : []),
    `You can switch this mail off under ${workspaceUrl}/settings/account`,
  ];
  return { subject: subjectOf(notices), text: `${parts.join('\n\n')}\n` };
}

const whatHappensNow = `Nothing is lost. Webhooks to a paused address wait and are sent when it answers again. We check that
by ourselves: we try it with one delivery after a minute, and then less and less often, but at least once an hour.`;

const whatToDo = `What you can do: check that the endpoint runs, that it can be reached from the Internet, and that it answers with a
2xx status within the time limit. When it works again, you can have it tried at once on the page above. If it has moved, change
its URL there. If it is not needed any more, switch it off there, or delete it: this cancels the webhooks that wait. You do not
have to switch anything on again.`;

const words: Record<Notice['kind'], string> = { paused: 'paused', recovered: 'sent again' };

function subjectOf(notices: readonly OwnedNotice[]): string {
  const [first, ...others] = notices;
  if (first && others.length === 0) return `Webhooks to ${hostOf(first.url)} are ${words[first.kind]}`;
  const counts = Object.entries(words).flatMap(([kind, word]) => {
    const count = notices.filter((notice) => notice.kind === kind).length;
    return count > 0 ? [`${count} ${word}`] : [];
  });
  return `Your webhooks: ${counts.join(', ')}`;
}

/** The rest of the sentence that begins "Webhooks of the rule to example.com". */
const sentences: Record<Notice['kind'], (notice: OwnedNotice) => string> = {
  paused: ({ at, reason }) => `have been paused since ${momentOf(at)}, because too many tries failed.
${whyOf(reason)}`,
  recovered: ({ at }) => `have been sent again since ${momentOf(at)}: the address answers. Webhooks
that waited for it are being sent.`,
};

function describeNotice(notice: OwnedNotice, workspaceUrl: string): string {
  const { kind, url, owner } = notice;
  return `Webhooks of ${nameOf(owner)} to ${hostOf(url)} ${sentences[kind](notice)}
${workspaceUrl}/webinars/${owner.webinarId}/${pageOf(owner)}`;
}

function nameOf(owner: EndpointOwner): string {
  if (owner.kind === 'rule') return `the rule "${oneLine(owner.name)}"`;
  return owner.description === null ? 'the subscription' : `the subscription "${oneLine(owner.description)}"`;
}

const pageOf = (owner: EndpointOwner): string =>
  owner.kind === 'rule' ? `rule/${owner.ruleId}` : `webhook/${owner.subscriptionId}`;

/** The text of a stored reason. Null and the kinds of a newer version have no text of their own. */
function whyOf(reason: string | null): string {
  const status = /^(?:http_status )?(\d{3})$/.exec(reason ?? '')?.[1];
  if (status) return `The last try was answered with HTTP status ${status}.`;
  const kind = allDeliveryFailures.find((known) => known === reason);
  return kind ? deliveryFailures[kind].lastTry : 'The page below shows the result of the last try.';
}

const hostOf = (url: string): string =>
  (URL.canParse(url) && new URL(url).host) || 'an address that is not a URL';

/** 2026-11-20 21:14 UTC. */
export const momentOf = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Names are free text of people: a line break in a name must not look like a line of this mail. */
export const oneLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, 200);

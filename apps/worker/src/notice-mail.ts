// The mail to owners when an endpoint is paused or answers again. It never contains a whole URL: path and query can be secrets.
import type { EndpointOwner } from '@service/automations';
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
    'You get this mail because you are an owner of this workspace.',
  ];
  return { subject: subjectOf(notices), text: `${parts.join('\n\n')}\n` };
}

const whatHappensNow = `Nothing is lost. Webhooks to a paused address wait and are sent when it answers again. We check that
by ourselves: we try it with one delivery after a minute, and then less and less often, but at least once an hour.`;

const whatToDo = `What you can do: check that the receiver runs, that it can be reached from the Internet, and that it answers with a
2xx status within the time limit. If it has moved, change the URL on the page above. If it is not needed any more, switch the
rule or the subscription off, or delete it. You do not have to switch anything on again.`;

function subjectOf(notices: readonly OwnedNotice[]): string {
  const [first, ...others] = notices;
  if (first && others.length === 0)
    return `Webhooks to ${hostOf(first.url)} are ${first.kind === 'paused' ? 'paused' : 'sent again'}`;
  const paused = notices.filter((notice) => notice.kind === 'paused').length;
  const counts = [
    ...(paused > 0 ? [`${paused} paused`] : []),
    ...(paused < notices.length ? [`${notices.length - paused} sent again`] : []),
  ];
  return `Your webhooks: ${counts.join(', ')}`;
}

function describeNotice({ kind, reason, at, url, owner }: OwnedNotice, workspaceUrl: string): string {
  const what = owner.kind === 'rule' ? `the rule "${oneLine(owner.name)}"` : 'an API subscription';
  const story =
    kind === 'paused'
      ? `Webhooks of ${what} to ${hostOf(url)} have been paused since ${momentOf(at)}, because too many tries failed.
${whyOf(reason)}`
      : `Webhooks of ${what} to ${hostOf(url)} have been sent again since ${momentOf(at)}: the address answers. Webhooks
that waited for it are being sent.`;
  return `${story}\n${workspaceUrl}/webinars/${owner.webinarId}?tab=automations`;
}

const whys = new Map(
  Object.entries({
    http_status: 'The last try was answered with an error.',
    dns: 'At the last try its name could not be resolved.',
    blocked_address: 'At the last try its name resolved to an address that webhooks must not reach.',
    connect: 'At the last try no connection could be made.',
    tls: 'At the last try its certificate or its TLS was not accepted.',
    timeout: 'The last try was not answered within the time limit.',
    reset: 'At the last try the connection broke before the answer was complete.',
    too_many_redirects: 'The last try was redirected too often.',
    invalid_redirect: 'The last try was redirected to an address that webhooks must not follow.',
    invalid_url: 'Its URL is not one that webhooks can be sent to.',
  }),
);

function whyOf(reason: string | null): string {
  const status = /^(?:http_status )?(\d{3})$/.exec(reason ?? '')?.[1];
  if (status) return `The last try was answered with HTTP status ${status}.`;
  return whys.get(reason ?? '') ?? 'The page below shows the result of the last try.';
}

const hostOf = (url: string): string =>
  (URL.canParse(url) && new URL(url).host) || 'an address that is not a URL';

/** 2026-11-20 21:14 UTC. */
const momentOf = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Names are free text of people: a line break in a name must not look like a line of this mail. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, 200);

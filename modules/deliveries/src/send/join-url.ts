// The join link in the body of `registered`. It lets its holder into the room as the registrant, so the stored body does not have it:
// the present link is added when the body is sent or shown. A worker of a former version sends the stored body, which is valid too.

/** The present join links by registration id. Those that do not exist any more are left out. */
export type FindJoinUrls = (
  registrations: readonly { accountId: string; registrationId: string }[],
) => Promise<ReadonlyMap<string, string>>;

const registeredStart = '{"event_type":"registered",';

/** Quotes in the words of an attendee are escaped, so only the member of the body has this form. A test has a made-up link in it. */
const emptyData = '"event_data":{}';

/** The parts of a delivery that this changes: `body` gets the link, which `joinUrl` names too. */
interface Content {
  accountId: string;
  registrationId: string | null;
  body: string | null;
  joinUrl?: string | undefined;
}

/** Adds the present links to the bodies of `registered`, or null where there is no link any more. */
export async function fillJoinUrls(
  findJoinUrls: FindJoinUrls,
  deliveries: readonly Content[],
): Promise<void> {
  const unfilled = deliveries.filter(isUnfilled);
  if (unfilled.length === 0) return;
  const found = await findJoinUrls(
    unfilled.map(({ accountId, registrationId }) => ({ accountId, registrationId })),
  );
  for (const content of unfilled) {
    content.joinUrl = found.get(content.registrationId);
    const data = JSON.stringify({ join_url: content.joinUrl ?? null });
    content.body = content.body.replace(emptyData, () => `"event_data":${data}`);
  }
}

const isUnfilled = (content: Content): content is Content & { body: string; registrationId: string } =>
  content.registrationId !== null &&
  content.body !== null &&
  content.body.startsWith(registeredStart) &&
  content.body.includes(emptyData);

/** The start of a token is that of its account, so also a link that was cut off is found. */
const tokenStart = 16;

/** A text of a receiver, which may repeat the body, without the join link. */
export function hideJoinUrl<Text extends string | null>(text: Text, joinUrl: string | undefined): Text {
  if (text === null || joinUrl === undefined) return text;
  const start = joinUrl.slice(joinUrl.lastIndexOf('/') + 1).slice(0, tokenStart);
  return text.replaceAll(new RegExp(`${start}[\\w-]*`, 'gu'), '{join_url}') as Text;
}

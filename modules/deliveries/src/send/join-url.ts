// The join link in a body. It lets its holder into the room as the registrant, so the stored body has a placeholder in its place, which
// becomes the present link when the body is sent or shown.

/** In a stored body in the place of the registrant's join link: `"join_url":"{join_url}"`. */
export const joinUrlPlaceholder = '{join_url}';

/** The present join links by registration id. Those that do not exist any more are left out. */
export type FindJoinUrls = (
  registrations: readonly { accountId: string; registrationId: string }[],
) => Promise<ReadonlyMap<string, string>>;

/** Quotes in the words of an attendee are escaped, so only a member of the body has this form. */
const member = `"join_url":${JSON.stringify(joinUrlPlaceholder)}`;

/** The parts of a delivery that this changes: `body` gets the link, which `joinUrl` names too. */
interface Content {
  accountId: string;
  registrationId: string | null;
  body: string | null;
  joinUrl?: string | undefined;
}

/** Fills the present links into the bodies that have the placeholder, or null where there is no link any more. */
export async function fillJoinUrls(
  findJoinUrls: FindJoinUrls,
  deliveries: readonly Content[],
): Promise<void> {
  const unfilled = deliveries.filter(({ body }) => body?.includes(member));
  if (unfilled.length === 0) return;
  const found = await findJoinUrls(
    unfilled.flatMap(({ accountId, registrationId }) =>
      registrationId === null ? [] : [{ accountId, registrationId }],
    ),
  );
  for (const content of unfilled) {
    content.joinUrl = found.get(content.registrationId ?? '');
    content.body = content.body!.replace(
      member,
      () => `"join_url":${JSON.stringify(content.joinUrl ?? null)}`,
    );
  }
}

/** The start of a token is that of its account, so also a link that was cut off is found. */
const tokenStart = 16;

/** A text of a receiver, which may repeat the body, without the join link. */
export function hideJoinUrl<Text extends string | null>(text: Text, joinUrl: string | undefined): Text {
  if (text === null || joinUrl === undefined) return text;
  const start = joinUrl.slice(joinUrl.lastIndexOf('/') + 1).slice(0, tokenStart);
  return text.replaceAll(new RegExp(`${start}[\\w-]*`, 'gu'), joinUrlPlaceholder) as Text;
}

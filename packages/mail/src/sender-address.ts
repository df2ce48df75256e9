/** An e-mail address with the name to show beside it; the name may be empty. */
export interface Sender {
  name: string;
  address: string;
}

// The addresses that browsers accept (https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address). They contain no
// spaces, commas, quotes or line ends, so one address cannot become two addresses or a header.
const addressPattern =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/** RFC 5321, 4.5.3.1.3. */
const addressLengthMax = 254;

export const isAddress = (text: string): boolean =>
  text.length <= addressLengthMax && addressPattern.test(text);

/** Reads `ada@example.com` and `Ada <ada@example.com>`. Throws for other texts. */
export function parseSender(text: string): Sender {
  const [, name = '', address = text.trim()] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  if (!isAddress(address)) throw new Error('The sender of mails is not an e-mail address.');
  return { name: oneLine(name.replaceAll('"', '')), address };
}

/** The text with a space instead of line ends and other control characters. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/**
 * A regular expression, for JavaScript and Postgres, of texts that name an e-mail address in lower case, alone or percent-encoded. Part of a
 * longer address does not count. The address may stand after an escape of JSON, such as `\\n`, or of an URL.
 */
export function addressPattern(email: string): string {
  // Not `RegExp.escape`: Postgres reads its hexadecimal escapes in another way.
  const forms = [email, encodeURIComponent(email)].map((form) =>
    form.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`),
  );
  return String.raw`(?:(?<![a-z0-9.+])|(?<=\\[nrt])|(?<=%[0-9a-f][0-9a-f]))(?:${forms.join('|')})(?![a-z0-9_-]|\.[a-z0-9])`;
}

/** True if a text names the address, in lower case. */
export const namesAddress = (text: string, email: string): boolean =>
  new RegExp(addressPattern(email), 'i').test(text);

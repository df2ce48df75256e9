// Redirect URIs: which ones a client may have (RFC 8252 7), and which one a request may name.

/** Longest redirect URI, in characters. It is part of the sealed request in the address of the consent page. */
const lengthMax = 1024;

const loopbackHosts = new Set(['127.0.0.1', '[::1]', 'localhost']);

// Browsers and operating systems act on these themselves, or they name no application.
const foreignSchemes = new Set(
  'about blob chrome content data dns feed file filesystem ftp geo http intent jar javascript ldap livescript mailto mhtml mocha res resource sftp shell sms smb ssh tel telnet urn vbscript view-source wss ws wyciwyg'
    .split(' ')
    .map((scheme) => `${scheme}:`),
);

/** These schemes open parts of the operating system, and some run programs: `ms-msdt:`, `search-ms:`, `x-apple.systempreferences:`. */
const systemScheme = /^(ms-|search|x-apple|windows|microsoft)/;

/**
 * The reason why a client may not have this redirect URI, or undefined. Allowed are https, http to the own computer, and
 * schemes of native applications such as `cursor://`.
 */
export function findRedirectFault(text: string): string | undefined {
  if (text.length > lengthMax) return `A redirect URI has at most ${lengthMax} characters.`;
  // URL.parse drops line breaks and trims, so the text would not be the URI that was checked.
  if (!/^[\x21-\x7e]+$/.test(text)) return 'A redirect URI has only visible ASCII characters.';
  // URL.parse adds missing slashes and turns backslashes into slashes. Other programs read another host in such a text.
  if (/^https?:(?!\/\/[^/])/i.test(text) || text.includes('\\'))
    return 'A redirect URI has // before its host, and no backslash.';
  const url = URL.parse(text);
  if (url === null) return `${text} is not an absolute URI.`;
  if (text.includes('#')) return 'A redirect URI has no fragment.';
  if (url.username !== '' || url.password !== '') return 'A redirect URI has no user name and no password.';
  if (url.protocol === 'https:' || isLoopback(url)) return undefined;
  if (url.protocol === 'http:') return 'Only localhost, 127.0.0.1 and [::1] may have http. Use https.';
  return isNativeScheme(url) ? undefined : `The scheme ${url.protocol} is not allowed.`;
}

/** A scheme with an authority (`cursor://callback`) or with a domain in reverse order (`com.example.app:/callback`). */
const isNativeScheme = ({ protocol, href }: URL): boolean =>
  !foreignSchemes.has(protocol) &&
  !systemScheme.test(protocol) &&
  (href.startsWith(`${protocol}//`) || protocol.includes('.'));

const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && loopbackHosts.has(hostname);

/**
 * True if a client with these redirect URIs may name this one: an exact match, or a loopback address that differs only in its port,
 * because a native application listens on any free port (RFC 8252 7.3).
 */
export function matchesRedirect(asked: string, registered: readonly string[]): boolean {
  if (registered.includes(asked)) return true;
  const portless = withoutPort(asked);
  return portless !== undefined && registered.some((uri) => withoutPort(uri) === portless);
}

/** Undefined for a URI that is no loopback address. */
function withoutPort(uri: string): string | undefined {
  const url = URL.parse(uri);
  if (url === null || !isLoopback(url) || findRedirectFault(uri) !== undefined) return undefined;
  url.port = '';
  return url.href;
}

/**
 * True if a program on the member's computer receives the answer, over a loopback address or over a scheme. Any program there can
 * listen at the address or register the scheme (RFC 8252 8.1).
 */
export const isLocal = (uri: string): boolean => new URL(uri).protocol !== 'https:';

/** The receiver as people know it: the host, or the scheme of an application. */
export function redirectHostOf(uri: string): string {
  const url = new URL(uri);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.hostname : url.protocol;
}

/** The redirect URI with the parameters of an answer. A query of its own is kept (RFC 6749 3.1.2). */
export function answerTo(redirectUri: string, parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const query = new URLSearchParams(given).toString();
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`;
}

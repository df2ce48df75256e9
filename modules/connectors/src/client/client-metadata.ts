import { storable } from '@service/trpc';
import { z } from 'zod';
import { oauthError } from '../errors.ts';
import { findRedirectFault } from './redirect-uri.ts';

/** A client as the authorization server knows it, from its metadata document or from its registration. */
export interface ConnectorClient {
  /** The URL of the metadata document, or the id of a registration. */
  id: string;
  name: string;
  /** The host of the metadata document. Null for a registered client: nothing proves its name. */
  host: string | null;
  redirectUris: readonly string[];
}

const redirectUrisMax = 20;

/** Longest name that the consent page shows, in characters. */
const nameMax = 100;

/** Characters that change the direction of the text around them. With them a name could imitate the words of the consent page. */
const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Characters without a shape of their own. With them two different names look the same. U+2800 is the blank of Braille. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

// Unknown members are ignored (RFC 7591 2). The server replaces the method of authentication by `none` (RFC 7591 3.2.1).
const ClientMetadata = z.object({
  client_name: storable(z.string())
    .refine((name) => !directionMarks.test(name))
    .optional(),
  redirect_uris: z.array(z.string()).min(1).max(redirectUrisMax),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
});

/** Reads the metadata of a client. Throws invalid_client_metadata, invalid_redirect_uri. */
export function readClientMetadata(input: unknown): { name: string | undefined; redirectUris: string[] } {
  const parsed = ClientMetadata.safeParse(input);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const member = issue!.path[0];
    if (member === 'redirect_uris') {
      throw oauthError('invalid_redirect_uri', `redirect_uris must have 1 to ${redirectUrisMax} URIs.`);
    }
    throw oauthError('invalid_client_metadata', `${String(member ?? 'The metadata')} is not valid.`);
  }
  const { client_name: name, redirect_uris: redirectUris, ...uses } = parsed.data;
  const fault = redirectUris.map(findRedirectFault).find((found) => found !== undefined);
  if (fault !== undefined) throw oauthError('invalid_redirect_uri', fault);
  if (!(uses.grant_types ?? ['authorization_code']).includes('authorization_code'))
    throw oauthError('invalid_client_metadata', 'grant_types must include authorization_code.');
  if (!(uses.response_types ?? ['code']).includes('code'))
    throw oauthError('invalid_client_metadata', 'response_types must include code.');
  return { name: shorten(name), redirectUris };
}

/** One line of whole visible characters. Undefined for a name without any. */
const shorten = (name = ''): string | undefined =>
  Array.from(name.replaceAll(invisible, '').replaceAll(/\s+/g, ' ').trim()).slice(0, nameMax).join('') ||
  undefined;

// The texts of authorization codes and refresh tokens. They are sealed and contain the account, so a forged or foreign one is
// refused without a statement, and every statement names the account. The secret is not stored: the grant has its digest. So
// neither the database nor the encryption key alone is enough to make one.
import { bytesToId, idBytes, idToBytes } from '@service/database';
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '@service/secrets';

export type CredentialKind = 'code' | 'refresh_token';

export interface GrantCredential {
  accountId: string;
  grantId: string;
  /** 0 for a code. Each refresh token of a grant has the next number. */
  generation: number;
  /** 32 bytes. All credentials of a grant share it. */
  secret: Buffer;
}

const prefixes: Record<CredentialKind, string> = { code: 'svc_code_', refresh_token: 'svc_rt_' };

const secretBytes = 32;
const generationAt = 2 * idBytes;
const secretAt = generationAt + 4;
const contentBytes = secretAt + secretBytes;

/** Longer than each text of a credential, whose length is fixed. */
const textMax = 300;

export const createSecret = (): Buffer => randomBytes(secretBytes);

/** A fast hash is enough: the secret has 256 bits. */
export const hashSecret = (secret: Buffer): Buffer => hash('sha256', secret, 'buffer');

export const matchesSecret = (secret: Buffer, digest: Uint8Array): boolean =>
  timingSafeEqual(hashSecret(secret), digest);

export function writeCredential(
  kind: CredentialKind,
  { accountId, grantId, generation, secret }: GrantCredential,
  secretBox: SecretBox,
): string {
  const content = Buffer.alloc(contentBytes);
  idToBytes(accountId).copy(content, 0);
  idToBytes(grantId).copy(content, idBytes);
  content.writeUInt32BE(generation, generationAt);
  secret.copy(content, secretAt);
  return prefixes[kind] + secretBox.sealBytes(content, contextOf(kind)).toString('base64url');
}

/** Undefined for every text that this service did not write as a credential of this kind. */
export function readCredential(
  kind: CredentialKind,
  text: string,
  secretBox: SecretBox,
): GrantCredential | undefined {
  if (!text.startsWith(prefixes[kind]) || text.length > textMax) return undefined;
  const content = openBytes(Buffer.from(text.slice(prefixes[kind].length), 'base64url'), kind, secretBox);
  if (content?.length !== contentBytes) return undefined;
  return {
    accountId: bytesToId(content.subarray(0, idBytes)),
    grantId: bytesToId(content.subarray(idBytes, generationAt)),
    generation: content.readUInt32BE(generationAt),
    secret: content.subarray(secretAt),
  };
}

function openBytes(sealed: Buffer, kind: CredentialKind, secretBox: SecretBox): Buffer | undefined {
  try {
    return secretBox.openBytes(sealed, contextOf(kind));
  } catch {
    return undefined;
  }
}

const contextOf = (kind: CredentialKind): string => `connectors.${kind}`;

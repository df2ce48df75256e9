import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { SecretBox } from '@service/secrets';

/**
 * The lowest quality that finds repetition: a bulk answer becomes an eighth of its size in half a millisecond. Higher
 * qualities save 5 % more and take ten times as long (infra/decisions/20261122-idempotency-storage-limit.md).
 */
const quality = 1;

/** Compresses a body, then encrypts it, bound to `context`. */
export const sealBody = (secretBox: SecretBox, body: string, context: string): Buffer =>
  secretBox.sealBytes(
    brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
    context,
  );

/** Opens what `sealBody` made. */
export const openBody = (secretBox: SecretBox, sealed: Buffer, context: string): string =>
  brotliDecompressSync(secretBox.openBytes(sealed, context)).toString('utf8');

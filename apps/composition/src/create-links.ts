import { createFormTokens, createJoinLinks, type FormTokens, type JoinLinks } from '@service/attendees';
import {
  createReportLinks,
  createUnsubscribeLinks,
  type ReportLinks,
  type UnsubscribeLinks,
} from '@service/mails';
import { hkdfSync } from 'node:crypto';

interface LinkOptions {
  encryptionKey: string;
  encryptionKeysOld: readonly string[];
  /** Without a trailing slash. */
  baseUrl: string;
}

/** The links of attendees, the addresses for reports of mail providers and the tokens of forms, which prove themselves. Links of sent mails survive a new encryption key. */
export function createLinks({ encryptionKey, encryptionKeysOld, baseUrl }: LinkOptions): {
  joinLinks: JoinLinks;
  unsubscribeLinks: UnsubscribeLinks;
  reportLinks: ReportLinks;
  formTokens: FormTokens;
} {
  const keysFor = (purpose: string) => ({
    key: deriveSecret(encryptionKey, purpose),
    formerKeys: encryptionKeysOld.map((key) => deriveSecret(key, purpose)),
    baseUrl,
  });
  return {
    joinLinks: createJoinLinks(keysFor('join-links')),
    unsubscribeLinks: createUnsubscribeLinks(keysFor('unsubscribe-links')),
    reportLinks: createReportLinks(keysFor('mail-reports')),
    formTokens: createFormTokens(keysFor('form-tokens')),
  };
}

/** A secret for one purpose, derived from the encryption key (HKDF-SHA256, RFC 5869), so that operators keep only one. */
export function deriveSecret(encryptionKey: string, purpose: string): string {
  const key = hkdfSync('sha256', Buffer.from(encryptionKey, 'base64'), '', purpose, 32);
  return Buffer.from(key).toString('base64url');
}

import type { DomainSetup, SenderRecord } from '../mail-sender.ts';
import { brevoDomain } from './brevo.ts';
import { postmarkDomain } from './postmark.ts';
import { resendDomain } from './resend.ts';
import { sendgridDomain } from './sendgrid.ts';

type Setup = (domain: string) => DomainSetup;

const spf = (host: string, target: string): SenderRecord => ({
  subject: 'spf',
  type: 'TXT',
  host,
  value: `v=spf1 include:${target} ~all`,
  target,
});

const unknownKey: SenderRecord = { subject: 'dkim', type: 'TXT', host: undefined };

/** Companies with known mail servers, by the ends of the names of the servers. */
const companies: readonly [hosts: readonly string[], setup: Setup][] = [
  [['resend.com'], resendDomain],
  [['postmarkapp.com'], postmarkDomain],
  [['sendgrid.net'], sendgridDomain],
  [['brevo.com', 'sendinblue.com'], brevoDomain],
  [
    // https://support.google.com/a/answer/33786 and /174124. An administrator may choose another selector.
    ['gmail.com', 'google.com'],
    (domain) => ({
      name: 'Google',
      page: 'Google Admin > Apps > Google Workspace > Gmail > Authenticate email',
      records: [
        spf(domain, '_spf.google.com'),
        { subject: 'dkim', type: 'TXT', host: `google._domainkey.${domain}`, isGuess: true },
      ],
    }),
  ],
  [
    // https://learn.microsoft.com/defender-office-365/email-authentication-dkim-configure
    ['office365.com', 'outlook.com'],
    (domain) => ({
      name: 'Microsoft 365',
      page: 'Microsoft Defender > Email authentication settings > DKIM',
      records: [
        spf(domain, 'spf.protection.outlook.com'),
        ...['selector1', 'selector2'].map(
          (selector) =>
            ({
              subject: 'dkim',
              type: 'CNAME',
              host: `${selector}._domainkey.${domain}`,
            }) satisfies SenderRecord,
        ),
      ],
    }),
  ],
  [
    // https://docs.aws.amazon.com/ses/latest/dg/send-email-authentication-spf.html. The selectors are random.
    ['amazonaws.com'],
    () => ({ name: 'Amazon SES', page: 'Amazon SES > Identities', records: [unknownKey] }),
  ],
  [
    // https://documentation.mailgun.com/docs/mailgun/user-manual/domains/domains-verify
    ['mailgun.org'],
    (domain) => ({
      name: 'Mailgun',
      page: 'Mailgun > Sending > Domains',
      records: [spf(domain, 'mailgun.org'), unknownKey],
    }),
  ],
];

/** The records of a domain whose mails go through an SMTP server. They are known for some companies only. */
export function smtpDomain(domain: string, smtpHost: string): DomainSetup {
  const host = smtpHost.replace(/\.$/, '');
  const known = companies.find(([ends]) => ends.some((end) => host === end || host.endsWith(`.${end}`)));
  if (known) return known[1](domain);
  return {
    name: 'your mail provider',
    page: 'the pages of your mail provider',
    records: [{ subject: 'spf', type: 'TXT', host: domain }, unknownKey],
  };
}

// Rules about the From address of an account's mails. A provider of free mailboxes publishes a DMARC policy: receivers refuse or hide
// mails of its addresses that another company sends.
import { z } from 'zod';

/** A company with free mailboxes: the domains of its addresses, and the domains of its own SMTP hosts. */
interface FreeMail {
  name: string;
  domains: readonly string[];
  hosts: readonly string[];
}

const freeMails: readonly FreeMail[] = [
  {
    name: 'Gmail',
    domains: ['gmail.com', 'googlemail.com'],
    hosts: ['gmail.com', 'googlemail.com', 'google.com'],
  },
  {
    name: 'Outlook',
    domains: [
      'outlook.com',
      'outlook.de',
      'outlook.fr',
      'hotmail.com',
      'hotmail.co.uk',
      'hotmail.de',
      'hotmail.fr',
      'live.com',
      'msn.com',
    ],
    hosts: ['outlook.com', 'office365.com', 'live.com', 'hotmail.com'],
  },
  {
    name: 'Yahoo',
    domains: ['yahoo.com', 'yahoo.co.uk', 'yahoo.de', 'yahoo.fr', 'ymail.com', 'rocketmail.com', 'aol.com'],
    hosts: ['yahoo.com', 'aol.com'],
  },
  { name: 'iCloud', domains: ['icloud.com', 'me.com', 'mac.com'], hosts: ['me.com', 'icloud.com'] },
  {
    name: 'GMX',
    domains: ['gmx.de', 'gmx.net', 'gmx.com', 'gmx.at', 'gmx.ch'],
    hosts: ['gmx.de', 'gmx.net', 'gmx.com'],
  },
  { name: 'WEB.DE', domains: ['web.de'], hosts: ['web.de'] },
  {
    name: 'Proton',
    domains: ['proton.me', 'protonmail.com', 'pm.me'],
    hosts: ['proton.me', 'protonmail.ch'],
  },
  { name: 'Yandex', domains: ['yandex.com', 'yandex.ru', 'ya.ru'], hosts: ['yandex.com', 'yandex.ru'] },
  { name: 'Mail.ru', domains: ['mail.ru', 'inbox.ru', 'list.ru', 'bk.ru'], hosts: ['mail.ru'] },
];

export const domainOf = (address: string): string =>
  address.slice(address.lastIndexOf('@') + 1).toLowerCase();

/** The company with free mailboxes that a domain belongs to. */
export const findFreeMail = (domain: string): FreeMail | undefined =>
  freeMails.find(({ domains }) => domains.includes(domain));

/**
 * Why receivers would refuse mails with this From address. Undefined when nothing is known against it. `smtpHost` is the host of the
 * account's own SMTP server, undefined for another sender.
 */
export function refuseFreeMail(address: string, smtpHost: string | undefined): string | undefined {
  const domain = domainOf(address);
  const company = findFreeMail(domain);
  if (!company) return undefined;
  const host = smtpHost?.toLowerCase().replace(/\.$/, '') ?? '';
  if (company.hosts.some((own) => host === own || host.endsWith(`.${own}`))) return undefined;
  return `Only ${company.name} may send mails from ${domain} (DMARC): receivers would refuse them. Use an address of your own domain.`;
}

/** The host of the account's own SMTP server, from the fields of its credential. */
export const smtpHostOf = (provider: string, fields: unknown): string | undefined =>
  provider === 'smtp' ? SmtpFields.safeParse(fields).data?.host : undefined;

const SmtpFields = z.object({ host: z.string() });

interface KnownDomain {
  name: string;
  isVerified: boolean;
}

/**
 * Why mails from this address would be refused by the provider, by its list of domains. Undefined for a provider without such a
 * list.
 */
export function findDomainProblem(
  address: string,
  domains: readonly KnownDomain[],
  provider: string,
): string | undefined {
  if (domains.length === 0) return undefined;
  const domain = domainOf(address);
  const covering = domains.filter(
    ({ name }) => domain === name.toLowerCase() || domain.endsWith(`.${name.toLowerCase()}`),
  );
  if (covering.some(({ isVerified }) => isVerified)) return undefined;
  return covering.length > 0
    ? `The domain ${domain} is not verified at ${provider} yet.`
    : `The domain ${domain} is not among the domains of this account at ${provider}.`;
}

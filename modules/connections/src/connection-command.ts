import type { AccountCommandParts, Command, CommandLineValues } from '@service/module';
import { accountOption, readId } from '@service/module';
import { mailSenders, type MailSender } from '@service/mail-senders';
import { marketingProviders, type MarketingProvider } from '@service/marketing-providers';
import {
  changeReportSecret,
  findConnection,
  insertConnection,
  replaceCredential,
} from './connection/change-connections.ts';
import type { Author, Connection, MailSettings } from './connection/connection.ts';
import { credentialFields } from './mail/credential-fields.ts';
import type { Connections } from './mail/mail-connections.ts';
import { parseReportSecret, verifyMail } from './mail/verify-mail.ts';
import { verifyMarketing } from './marketing/verify-marketing.ts';

export interface ConnectionCommandParts extends AccountCommandParts {
  /** Throws an error of one line when the encryption key is not known. */
  openConnections: () => Promise<Connections>;
}

const operator: Author = { kind: 'operator' };
const text = (hint: string) => ({ type: 'text', hint }) as const;

/** For operators: the same checks as in the dashboard. */
export const connectionCommand: Command<ConnectionCommandParts> = {
  summary:
    'Connects an account to its own e-mail provider or to a marketing tool, or replaces the credential of a connection with --id. The provider is asked before anything is saved. --sync makes brevo a marketing tool, and with "all" every registrant is kept in step. With --id and --report-secret it takes only the secret with which the provider signs its reports. Prints {id, provider, kind, state}.',
  options: {
    account: accountOption,
    provider: text([...new Set([...mailSenders, ...marketingProviders].map(({ id }) => id))].join('|')),
    id: text('CONNECTION_ID'),
    url: text('smtp://USER:PASSWORD@HOST:PORT'),
    key: text('KEY'),
    'tool-account': text('ADDRESS_AT_ACTIVECAMPAIGN|AUDIENCE_AT_MAILCHIMP'),
    'report-secret': text('SECRET'),
    from: text('"NAME <ADDRESS>"'),
    'base-url': text('URL'),
    sync: text('all|none'),
    name: text('NAME'),
  },
  async run(parts, values) {
    const accountId = await parts.requireAccount(values);
    const connections = await parts.openConnections();
    const change = values['id'] === undefined ? connect : changeOf(values);
    const { id, provider, kind, state } = await change(parts, { connections, accountId, values });
    return { id, provider, kind, state };
  },
};

interface Work {
  connections: Connections;
  accountId: string;
  values: CommandLineValues;
}

const changeOf = (values: CommandLineValues) =>
  values['report-secret'] === undefined ? replace : takeReportSecret;

async function connect(
  { write }: ConnectionCommandParts,
  { connections, accountId, values }: Work,
): Promise<Connection> {
  if (values['report-secret'] !== undefined)
    throw new Error('--report-secret needs --id: the provider shows it for the address of a connection.');
  const tool = connections.marketing.providers.find(({ id }) => id === values['provider']);
  const sender = connections.senders.find(({ id }) => id === values['provider']);
  if (tool && (!sender || values['sync'] !== undefined))
    return connectTool({ write }, tool, { connections, accountId, values });
  if (!sender) {
    const known = new Set([...connections.senders, ...connections.marketing.providers].map(({ id }) => id));
    throw new Error(`--provider must be one of ${[...known].join(', ')}.`);
  }
  const from = textOf(values, 'from');
  const verified = await verifyMail(connections, accountId, {
    provider: sender.id,
    credential: readCredential(sender, values),
    settings: {
      from: from === undefined ? undefined : readMailbox(from),
      replyTo: null,
      baseUrl: textOf(values, 'base-url') ?? null,
    },
  });
  const name = textOf(values, 'name') ?? sender.name;
  return write(accountId, (tx) =>
    insertConnection(tx, { name, verified }, { seal: connections.seal, author: operator }),
  );
}

async function connectTool(
  { write }: Pick<ConnectionCommandParts, 'write'>,
  tool: MarketingProvider,
  { connections, accountId, values }: Work,
): Promise<Connection> {
  const sync = textOf(values, 'sync') ?? 'none';
  if (sync !== 'all' && sync !== 'none') throw new Error('--sync must be all or none.');
  const verified = await verifyMarketing(connections, accountId, {
    provider: tool.id,
    credential: readCredential(tool, values),
    baseUrl: textOf(values, 'base-url') ?? null,
    sync,
  });
  const name = textOf(values, 'name') ?? tool.name;
  return write(accountId, (tx) =>
    insertConnection(tx, { name, verified }, { seal: connections.seal, author: operator }),
  );
}

async function replace(
  { write, database }: ConnectionCommandParts,
  { connections, accountId, values }: Work,
): Promise<Connection> {
  const former = await findConnection({ em: database.fork(), accountId }, readId(values, 'id'));
  const { provider, settings } = former;
  const baseUrl = textOf(values, 'base-url') ?? settings.baseUrl;
  const known = former.kind === 'mail' ? connections.senders : connections.marketing.providers;
  const credential = readCredential(
    known.find((one) => one.id === provider)!,
    values,
  );
  const verified =
    former.kind === 'mail'
      ? await verifyMail(connections, accountId, {
          provider,
          credential,
          settings: { ...(settings as MailSettings), baseUrl },
        })
      : await verifyMarketing(connections, accountId, {
          provider,
          credential,
          baseUrl,
          sync: 'none',
        });
  const { id, credentialVersion: version } = former;
  return write(accountId, (tx) =>
    replaceCredential(tx, { id, version, verified }, { seal: connections.seal, author: operator }),
  );
}

async function takeReportSecret(
  { write, database }: ConnectionCommandParts,
  { connections, accountId, values }: Work,
): Promise<Connection> {
  if (values['key'] !== undefined || values['url'] !== undefined)
    throw new Error('Give --report-secret in a command of its own, without --key and --url.');
  const { id, provider } = await findConnection(
    { em: database.fork(), accountId },
    readId(values, 'id'),
    'mail',
  );
  const secret = parseReportSecret(connections, provider, textOf(values, 'report-secret')!);
  return write(accountId, (tx) =>
    changeReportSecret(tx, { id, secret }, { seal: connections.sealReportSecret, author: operator }),
  );
}

const textOf = (values: CommandLineValues, option: string): string | undefined => {
  const value = values[option];
  return typeof value === 'string' ? value : undefined;
};

/** The fields of the provider's form. Messages never contain a value, because it may be a secret. */
function readCredential(
  provider: MailSender | MarketingProvider,
  values: CommandLineValues,
): Record<string, unknown> {
  if (provider.id === 'smtp') return readSmtpUrl(textOf(values, 'url'));
  const key = textOf(values, 'key');
  if (key === undefined) throw new Error('--key is required.');
  const fields = credentialFields(provider);
  const account = fields.find(({ isSecret, isRequired }) => isRequired && !isSecret);
  const toolAccount = textOf(values, 'tool-account');
  if (account && toolAccount === undefined) throw new Error(`--tool-account is required: ${account.label}.`);
  return {
    [fields.find(({ isSecret }) => isSecret)!.name]: key,
    ...(account && { [account.name]: toolAccount }),
  };
}

function readSmtpUrl(text: string | undefined): Record<string, unknown> {
  const url = URL.parse(text ?? '');
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '')
    throw new Error('--url must be smtp://USER:PASSWORD@HOST:PORT, or smtps:// for TLS from the first byte.');
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port || (url.protocol === 'smtps:' ? 465 : 587)),
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    security: url.protocol === 'smtps:' ? 'tls' : undefined,
  };
}

/** `Name <address>`, or an address. */
function readMailbox(text: string): { name: string; address: string } {
  const [, name = '', address = text] = /^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/.exec(text) ?? [];
  return { name: name.trim(), address: address.trim() };
}

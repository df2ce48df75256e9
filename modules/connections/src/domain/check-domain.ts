// Compares the DNS records of a From domain with those that its sender needs. The texts are for owners.
import type { DomainSetup, SenderRecord } from '@service/mail-senders';
import { organizationalDomain, type DnsAnswer, type DnsQuestions } from './dns.ts';
import { readDkim, readDmarc, type DkimKey, type Dmarc } from './dkim-and-dmarc.ts';
import { judgeSpf, withInclude, type SpfResult } from './spf.ts';

export const checkSubjects = ['spf', 'dkim', 'return_path', 'dmarc', 'mx'] as const;
/** `not_checked`: the name of the record is not known. `unanswered`: DNS gave no answer. */
export const checkStates = ['fits', 'missing', 'wrong', 'not_checked', 'not_needed', 'unanswered'] as const;

export interface DomainCheck {
  subject: (typeof checkSubjects)[number];
  state: (typeof checkStates)[number];
  text: string;
  found: { host: string; type: string; value: string }[];
  /** `value` is null when only the provider can show it. */
  add: { host: string; type: string; value: string | null }[];
}

export interface DomainQuestion {
  domain: string;
  /** The domain of the address that people answer to. */
  replyDomain: string;
  setup: DomainSetup;
}

export async function checkDomain(question: DomainQuestion, dns: DnsQuestions): Promise<DomainCheck[]> {
  const { setup } = question;
  const of = (subject: SenderRecord['subject']) =>
    setup.records.filter((record) => record.subject === subject);
  const returnPath = of('return_path');
  return Promise.all([
    checkSpf(question, of('spf')[0], dns),
    checkDkim(question, of('dkim'), dns),
    ...(returnPath[0] ? [checkReturnPath(question, returnPath[0], dns)] : []),
    checkDmarc(question, of('spf')[0], dns),
    checkReplies(question, dns),
  ]);
}

const unanswered = (subject: DomainCheck['subject'], host: string): DomainCheck => ({
  subject,
  state: 'unanswered',
  text: `DNS gave no answer for ${host}. Check again later.`,
  found: [],
  add: [],
});

const doubt = ({ isGuess = false }: SenderRecord): string =>
  isGuess ? ' If you chose another name for the return path, this record is not needed.' : '';

async function checkSpf(
  { domain, setup }: DomainQuestion,
  record: SenderRecord | undefined,
  dns: DnsQuestions,
): Promise<DomainCheck> {
  const host = record?.host ?? domain;
  const result = await judgeSpf(host, dns.txt);
  const check = (state: DomainCheck['state'], text: string, add: DomainCheck['add'] = []): DomainCheck => ({
    subject: 'spf',
    state,
    text,
    found: recordsOf(result).map((value) => ({ host, type: 'TXT', value })),
    add,
  });
  if (!record)
    return check(
      'not_needed',
      `${setup.name} sends with a return path of its own. Receivers check SPF there, not at ${domain}.`,
    );
  const { target } = record;
  const own = record.value === undefined ? [] : [{ host, type: 'TXT', value: record.value }];
  if (result.kind === 'unanswered') return unanswered('spf', host);
  if (result.kind === 'permerror') return check('wrong', result.problem);
  if (result.kind === 'none')
    return target === undefined
      ? check('missing', `${host} has no SPF record. Find the record to add on ${setup.page}.`)
      : check('missing', `${host} has no SPF record.${doubt(record)}`, own);
  const { all, lookups, included } = result;
  if (all === '+') return check('wrong', 'The record ends with +all, which allows every server to send.');
  if (target !== undefined && !included.has(target)) {
    const value = withInclude(result.record, target);
    return check('wrong', `The record does not include ${target}. Replace it.`, [
      { host, type: 'TXT', value },
    ]);
  }
  const named = target === undefined ? 'The record is valid.' : `The record includes ${target}.`;
  return check('fits', `${named} It needs ${lookups} of 10 look-ups.`);
}

const recordsOf = (result: SpfResult): string[] => {
  if (result.kind === 'valid') return [result.record];
  return result.kind === 'permerror' ? result.records.slice(0, shownMax) : [];
};

const shownMax = 5;

interface FoundKey {
  record: SenderRecord & { host: string };
  answer: DnsAnswer;
  key: DkimKey | undefined;
  target: string | undefined;
}

async function checkDkim(
  { domain, setup }: DomainQuestion,
  records: readonly SenderRecord[],
  dns: DnsQuestions,
): Promise<DomainCheck> {
  const known = records.filter((record): record is FoundKey['record'] => record.host !== undefined);
  const keys = await Promise.all(known.map((record) => findKey(record, dns)));
  const check = (state: DomainCheck['state'], text: string, add: DomainCheck['add'] = []): DomainCheck => ({
    subject: 'dkim',
    state,
    text,
    found: keys.flatMap(shownKey),
    add,
  });
  if (known.length === 0)
    return check(
      'not_checked',
      `The name of the key (its selector) is not public. Compare your records with ${setup.page}.`,
    );
  const usual = keys.find(({ record, key }) => record.isGuess && key?.kind === 'key');
  if (usual) return check('fits', `${usual.record.host} has a key.`);
  const sure = keys.filter(({ record }) => !record.isGuess);
  if (sure.length === 0)
    return check(
      'not_checked',
      `There is no key at ${known[0]!.host}, the usual name. If you chose another selector, it is not known here.`,
    );
  const silent = sure.find(({ answer }) => answer.kind === 'failed');
  if (silent) return unanswered('dkim', silent.record.host);
  const problems = sure.flatMap((found) => problemOf(found) ?? []);
  if (problems.length === 0)
    return check('fits', sure.length === 1 ? `${sure[0]!.record.host} has a key.` : 'All keys are there.');
  const bad = sure.filter((found) => problemOf(found) !== undefined);
  const add = bad.map(({ record: { host, type, value = null } }) => ({ host, type, value }));
  const isMissing =
    bad.length === sure.length &&
    bad.every(({ answer, target }) => answer.kind === 'none' && target === undefined);
  const where = add.some(({ value }) => value === null) ? ` Copy the values from ${setup.page}.` : '';
  return isMissing
    ? check('missing', `${domain} has no key of ${setup.name}, so mails are not signed for it.${where}`, add)
    : check('wrong', `${problems.join(' ')}${where}`, add);
}

async function findKey(record: FoundKey['record'], dns: DnsQuestions): Promise<FoundKey> {
  // A TXT question follows a CNAME.
  const [answer, cname] = await Promise.all([dns.txt(record.host), dns.cname(record.host)]);
  return {
    record,
    answer,
    key: answer.kind === 'found' ? readDkim(answer.values.find(isKey) ?? answer.values[0]!) : undefined,
    target: cname.kind === 'found' ? cname.values[0] : undefined,
  };
}

const isKey = (text: string): boolean => readDkim(text).kind === 'key';

/** Other texts at the host may be private. A key is shown by its type and length. */
function shownKey({ record: { host }, key, target }: FoundKey): DomainCheck['found'] {
  return [
    ...(target === undefined ? [] : [{ host, type: 'CNAME', value: target }]),
    ...(key?.kind === 'key'
      ? [{ host, type: 'TXT', value: `${key.type.toUpperCase()} key, ${key.bits} bits` }]
      : []),
  ];
}

function problemOf({
  record: { host, value, target: end },
  answer,
  key,
  target,
}: FoundKey): string | undefined {
  const wanted = value ?? (end === undefined ? undefined : `a name that ends with ${end}`);
  if (target !== undefined && wanted !== undefined && !isTarget(target, { value, end }))
    return `${host} points to ${target} instead of ${wanted}.`;
  if (target !== undefined && answer.kind === 'none') return `${host} points to ${target}, which has no key.`;
  if (!key) return `${host} has no key.`;
  if (key.kind === 'revoked') return `The key at ${host} was revoked.`;
  return key.kind === 'invalid' ? `${host}: ${key.problem}` : undefined;
}

function isTarget(
  given: string,
  { value, end }: { value?: string | undefined; end?: string | undefined },
): boolean {
  const name = given.toLowerCase().replace(/\.$/, '');
  if (value !== undefined) return name === value;
  return end === undefined || name === end || name.endsWith(`.${end}`);
}

/** The host that bounces go to. */
async function checkReturnPath(
  { setup }: DomainQuestion,
  record: SenderRecord,
  dns: DnsQuestions,
): Promise<DomainCheck> {
  const { host, type, value, target: end } = record;
  const check = (
    state: DomainCheck['state'],
    text: string,
    rest: Partial<DomainCheck> = {},
  ): DomainCheck => ({
    subject: 'return_path',
    state,
    text,
    found: [],
    add: [],
    ...rest,
  });
  if (host === undefined)
    return check(
      'not_checked',
      `${setup.name} chooses the name of this record. Compare your records with ${setup.page}.`,
    );
  const answer = await (type === 'MX' ? dns.mx(host) : dns.cname(host));
  if (answer.kind === 'failed') return unanswered('return_path', host);
  const add = [{ host, type, value: value ?? null }];
  const where = value === undefined ? ` Copy the value from ${setup.page}.` : '';
  if (answer.kind === 'none')
    return check('missing', `${host} has no ${type} record.${where}${doubt(record)}`, { add });
  const found = answer.values.slice(0, shownMax).map((text) => ({ host, type, value: text }));
  const fits = answer.values.some((text) => isTarget(text.replace(/^\d+ /, ''), { value, end }));
  return fits
    ? check('fits', `${host} points to ${setup.name}.`, { found })
    : check('wrong', `${host} does not point to ${setup.name}.${where}`, { found, add });
}

async function checkDmarc(
  { domain }: DomainQuestion,
  spf: SenderRecord | undefined,
  dns: DnsQuestions,
): Promise<DomainCheck> {
  const organization = organizationalDomain(domain);
  const read = async (name: string): Promise<{ host: string; dmarc: Dmarc } | undefined> => {
    const host = `_dmarc.${name}`;
    const answer = await dns.txt(host);
    if (answer.kind === 'failed') return undefined;
    return { host, dmarc: readDmarc(answer.kind === 'found' ? answer.values : []) };
  };
  const own = await read(domain);
  const isInherited = own?.dmarc.kind === 'none' && organization !== domain;
  const result = isInherited ? await read(organization) : own;
  if (!result) return unanswered('dmarc', `_dmarc.${isInherited ? organization : domain}`);
  const { host, dmarc } = result;
  const records = dmarc.kind === 'valid' ? [dmarc.record] : dmarc.kind === 'invalid' ? dmarc.records : [];
  const check = (state: DomainCheck['state'], text: string, add: DomainCheck['add'] = []): DomainCheck => ({
    subject: 'dmarc',
    state,
    text,
    found: records.slice(0, shownMax).map((value) => ({ host, type: 'TXT', value })),
    add,
  });
  const first = { host: `_dmarc.${organization}`, type: 'TXT', value: 'v=DMARC1; p=none' };
  if (dmarc.kind === 'none')
    return check(
      'missing',
      'Gmail and Yahoo ask every sender of many e-mails for a DMARC record. With p=none it changes nothing else.',
      [first],
    );
  if (dmarc.kind === 'invalid') return check('wrong', dmarc.problem, [first]);
  const policy = isInherited ? dmarc.subdomainPolicy : dmarc.policy;
  const share = dmarc.percent === 100 ? '' : ` for ${dmarc.percent} % of them`;
  const effects = {
    none: 'E-mails that fail are still delivered (p=none).',
    quarantine: `E-mails that fail go to spam${share} (p=quarantine).`,
    reject: `E-mails that fail are refused${share} (p=reject).`,
  };
  const strict =
    dmarc.isSpfStrict && spf?.host !== undefined && spf.host !== domain
      ? ` With aspf=s the SPF of ${spf.host} does not count, so DKIM must be right.`
      : '';
  const from = isInherited ? ` The record of ${organization} applies.` : '';
  return check('fits', `${effects[policy]}${from}${strict}`);
}

/** The mail servers that take the answers of attendees. */
async function checkReplies({ replyDomain: host }: DomainQuestion, dns: DnsQuestions): Promise<DomainCheck> {
  const answer = await dns.mx(host);
  if (answer.kind === 'failed') return unanswered('mx', host);
  const values = answer.kind === 'found' ? answer.values : [];
  const found = values.slice(0, shownMax).map((value) => ({ host, type: 'MX', value }));
  const check = (state: DomainCheck['state'], text: string): DomainCheck => ({
    subject: 'mx',
    state,
    text,
    found,
    add: [],
  });
  if (values.length === 0)
    return check('missing', `${host} has no mail server (MX), so answers to your e-mails may not arrive.`);
  // RFC 7505.
  if (values.every((value) => value.endsWith(' .')))
    return check('wrong', `${host} takes no mail, so answers to your e-mails do not arrive.`);
  return check('fits', `Answers to your e-mails arrive at ${host}.`);
}

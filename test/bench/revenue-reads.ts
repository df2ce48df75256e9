import { measureRounds } from './bench.ts';
import { measureLoad } from './load.ts';
import { mediansOf } from './report.ts';
import type { FilledLedger } from './revenue-rows.ts';

export interface ReadFigures {
  name: string;
  /** Median requests per second with many events, with few, and with none. */
  many: number;
  few: number;
  empty: number;
  /** Requests per second with many events, divided by those with few. Both answers have a full page. */
  besideFew: number;
  /** The same, divided by those of an empty ledger, whose lists have no event. */
  besideEmpty: number;
}

interface Ledger extends FilledLedger {
  key: string;
}

type Ledgers = Record<'many' | 'few' | 'empty', Ledger>;

const reads: Record<string, (ledger: Ledger) => string> = {
  summary: () => '/revenue/summary',
  'summary by webinar': () => '/revenue/summary?by=webinar',
  'summary of one webinar by UTM source': ({ webinarIds }) =>
    `/revenue/summary?by=utmSource&webinarId=${webinarIds[0]}`,
  'first page': () => '/revenue/events',
  'page of refunds': () => '/revenue/events?type=refund',
  'page of the smaller source': () => '/revenue/events?source=generic',
  'page of unattributed events': () => '/revenue/events?attributed=false',
  'page of charged back payments': () => '/revenue/events?state=charged_back',
  'page of one webinar': ({ webinarIds }) => `/revenue/events?webinarId=${webinarIds[0]}`,
  'page of one offer': ({ interactionIds }) => `/revenue/events?interactionId=${interactionIds[1]}`,
  'page of one e-mail address': ({ email }) => `/revenue/events?email=${email}`,
  'page of the refunds of one webinar': ({ webinarIds }) =>
    `/revenue/events?type=refund&webinarId=${webinarIds[0]}`,
};

const requests = 200;

/** The same requests, now for one ledger and now for another. */
export async function measureReads(
  origin: string,
  { many, few, empty }: Ledgers,
  rounds: number,
): Promise<ReadFigures[]> {
  const figures: ReadFigures[] = [];
  for (const [name, pathOf] of Object.entries(reads)) {
    const of = async (ledger: Ledger): Promise<number> => {
      const headers = { authorization: `Bearer ${ledger.key}` };
      const request = () => ({ method: 'GET' as const, path: `/api/v1${pathOf(ledger)}`, headers });
      return (await measureLoad({ origin, requests, concurrency: 4, request, status: 200 })).perSecond;
    };
    const measured = await measureRounds(rounds, async () => {
      const each = { few: await of(few), many: await of(many), empty: await of(empty) };
      return { ...each, besideFew: each.many / each.few, besideEmpty: each.many / each.empty };
    });
    figures.push({ name, ...mediansOf(measured) });
  }
  return figures;
}

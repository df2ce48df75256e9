// Times and time zones that have broken a parser, a database or a clock.
import fc, { type Arbitrary } from 'fast-check';
import { hostileText, join } from './hostile.ts';

const years = fc.constantFrom(
  '0000',
  '0001',
  '1582',
  '1969',
  '1970',
  '2026',
  '9999',
  '10000',
  '-000001',
  '+275760',
  '+275761',
  '99999999',
  '20 26',
);
const days = fc.constantFrom(
  '-01-01',
  '-02-29',
  '-02-30',
  '-06-30',
  '-12-31',
  '-13-01',
  '-00-00',
  '0101',
  '-W01-1',
  '-001',
  '',
);
const clocks = fc.constantFrom(
  'T00:00:00',
  'T23:59:60',
  'T24:00:00',
  't10:00:00',
  ' 10:00:00',
  'T10:00',
  'T10',
  'T25:61:61',
  'T10:00:00.1',
  `T10:00:00.${'9'.repeat(30)}`,
  'T10:00:00,5',
  '',
);
const offsets = fc.constantFrom(
  'Z',
  'z',
  '',
  '+00:00',
  '-00:00',
  '+14:00',
  '-12:00',
  '+23:59',
  '+24:00',
  '+99:99',
  '+0200',
  '[Europe/Berlin]',
  ' UTC',
);

export const hostileTime: Arbitrary<string> = fc.oneof(
  { arbitrary: join(years, days, clocks, offsets), weight: 6 },
  {
    arbitrary: fc.constantFrom(
      'now',
      'epoch',
      'infinity',
      '-infinity',
      'yesterday',
      '0',
      '1e15',
      '8640000000000001',
    ),
    weight: 1,
  },
  { arbitrary: hostileText, weight: 1 },
);

export const hostileZone: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'europe/berlin',
    'America/St_Johns',
    'Asia/Kathmandu',
    'Etc/GMT+14',
    'Etc/GMT-15',
    'EST5EDT',
    'posixrules',
    'right/UTC',
    '+02:00',
    'GMT+2',
    'Mars/Olympus',
    '../../../etc/passwd',
    'Europe/Berlin\0',
    'Europe/Berlin ',
    'Europe/Berlin\u200b',
  ),
  hostileText,
);

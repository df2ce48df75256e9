// Bodies of revenue events that are nearly right, and bytes that no two parsers read alike.
import fc, { type Arbitrary } from 'fast-check';
import { hostileEmail, hostileNumber, hostileText, toHostileJson } from './hostile.ts';
import { hostileTime } from './hostile-times.ts';
import { oddValue, spoil, usually } from './values.ts';

/** Names and values of an object as they are written, so that names can repeat and numbers can be odd. */
type Members = [name: string, literal: string][];

const json = (value: unknown): string => JSON.stringify(value);

/** Literals with escapes and bytes that are read differently. */
const oddLiteral = fc.constantFrom(
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"a\\u0000b"',
  '"a\u0000b"',
  '"\\u0041"',
  'NaN',
  'Infinity',
  '',
  "'single'",
  '"open',
  '01',
  '.5',
  '5.',
  '+5',
  '0x10',
  '/* comment */ 1',
);

const oddAmount = fc.constantFrom(
  '-0',
  '-0.0',
  '1.0',
  '7900.5',
  '79e2',
  '1E400',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '-9007199254740993',
  '1000000000000',
  '"7900"',
  'null',
  'true',
  '[7900]',
  '9'.repeat(400),
);

const amountOf = (type: string): Arbitrary<string> => {
  const sign = type === 'purchase' ? 1n : -1n;
  const fitting = fc
    .oneof(fc.bigInt({ min: 0n, max: 999_999_999_999n }), fc.constantFrom(0n, 1n, 999_999_999_999n))
    .map((amount) => String(sign * amount));
  return fc.oneof(
    { arbitrary: fitting, weight: 12 },
    { arbitrary: oddAmount, weight: 2 },
    {
      arbitrary: fitting.map((amount) => (amount.startsWith('-') ? amount.slice(1) : `-${amount}`)),
      weight: 1,
    },
  );
};

const mostly = (fitting: Arbitrary<string>, ...others: Arbitrary<string>[]): Arbitrary<string> =>
  fc.oneof({ arbitrary: fitting, weight: 24 }, ...others.map((arbitrary) => ({ arbitrary, weight: 1 })));

const quoted = (text: Arbitrary<string>): Arbitrary<string> => text.map(json);

const eventId = mostly(
  quoted(fc.uuid()),
  quoted(fc.constantFrom('same-1', 'same-2', 'same-3', 'x'.repeat(255), 'x'.repeat(256), '')),
  quoted(hostileText),
  oddLiteral,
);

const time = fc
  .date({ min: new Date('2001-01-01'), max: new Date('2026-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

const timestamp = mostly(
  quoted(
    fc.oneof(
      time,
      time.map((text) => text.replace('Z', '+02:00')),
    ),
  ),
  quoted(hostileTime),
  quoted(fc.constantFrom('1999-12-31T23:59:59Z', '2099-01-01T00:00:00Z', '2025-02-30T00:00:00Z')),
  fc.constantFrom('0', '1764000000', 'null'),
);

const genericMembers: Arbitrary<Members> = fc
  .constantFrom('purchase', 'purchase', 'refund', 'chargeback')
  .chain((type) =>
    fc.tuple(
      member('event_id', eventId),
      member(
        'type',
        mostly(fc.constant(json(type)), fc.constantFrom('"payment"', '"Purchase"', 'null', '1')),
      ),
      member(
        'email',
        mostly(
          quoted(fc.nat({ max: 50 }).map((number) => `buyer${number}@example.com`)),
          quoted(fc.constantFrom(' Ada@Example.COM ', 'ada@example.com\u0000')),
          quoted(hostileEmail),
          oddLiteral,
        ),
      ),
      member('amount_minor', amountOf(type)),
      member(
        'currency',
        mostly(
          quoted(fc.constantFrom('EUR', 'usd', 'JPY', 'KWD')),
          quoted(fc.constantFrom('ZZZ', 'EU', 'EURO', '€', '', 'eu\u0131')),
          oddLiteral,
        ),
      ),
      member('timestamp', timestamp),
      member(
        'original_transaction_id',
        mostly(fc.constantFrom('null', '"same-1"', '"same-2"'), quoted(hostileText), oddLiteral),
      ),
      member('click_id', mostly(fc.constant('null'), quoted(fc.uuid()), quoted(hostileText), oddLiteral)),
      fc.oneof(
        { arbitrary: fc.constant<Members[number]>(['note', '"mine"']), weight: 8 },
        {
          arbitrary: fc
            .integer({ min: 1, max: 400 })
            .map((levels): Members[number] => ['note', '['.repeat(levels) + ']'.repeat(levels)]),
          weight: 1,
        },
        {
          arbitrary: hostileNumber.map((number): Members[number] => ['note', toHostileJson(number)]),
          weight: 1,
        },
      ),
    ),
  );

function member(name: string, literal: Arbitrary<string>): Arbitrary<Members[number]> {
  return literal.map((written): Members[number] => [name, written]);
}

const write = (members: Members): string =>
  `{${members.map(([name, literal]) => `${json(name)}:${literal}`).join(',')}}`;

/** The members in another order, one of them left out, or one twice. */
export const genericText: Arbitrary<string> = genericMembers.chain((members) => {
  const place = fc.nat({ max: members.length - 1 });
  return fc.oneof(
    { arbitrary: fc.constant(write(members)), weight: 10 },
    { arbitrary: fc.constant(write(members.toReversed())), weight: 2 },
    { arbitrary: place.map((index) => write(members.toSpliced(index, 1))), weight: 1 },
    { arbitrary: place.map((index) => write([...members, members[index]!])), weight: 1 },
    { arbitrary: place.map((index) => write([...members, [members[index]![0], '"other"']])), weight: 1 },
    {
      arbitrary: hostileText.map((name) => write([...members, [name, '1'], [name, '2']])),
      weight: 1,
    },
    { arbitrary: fc.constant(write(members).replaceAll(',', ' ,\r\n\t')), weight: 1 },
  );
});

const stripeAmount = usually<unknown>(fc.nat({ max: 99_999_999 }), hostileNumber);
const stripeId = usually<unknown>(
  fc.uuid().map((id) => `id_${id}`),
  fc.oneof(hostileText, oddValue),
);
const stripeCurrency = usually<unknown>(
  fc.constantFrom('eur', 'usd', 'jpy'),
  fc.constantFrom('zzz', 'EU', '', null),
);
const stripeSeconds = usually<unknown>(
  fc.integer({ min: 1_000_000_000, max: 1_760_000_000 }),
  fc.oneof(hostileNumber, fc.constantFrom('1760000000', 0, 99_999_999_999)),
);

const stripeObjects = {
  'checkout.session.completed': fc.record(
    {
      id: stripeId,
      mode: fc.constantFrom('payment', 'subscription'),
      payment_status: fc.constantFrom('paid', 'paid', 'unpaid', 'no_payment_required'),
      amount_total: stripeAmount,
      currency: stripeCurrency,
      customer_details: fc.record({ email: usually<unknown>(fc.constant('ada@example.com'), hostileEmail) }),
      client_reference_id: usually<unknown>(fc.uuid(), oddValue),
      metadata: usually<unknown>(fc.record({ svc_click: fc.uuid() }), oddValue),
      payment_intent: stripeId,
    },
    { requiredKeys: ['id', 'payment_status', 'amount_total', 'currency'] },
  ),
  'refund.created': fc.record({
    id: stripeId,
    amount: stripeAmount,
    currency: stripeCurrency,
    created: stripeSeconds,
    status: fc.constantFrom('succeeded', 'pending'),
    payment_intent: stripeId,
    charge: stripeId,
  }),
  'charge.dispute.created': fc.record({
    id: stripeId,
    amount: stripeAmount,
    currency: stripeCurrency,
    created: stripeSeconds,
    status: fc.constantFrom('needs_response', 'warning_needs_response'),
    payment_intent: stripeId,
    charge: stripeId,
  }),
  'charge.dispute.closed': fc.record({
    id: stripeId,
    amount: stripeAmount,
    currency: stripeCurrency,
    created: stripeSeconds,
    status: fc.constantFrom('won', 'lost'),
    payment_intent: stripeId,
    charge: stripeId,
  }),
  'customer.created': fc.record({ id: stripeId }),
} satisfies Record<string, Arbitrary<unknown>>;

export const stripeText: Arbitrary<string> = fc
  .constantFrom(...(Object.keys(stripeObjects) as (keyof typeof stripeObjects)[]))
  .chain((type) => {
    const event = fc.record({
      id: stripeId,
      object: fc.constant('event'),
      created: stripeSeconds,
      type: fc.constant(type),
      data: fc.record({ object: stripeObjects[type] as Arbitrary<object> }),
    });
    return fc.oneof({ arbitrary: event, weight: 6 }, { arbitrary: event.chain(spoil), weight: 1 });
  })
  .map(toHostileJson);

/** The largest body that the doors take. */
export const bytesMax = 256 * 1024;

const padTo = (bytes: Buffer, size: number): Buffer =>
  Buffer.concat([bytes, Buffer.alloc(Math.max(0, size - bytes.length), ' ')]);

/** A text as bytes, in the ways that go wrong on the way from one system to another. */
export const toBytes = (text: string): Arbitrary<Buffer> => {
  const bytes = Buffer.from(text.toWellFormed());
  return fc.oneof(
    { arbitrary: fc.constant(bytes), weight: 24 },
    {
      arbitrary: fc.nat({ max: Math.max(0, bytes.length - 1) }).map((length) => bytes.subarray(0, length)),
      weight: 1,
    },
    { arbitrary: fc.constant(Buffer.from(text, 'utf16le')), weight: 1 },
    { arbitrary: fc.constant(Buffer.from(`\ufeff${text}`, 'utf16le').swap16()), weight: 1 },
    { arbitrary: fc.constant(Buffer.from(`\ufeff${text.toWellFormed()}`)), weight: 1 },
    {
      arbitrary: fc.constant(Buffer.from(text.replace('mine', 'é').replace('ada', 'é'), 'latin1')),
      weight: 1,
    },
    { arbitrary: fc.constantFrom(bytesMax, bytesMax + 1).map((size) => padTo(bytes, size)), weight: 1 },
    {
      arbitrary: fc
        .tuple(fc.nat({ max: Math.max(0, bytes.length - 1) }), fc.nat({ max: 255 }))
        .map(([index, value]) => {
          const changed = Buffer.from(bytes);
          changed[index] = value;
          return changed;
        }),
      weight: 1,
    },
    {
      arbitrary: fc
        .constantFrom('', '[]', 'null', '1', '"', '{}', '['.repeat(20_000))
        .map((odd) => Buffer.from(odd)),
      weight: 1,
    },
  );
};

import { expect, test } from 'vitest';
import { redirectUrlOf } from './redirect-url.ts';

const clickId = '0193e3a0-0000-7000-8000-000000000000';
const nowhere = {
  email: 'ada+1@example.com',
  utmSource: null,
  utmMedium: null,
  utmCampaign: null,
  utmTerm: null,
  utmContent: null,
};
const to = (target: string, utm: object = {}): string =>
  redirectUrlOf(target, { clickId, registration: { ...nowhere, ...utm } });

test('the click id is appended to the query of the target, which stays as it was written', () => {
  const written: [string, string][] = [
    ['https://shop.example', `https://shop.example/?svc_click=${clickId}`],
    ['https://shop.example/a?', `https://shop.example/a?svc_click=${clickId}`],
    ['https://shop.example/a?b', `https://shop.example/a?b&svc_click=${clickId}`],
    [
      'http://u:p@shop.example:8080/a%20b?c=d%20e+f&c=%C3%A4&&g=%zz&h=a=b;i',
      `http://u:p@shop.example:8080/a%20b?c=d%20e+f&c=%C3%A4&g=%zz&h=a=b;i&svc_click=${clickId}`,
    ],
    ['HTTPS://Shop.Example/A?B=%2f', `https://shop.example/A?B=%2f&svc_click=${clickId}`],
  ];
  for (const [target, expected] of written) expect(to(target), target).toBe(expected);
});

test('a fragment stays after the query, even if it looks like a query', () => {
  expect(to('https://shop.example/#/cart?item=1')).toBe(
    `https://shop.example/?svc_click=${clickId}#/cart?item=1`,
  );
  expect(to('https://shop.example/a?b=1#c&d')).toBe(`https://shop.example/a?b=1&svc_click=${clickId}#c&d`);
});

test('hosts, paths and queries of any script become ASCII', () => {
  const url = to('https://bücher.example/straße?größe=ü#ende-ß', { utmSource: 'Grüße & mehr' });
  expect(url).toBe(
    'https://xn--bcher-kva.example/stra%C3%9Fe?gr%C3%B6%C3%9Fe=%C3%BC' +
      `&utm_source=Gr%C3%BC%C3%9Fe%20%26%20mehr&svc_click=${clickId}#ende-%C3%9F`,
  );
  expect(new URL(url).searchParams.get('utm_source')).toBe('Grüße & mehr');
});

test('utm parameters of the registration are added unless the target has them', () => {
  const utm = { utmSource: 'mail', utmMedium: '', utmCampaign: 'fall', utmContent: 'b' };
  expect(to('https://shop.example/?utm%5Fcampaign=spring&utm_term=', utm)).toBe(
    `https://shop.example/?utm%5Fcampaign=spring&utm_term=&utm_source=mail&utm_content=b&svc_click=${clickId}`,
  );
  expect(to('https://shop.example/', { utmMedium: 'cpc', utmTerm: 'x' })).toBe(
    `https://shop.example/?utm_medium=cpc&utm_term=x&svc_click=${clickId}`,
  );
});

test('an old click id is replaced, also if its name is encoded', () => {
  expect(to('https://shop.example/?svc_click=old&a=1&svc%5fclick=older&svc_clicks=kept')).toBe(
    `https://shop.example/?a=1&svc_clicks=kept&svc_click=${clickId}`,
  );
});

test('a payment link of Stripe gets the click and the address of the buyer, unless the owner set them', () => {
  expect(to('https://buy.stripe.com/abc?locale=de')).toBe(
    `https://buy.stripe.com/abc?locale=de&client_reference_id=${clickId}&prefilled_email=ada%2B1%40example.com&svc_click=${clickId}`,
  );
  expect(to('https://buy.stripe.com/abc?client_reference_id=own&prefilled_email=')).toBe(
    `https://buy.stripe.com/abc?client_reference_id=own&prefilled_email=&svc_click=${clickId}`,
  );
  for (const other of ['https://buy.stripe.com.example/abc', 'https://example.com/buy.stripe.com'])
    expect(to(other)).not.toContain('prefilled_email');
});

import { expect, test } from 'vitest';
import { renderPage } from './render-page.ts';

const html =
  '<!doctype html>\n<html lang="en">\n<head>\n    <title>Webinar</title>\n</head>\n<body>\n    <div id="root"></div>\n</body>\n</html>';
const canonicalUrl = 'https://webinars.test/w/launch-k3f9x2';

test('no text of a webinar leaves its tag, its attribute or the page data', () => {
  const hostile = `"><script>alert(1)</script><!--<script>$&' onload='x`;
  const data = { webinar: { title: hostile, description: '</SCRIPT>\u2028' } };
  for (const layout of ['registration', 'card', 'lobby', 'room'] as const)
    for (const logoUrl of [null, `https://images.test/${hostile}`]) {
      const rendered = renderPage(html, {
        layout,
        lang: layout === 'registration' ? 'en' : 'en"><script>',
        title: hostile,
        description: `${hostile}\n\n${hostile}`,
        siteName: hostile,
        logoUrl,
        presenters: [hostile],
        canonicalUrl,
        imageUrl: `https://images.test/${hostile}`,
        data,
      });
      expect(rendered.match(/<script/gi)).toHaveLength(1);
      expect(rendered).not.toContain('<!--');
      expect(rendered).not.toMatch(/<[^>]*onload='/);
      const json = /<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(rendered)![1]!;
      expect(JSON.parse(json)).toEqual(data);
    }
});

test('a page with an address has tags for previews and search engines, one without is not indexed', () => {
  const long = `Learn\n\n  how. ${'many words '.repeat(40)}`;
  const page = { lang: 'de', title: 'Start', description: long, siteName: 'Northwind', data: {} };
  const indexed = renderPage(html, {
    ...page,
    layout: 'registration',
    canonicalUrl,
    imageUrl: 'https://images.test/a.png',
  });
  expect(indexed).toContain('<html lang="de">');
  expect(indexed).toContain('<title>Start</title>');
  expect(indexed).toContain(`<link rel="canonical" href="${canonicalUrl}" />`);
  for (const tag of [
    'og:title" content="Start"',
    'og:image" content="https://images.test/a.png"',
    'twitter:card" content="summary_large_image"',
    '<img class="registration-page-poster" src="https://images.test/a.png" alt="" fetchpriority="high" />',
  ])
    expect(indexed).toContain(tag);
  const summary = /name="description" content="(.*?)"/.exec(indexed)![1]!;
  expect(summary).toMatch(/^Learn how\. many words .* words…$/);
  expect(summary.length).toBeLessThanOrEqual(200);
  const personal = renderPage(html, page);
  expect(personal).toContain('<meta name="robots" content="noindex" />');
  expect(personal).not.toMatch(/og:|canonical/);
});

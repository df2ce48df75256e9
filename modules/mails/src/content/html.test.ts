import { expect, test } from 'vitest';
import { textToHtml } from './html.ts';

test('paragraphs, lines and links of the text become HTML, and nothing else does', () => {
  const html = textToHtml({
    subject: '<b>Launch</b>',
    text: 'Hello <script>alert(1)</script>,\n\nJoin:\nhttps://example.com/room/a?b=1&c="x".\n\n[[subject]] & $& bye',
  });
  expect(html).toContain('<title>&lt;b&gt;Launch&lt;/b&gt;</title>');
  expect(html).toContain('<p>Hello &lt;script&gt;alert(1)&lt;/script&gt;,</p>');
  const url = 'https://example.com/room/a?b=1&amp;c=';
  expect(html).toContain(`<p>Join:<br><a href="${url}">${url}</a>&quot;x&quot;.</p>`);
  expect(html).toContain('<p>[[subject]] &amp; $&amp; bye</p>');
});

test('the layout loads nothing from elsewhere', () => {
  const html = textToHtml({ subject: 'Hello', text: 'Hello' });
  expect(html.match(/<(?:img|link|script|iframe)\b|@import|url\(/giu)).toBeNull();
});

import { escapeHtml } from '@service/pages';
import { readFileSync } from 'node:fs';

/** Made of layout.mjml, which `npm run judges -- mail-layout` compares. */
const layout = readFileSync(new URL('layout.html', import.meta.url), 'utf8');

/** The HTML of a mail from its text: paragraphs, lines and links. Nothing in it is loaded from elsewhere. */
export const textToHtml = ({ subject, text }: { subject: string; text: string }): string =>
  layout.replaceAll(/\[\[(subject|content)\]\]/gu, (_slot, name) =>
    name === 'subject'
      ? escapeHtml(subject)
      : text
          .split(/\n{2,}/u)
          .map(toParagraph)
          .join('\n'),
  );

const toParagraph = (text: string): string => `<p>${text.split('\n').map(withLinks).join('<br>')}</p>`;

/** A link ends before a full stop, a comma or a bracket that closes the sentence around it. */
const link = /https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}]/gu;

function withLinks(line: string): string {
  let html = '';
  let end = 0;
  for (const { 0: url, index } of line.matchAll(link)) {
    html += `${escapeHtml(line.slice(end, index))}<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`;
    end = index + url.length;
  }
  return html + escapeHtml(line.slice(end));
}

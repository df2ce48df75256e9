/** A part of a message: text, or a link to open in a new tab. */
export type MessagePart = { type: 'text'; text: string } | { type: 'link'; text: string; url: string };

/** An http or https address, without the punctuation of the sentence around it. */
const address = /https?:\/\/[^\s<>"'`]+[^\s<>"'`.,;:!?)\]}]/giu;

/** Splits the text of a message into text and links. Only http and https addresses become links; other schemes can run a script. */
export function splitLinks(text: string): MessagePart[] {
  const parts: MessagePart[] = [];
  let end = 0;
  for (const { 0: url, index } of text.matchAll(address)) {
    if (!URL.canParse(url)) continue;
    if (index > end) parts.push({ type: 'text', text: text.slice(end, index) });
    parts.push({ type: 'link', text: url, url });
    end = index + url.length;
  }
  if (end < text.length) parts.push({ type: 'text', text: text.slice(end) });
  return parts;
}

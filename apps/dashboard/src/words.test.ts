// The texts of the dashboard use one word for each idea (glossary in modules/README.md).
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

/** Words that no text may contain, with the word to use instead. */
const replaced: readonly (readonly [RegExp, string])[] = [
  [/\bemails?\b/i, 'E-mail'],
  [/\battempts?\b|\battempted\b/i, 'try'],
  [/\breceivers?\b|\bdestinations?\b/i, 'endpoint'],
  [/\bre-?fir(e|es|ed|ing)\b|\bre-?deliver(y|ies|ed|s)?\b|\bre-?sen[dt]\b/i, 'send again'],
  [/\bAPI subscriptions?\b/, 'subscription'],
  [/\bsigning key\b/i, 'secret'],
];

const folder = import.meta.dirname;

interface Text {
  file: string;
  text: string;
}

test('the texts of the dashboard use the words of the glossary', () => {
  const texts = readTexts();
  expect(texts.length).toBeGreaterThan(300);
  const found = texts.flatMap(({ file, text }) =>
    replaced.flatMap(([pattern, word]) => (pattern.test(text) ? [`${file}: “${text}”, say ${word}`] : [])),
  );
  expect(found).toEqual([]);
});

test('names of environment variables appear only on the page of the installation', () => {
  const example = readFileSync(join(folder, '../../../.env.example'), 'utf8');
  const names = [...example.matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!);
  expect(names).toContain('WEBHOOK_ALLOWED_CIDRS');
  const found = readTexts().filter(
    ({ file, text }) =>
      !file.startsWith('pages/installation/') && names.some((name) => new RegExp(`\\b${name}\\b`).test(text)),
  );
  expect(found).toEqual([]);
});

test('a forbidden word is found in an element, an attribute and a template, and a name in the code is not', () => {
  const source = [
    "import { email } from './email.ts';",
    'const resend = { attempt: email };',
    'const a = <Field label="Your email" onClick={() => resend}>The receiver of {email}</Field>;',
    'const b = `Attempt ${resend} of 3`;',
  ].join('\n');
  expect(textsOf('planted.tsx', source)).toEqual(['Your email', 'The receiver of', 'Attempt   of 3']);
});

const readTexts = (): Text[] =>
  globSync(join(folder, '**/*.{ts,tsx}'))
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) =>
      textsOf(path, readFileSync(path, 'utf8')).map((text) => ({ file: relative(folder, path), text })),
    );

interface Node {
  type: string;
  [field: string]: unknown;
}

/** The texts of a source: between elements, and literals that are sentences or begin with a capital letter. */
function textsOf(path: string, source: string): string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    if (node.type.startsWith('Import') || node.type.startsWith('TS')) return;
    if (node.type === 'JSXText') found.push(String(node['value']));
    if (node.type === 'Literal' && typeof node['value'] === 'string') found.push(node['value']);
    if (node.type === 'TemplateLiteral') found.push(templateText(node));
    for (const child of Object.values(node).flat()) {
      if (isNode(child)) visit(child);
    }
  };
  visit(parseSync(path, source).program as unknown as Node);
  return found
    .map((text) => text.replaceAll(/"\w+":/g, '').trim())
    .filter((text) => text.includes(' ') || /^[A-Z][a-z]/.test(text));
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const templateText = (node: Node): string =>
  (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join(' ');

// The layout of mails is made of MJML.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { infraFolder, judgeProgram } from './judge-program.ts';

const layout = join(infraFolder, '../modules/mails/src/content/layout');

test('layout.html is made of layout.mjml', () => {
  const args = ['--config.validationLevel', 'strict', '--stdout', '--noStdoutFileComment', `${layout}.mjml`];
  const made = execFileSync(process.execPath, [judgeProgram('mjml/bin/mjml'), ...args], { encoding: 'utf8' });
  expect(made.trim()).toBe(readFileSync(`${layout}.html`, 'utf8').trim());
});

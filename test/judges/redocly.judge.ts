// Redocly's linter reads the API document and the Arazzo file of the main flow.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { infraFolder, judgeProgram } from './judge-program.ts';

interface Redocly {
  createConfig(settings: { extends: string[]; rules: Record<string, 'off'> }): Promise<object>;
  lintFromString(input: { source: string; absoluteRef: string; config: object }): Promise<Problem[]>;
}

interface Problem {
  ruleId: string;
  message: string;
  location: { pointer?: string }[];
}

const library = pathToFileURL(judgeProgram('@redocly/openapi-core/lib/index.js')).href;
const { createConfig, lintFromString } = (await import(library)) as Redocly;

async function problemsOf(source: string, absoluteRef: string): Promise<unknown[]> {
  const rules = {
    // This installation is at localhost, and so is its document.
    'no-server-example.com': 'off',
    // A list in a union is wrapped, so that the client of Java compiles.
    'no-illogical-composition-keywords': 'off',
  } as const;
  const config = await createConfig({ extends: ['recommended-strict'], rules });
  const problems = await lintFromString({ source, absoluteRef, config });
  return problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]);
}

test.each([
  ['apps/api/openapi.json', '"operationId"'],
  ['infra/flows/main-flow.arazzo.json', '"stepId"'],
])('Redocly finds no problem in %s, and finds one when a name is missing', async (path, name) => {
  const file = await readFile(join(infraFolder, '..', path), 'utf8');
  expect(await problemsOf(file, `/${path}`)).toEqual([]);
  expect(await problemsOf(file.replace(name, '"planted"'), `/${path}`)).not.toEqual([]);
});

// Every statement of the modules that a test causes names an account on each table, or declares why it reads those of all accounts. Beside
// the declared statements, these are those of the ORM and texts that are put together while the service runs.
import { declaredStatements } from '@service/database/testing';
import { afterAll, inject } from 'vitest';
import { accountBindings } from './account-bindings.ts';
import { onStatement } from './sent-statements.ts';

const tables = new Map(inject('tables'));
const texts = new Set<string>();

/** The values of the ORM are in its texts, and some statements name partitions instead of their table. */
const withoutLiterals = (text: string): string =>
  text.replace(/'(?:[^']|'')*'/g, "''").replace(/\b([a-z]+\.[a-z_]+)_\d{6}(?:\d\d)?\b/g, '$1');

const listening = onStatement(({ text, isOfModules }) => {
  if (isOfModules) texts.add(withoutLiterals(text));
});

afterAll(() => {
  const isForAll = new Set(
    declaredStatements()
      .filter(({ allAccounts }) => allAccounts !== undefined)
      .map(({ text }) => withoutLiterals(text)),
  );
  const problems = [...texts].flatMap((text) => {
    if (isForAll.has(text)) return [];
    const unbound = accountBindings(text, tables).filter(({ values }) => values.length === 0);
    return unbound.length === 0 ? [] : [`${unbound.map(({ table }) => table).join(', ')} in: ${text}`];
  });
  listening[Symbol.dispose]();
  if (problems.length > 0)
    throw new Error(`Statements read or change rows of any account:\n${problems.join('\n')}`);
});

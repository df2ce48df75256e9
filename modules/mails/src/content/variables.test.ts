import { expect, test } from 'vitest';
import { facts } from './facts.fixture.ts';
import { fillIn, fillInLines, unknownVariables } from './variables.ts';

test('every variable is replaced once, so a value that looks like a variable stays', () => {
  const person = { ...facts, attendee: { name: '{{joinLink}} {{name}}' } };
  expect(fillIn('Hello {{ name }} of {{workspaceName}}', person)).toBe('Hello {{joinLink}} {{name}} of Acme');
});

test('variables that do not exist are named once, also those that every object has', () => {
  expect(unknownVariables('{{nmae}} {{name}} {{nmae}} {{constructor}} {{}}')).toEqual([
    'nmae',
    'constructor',
    '',
  ]);
});

test('a line with a variable that has no value is left out', () => {
  const text = 'Hello {{name}},\n\nReplay: {{replayLink}}\n\nBye';
  expect(fillInLines(text, facts)).toBe('Hello Ada Lovelace,\n\nReplay: https://example.com/room/t\n\nBye');
  const without = { ...facts, links: { ...facts.links, replay: undefined } };
  expect(fillInLines(text, without)).toBe('Hello Ada Lovelace,\n\nBye');
});

test('a name has one line and no link', () => {
  const named = (name: string): string => fillIn('{{name}}', { ...facts, attendee: { name } });
  expect(named('Ada\r\nBcc: eve@example.com')).toBe('Ada Bcc: eve@example.com');
  expect(named('Win now https://evil.example')).toBe('');
  expect(named('Visit WWW.evil.example')).toBe('');
});

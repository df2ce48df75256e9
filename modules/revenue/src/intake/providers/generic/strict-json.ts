// JSON without the texts that two parsers read differently: repeated names, and numbers that are not written as integers.
// `JSON.parse` keeps the last of two equal names and rounds numbers, both silently.
import { commonErrors, issuesMax, type Issue } from '@service/errors';
import { requireShallow } from '@service/rest';

/** Deepest nesting. The payload has one level, and senders add a few. */
const depthMax = 20;

/** Most members of all objects and lists together; an empty one counts as one. 256 kB have room for 130,000. */
const defaultMembersMax = 10_000;

// A byte order mark is no JSON (RFC 8259, 8.1). Without `ignoreBOM` the decoder would drop it.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

interface Level {
  path: string;
  /** The names of an object so far. Undefined for an array. */
  names: Set<string> | undefined;
  /** The index or the name of the present member. */
  member: string | number;
  isNameNext: boolean;
}

export interface StrictObject {
  object: Record<string, unknown>;
  /** Repeated names, and numbers that are not written as they should be. */
  issues: Issue[];
}

/**
 * Parses a JSON object from its bytes. `integers` are the names of members that must be integers of at most 53 bits if they are
 * numbers. Throws malformed_json for bytes that are not UTF-8 or not JSON, and malformed_request for another value than an object
 * and for deep nesting.
 */
export function parseStrictJson(bytes: Buffer, integers: readonly string[]): StrictObject {
  requireShallow(bytes, { levels: depthMax });
  const text = decode(bytes);
  const object = parse(text);
  if (typeof object !== 'object' || object === null || Array.isArray(object))
    throw refusal('Must be a JSON object.');
  const issues = findTextProblems(text, { integers });
  return { object: object as Record<string, unknown>, issues };
}

function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    throw commonErrors.malformed_json({ cause: error });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw commonErrors.malformed_json({ cause: error });
  }
}

interface TextRules {
  /** Names of members that must be integers if they are numbers. */
  integers: readonly string[];
  /** The level of these members: 1 in an object, 3 in the objects of a list of an object. */
  level?: 1 | 3;
  membersMax?: number;
}

/** Walks over a text that is valid JSON. Returns repeated names, and numbers that are not written as integers. */
export function findTextProblems(
  text: string,
  { integers, level: integerLevel = 1, membersMax = defaultMembersMax }: TextRules,
): Issue[] {
  const issues: Issue[] = [];
  const levels: Level[] = [];
  let members = 0;
  const countMember = (): void => {
    members += 1;
    if (members > membersMax) throw refusal(`At most ${membersMax} members.`);
  };
  const report = (message: string | undefined): void => {
    if (message !== undefined && issues.length < issuesMax) issues.push({ path: pathOf(levels), message });
  };
  for (let at = 0; at < text.length; at += 1) {
    const level = levels.at(-1);
    const sign = text[at]!;
    if (sign === '"') {
      const end = endOfString(text, at);
      if (level?.isNameNext) report(addName(level, readString(text.slice(at, end + 1))));
      at = end;
    } else if (sign === '{' || sign === '[') {
      countMember();
      levels.push(openLevel(sign, pathOf(levels)));
    } else if (sign === '}' || sign === ']') levels.pop();
    else if (sign === ',') {
      countMember();
      nextMember(level!);
    } else if (isNumberStart(sign)) {
      const end = endOfNumber(text, at);
      if (levels.length === integerLevel && integers.includes(String(level!.member)))
        report(numberProblem(text.slice(at, end)));
      at = end - 1;
    }
  }
  return issues;
}

const refusal = (message: string) => commonErrors.malformed_request({ issues: [{ path: 'body', message }] });

/** The place of the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

/** True after an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

const readString = (quoted: string): string =>
  quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);

const isNumberStart = (sign: string): boolean => sign === '-' || (sign >= '0' && sign <= '9');

const endsNumber = /[\s,\]}]/g;

function endOfNumber(text: string, start: number): number {
  endsNumber.lastIndex = start;
  return endsNumber.exec(text)?.index ?? text.length;
}

const openLevel = (sign: string, path: string): Level =>
  sign === '{'
    ? { path, names: new Set(), member: '', isNameNext: true }
    : { path, names: undefined, member: 0, isNameNext: false };

function nextMember(level: Level): void {
  if (level.names) level.isNameNext = true;
  else level.member = Number(level.member) + 1;
}

function addName(level: Level, name: string): string | undefined {
  const isRepeated = level.names!.has(name);
  level.names!.add(name);
  level.member = name;
  level.isNameNext = false;
  return isRepeated ? 'The name occurs twice.' : undefined;
}

function numberProblem(part: string): string | undefined {
  if (!/^-?[0-9]+$/.test(part)) return 'Must be an integer, without a fraction or an exponent.';
  if (part === '-0') return 'Must not be negative zero.';
  return Number.isSafeInteger(Number(part)) ? undefined : 'Must lie between -(2^53 - 1) and 2^53 - 1.';
}

/** Long names are cut, because they come from outside. */
function pathOf(levels: readonly Level[]): string {
  const level = levels.at(-1);
  if (!level) return '';
  return (level.path === '' ? String(level.member) : `${level.path}.${level.member}`).slice(0, 200);
}

// JSON without the texts that two parsers read differently: repeated names, and numbers that are not written as integers.
// `JSON.parse` keeps the last of two equal names and rounds numbers, both silently.
import { commonErrors, type Issue } from '@service/errors';

/** Deepest nesting. The payload has one level, and senders add a few. */
const depthMax = 20;

const issuesMax = 100;

// A byte order mark is no JSON (RFC 8259, 8.1). Without `ignoreBOM` the decoder would drop it.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The next string, number, literal or sign of a text that is valid JSON. */
const token = /"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|true|false|null|[{}[\],:]/g;

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
  const text = decode(bytes);
  const object = parse(text);
  if (typeof object !== 'object' || object === null || Array.isArray(object))
    throw commonErrors.malformed_request({ issues: [{ path: 'body', message: 'Must be a JSON object.' }] });
  const issues = findProblems(text, new Set(integers));
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

function findProblems(text: string, integers: ReadonlySet<string>): Issue[] {
  const issues: Issue[] = [];
  const levels: Level[] = [];
  const report = (message: string | undefined): void => {
    if (message !== undefined && issues.length < issuesMax) issues.push({ path: pathOf(levels), message });
  };
  for (const [part] of text.matchAll(token)) {
    const level = levels.at(-1);
    if (part === '{' || part === '[') {
      if (levels.length === depthMax)
        throw commonErrors.malformed_request({ issues: [{ path: 'body', message: 'Nested too deeply.' }] });
      levels.push(openLevel(part, pathOf(levels)));
    } else if (part === '}' || part === ']') levels.pop();
    else if (part === ',') nextMember(level!);
    else if (level?.isNameNext && part.startsWith('"')) report(addName(level, JSON.parse(part) as string));
    else if (levels.length === 1 && integers.has(String(level!.member))) report(numberProblem(part));
  }
  return issues;
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
  if (!/^[-0-9]/.test(part)) return undefined;
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

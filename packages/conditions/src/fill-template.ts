// Sentences are templates of the catalogues: `{name}` is a value, `{name|any poll}` has a text for a value that is not given, and a
// part in brackets is left out when one of its values is not given.

/** A value in a sentence. Pages set it apart from the words around it. */
export interface SentenceValue {
  text: string;
  /** The record with this id was deleted. */
  isMissing?: boolean;
}

export type SentencePart = string | SentenceValue;

type Values = Readonly<Record<string, SentenceValue | undefined>>;

/** The parts of a sentence. A value that is not given and has no text of its own is a gap, which a person must fill. */
export function fillTemplate(template: string, values: Values): SentencePart[] {
  return template
    .split(/(\[[^\]]*\])/)
    .flatMap((part) =>
      part.startsWith('[') ? fillOptional(part.slice(1, -1), values) : fillPart(part, values),
    );
}

const fillOptional = (part: string, values: Values): SentencePart[] =>
  namesIn(part).every((name) => values[name] !== undefined) ? fillPart(part, values) : [];

function fillPart(part: string, values: Values): SentencePart[] {
  return part
    .split(/(\{[^}]*\})/)
    .filter((piece) => piece !== '')
    .map((piece) => {
      if (!piece.startsWith('{')) return piece;
      const [name = '', otherwise] = piece.slice(1, -1).split('|');
      return values[name] ?? otherwise ?? { text: '…' };
    });
}

const namesIn = (part: string): string[] => [...part.matchAll(/\{(\w+)/g)].map(([, name]) => name!);

export const sentenceText = (parts: readonly SentencePart[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : part.text)).join('');

/** What the fuzzers start from; another one finds other things. */
export const seed = Number(process.env['SEED'] ?? 20_261_120);

/** What an answer must never show of its making. */
export const leaks =
  /\bat .*\(.*:\d+:\d+\)|node_modules|SQLSTATE|\bselect\b.*\bfrom\b|\binsert into\b|relation "|syntax error at|violates \S+ constraint|duplicate key value|invalid input syntax|invalid byte sequence/i;

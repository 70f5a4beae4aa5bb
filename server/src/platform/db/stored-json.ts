/**
 * JSON as a `jsonb` column takes it. Halves of characters, in which a text can end that was cut, and null characters are
 * refused there with all that stands beside them; they become U+FFFD.
 */
export const storedJson = (value: unknown): string =>
  JSON.stringify(value).replace(/\\(\\|u(?:d[89a-f]..|0000))/g, (found, text) => (text === '\\' ? found : '\\ufffd'))

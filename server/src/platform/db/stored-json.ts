/**
 * JSON as a `jsonb` column takes it. Lone surrogates, as left by truncated text, and null characters make it refuse the
 * whole document; they become U+FFFD.
 */
export const storedJson = (value: unknown): string =>
  JSON.stringify(value).replace(/\\(\\|u(?:d[89a-f]..|0000))/g, (found, text) => (text === '\\' ? found : '\\ufffd'))

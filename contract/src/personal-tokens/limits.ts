/** Limits of personal tokens, for the schemas and for what people may type. */
export const tokenLimits = {
  name: 60,
  /** Spaces that one token is narrowed to. */
  spaces: 50,
  /** Tokens of one person. */
  perPerson: 50,
  /** Longest life that a tenant can allow, in days. */
  days: 366,
} as const

/** Days that a token lives at most unless the tenant says otherwise. */
export const defaultLongestDays = 90

/** Tokens begin with this, so that people and scanners of source code recognise them. */
export const tokenPrefix = 'qsp_'

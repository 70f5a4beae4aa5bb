import { isWebLink } from '../sidebar/rules.ts'

/** The longest address of a link, in characters, as it is written and as it is kept. */
export const longestUrl = 2048
/** How many tags a link has at most. */
export const mostTags = 30

const unseen = /[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/** The reason why an address cannot be that of a link, as the end of a sentence about it; undefined for one that can. */
export function refusalOfUrl(text: string): string | undefined {
  if (unseen.test(text)) return 'must not have blanks, line ends or other characters that cannot be seen'
  if (!isWebLink(text)) return 'must be complete and begin with http:// or https://'
  const { username, password, href } = new URL(text)
  // Everybody who sees the link would read them.
  if (username !== '' || password !== '') return 'must not have a user name or a password'
  return Math.max(text.length, href.length) > longestUrl ? `may have at most ${longestUrl} characters` : undefined
}

/** An address as browsers read it, so that what is shown is where the link leads. */
export function canonicalUrl(text: string): string {
  return new URL(text).href
}

import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { type Answer, RequestFailed } from '../../../adapters/outgoing/outgoing.ts'
import { SourceFault } from './upstream.ts'

/**
 * Throws for an answer that is none, with a sentence that says what to do: RequestFailed where the host cannot answer now.
 * `absent` says what a 404 means.
 */
export function mustBeGood(answer: Answer, { isSignedIn, absent }: { isSignedIn: boolean; absent: string }): void {
  if (answer.status === 200) return
  answer.close()
  const message = sentenceOf(answer, isSignedIn, absent)
  throw answer.status === 429 || answer.status >= 500
    ? new RequestFailed(message)
    : new SourceFault(message, answer.status)
}

function sentenceOf({ status, url: { host } }: Answer, isSignedIn: boolean, absent: string): string {
  if (status === 401 || status === 403)
    return isSignedIn
      ? `${host} does not accept this sign-in, or does not let it read here (status ${status}).`
      : `${host} requires a sign-in (status ${status}): give a user name and a password, or a token.`
  if (status === 404 || status === 405 || status === 410) return absent
  if (status === 429) return `${host} has had too many requests (status 429).`
  return `${host} answers with status ${status}.`
}

/** Writes a package to a file as it arrives, and returns its digest. */
export async function keep(answer: Answer, file: FileHandle): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of answer.chunks()) {
    hash.update(chunk)
    await file.writeFile(chunk)
  }
  return `sha256:${hash.digest('hex')}`
}

/** A text of a stranger in a sentence: on one line, and not at any length. */
export function quoted(text: string): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')
  return clean.length > 100 ? `${clean.slice(0, 100)}…` : clean
}

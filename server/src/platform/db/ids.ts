import { randomBytes, randomInt } from 'node:crypto'

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** A lower-case letter followed by letters and digits: fit for a DNS label. Spaces and apps use 7. */
export function shortId(length = 7): string {
  let id = alphabet[randomInt(26)] as string
  while (id.length < length) id += alphabet[randomInt(alphabet.length)]
  return id
}

/** Sortable by time of making, 22 characters. */
export function longId(now = Date.now()): string {
  return now.toString(36).padStart(9, '0') + randomBytes(8).toString('hex').slice(0, 13)
}

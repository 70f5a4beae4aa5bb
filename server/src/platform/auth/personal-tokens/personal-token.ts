import type { Holder } from '../actor.ts'

/** Narrowing of a personal token: what its owner holds counts as far as this lets it. */
export interface TokenScope {
  id: string
  name: string
  readOnly: boolean
  /** Ids of the spaces that it is narrowed to; undefined: it is not narrowed to any. */
  spaceIds: ReadonlySet<string> | undefined
}

/** A personal token that counts, with whose it is. */
export interface KnownToken extends TokenScope {
  userId: string
  /** The written end; a shorter limit of the tenant is written into it. */
  expiresAt: Date
  tenant: { id: string; identifier: string; realm: string }
}

/** Personal tokens as the portal keeps them. */
export interface PersonalTokens {
  /** No older than four seconds. Undefined for one that does not count: deleted, expired, switched off, or never made. */
  find(secret: string): Promise<KnownToken | undefined>
  /** Tells whether the secret counted when it was last looked at. */
  knows(secret: string): boolean
  /** Notes that it was used. */
  noteUse(token: KnownToken): void
}

/** Bounds of a caller who came by a token for some spaces: everything counts there and nowhere else. */
export interface Within {
  spaceIds: ReadonlySet<string>
  /** The caller as they are without the bounds. */
  holder: Omit<Holder, 'within'>
}

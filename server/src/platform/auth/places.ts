import type { RawBuilder } from 'kysely'

/** A thing that has an id and lies in a space. */
export interface PlaceRow {
  id: string
  space_id: string | null
  /** It lies in no space and is the caller's own: they may do with it what they like. */
  is_own: boolean
  /** Everybody may know of it, whatever they may do. */
  is_open: boolean
}

/** Finds things of a kind by their ids; each service knows its own. */
export type PlaceQuery = (ids: readonly string[], userId: string) => RawBuilder<PlaceRow>

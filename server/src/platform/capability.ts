import type { PlaceKinds } from '@quayside/contract/http/place'
import type { Topics } from '@quayside/contract/live/topic-rule'
import type { PlaceQuery } from './auth/places.ts'
import type { SchemaStep } from './db/migrate.ts'
import type { SealedColumn } from './encryption/renew-sealed.ts'
import type { Http } from './http/http.ts'

/**
 * One service as the server puts it together with the others. `P` is what it needs, by name: what is opened before any
 * service, such as `db`, and other services. Those that are listed after it are made later, so it looks another service up
 * in `parts` when it calls it.
 */
export interface Manifest<P> {
  /** The name in the contract, or of the folder where no call is served. */
  name: Lowercase<string>
  migrations?: readonly SchemaStep[]
  /** Columns that hold what is encrypted, for the rotation of the key. */
  sealed?: readonly SealedColumn[]
  /** Topics of the live connection, as the contract declares them. */
  topics?: Topics
  /** Queries that find the things of the capability, to know in which space they lie. */
  places?: Partial<Record<keyof PlaceKinds, PlaceQuery>>
  /** Makes the service, which others find under its name. It does nothing by itself until it is started. */
  create: (parts: P) => unknown
  /** Puts the calls of the capability on the server. */
  routes?: (http: Http, parts: P) => void | Promise<void>
  /** Begins what the service does by itself. `home` is the tenant of the realm that the portal is set up for. */
  start?: (parts: P, home: { id: string; realm: string }) => void | Promise<void>
  /** Begins nothing any more, and lets what runs end for a while. */
  drain?: (parts: P, maxWaitMs: number) => Promise<void>
  /** Lets go of what it holds, when nothing calls it any more. */
  close?: (parts: P) => void | Promise<void>
}

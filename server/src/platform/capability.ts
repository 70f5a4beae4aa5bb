import type { CapabilityName } from '@quayside/contract/capabilities'
import type { PlaceKinds } from '@quayside/contract/http/place'
import type { Topics } from '@quayside/contract/live/topic-rule'
import type { PlaceQuery } from './auth/places.ts'
import type { SchemaStep } from './db/migrate.ts'
import type { Http } from './http/http.ts'

/** Parts of a capability that the server puts together with those of the others. `S` is what its routes are given. */
export interface Manifest<S> {
  /** The name in the contract. */
  name: CapabilityName
  migrations?: readonly SchemaStep[]
  /** Topics of the live connection, as the contract declares them. */
  topics?: Topics
  /** Queries that find the things of the capability, to know in which space they lie. */
  places?: Partial<Record<keyof PlaceKinds, PlaceQuery>>
  /** Puts the calls of the capability on the server. */
  routes(http: Http, service: S): void | Promise<void>
}

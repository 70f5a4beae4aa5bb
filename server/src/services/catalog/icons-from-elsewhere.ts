import type { FetchPicture } from '../../adapters/pictures/fetch-picture.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Live } from '../../platform/live/live.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { createIconStore } from './icon-store.ts'
import { pictureOf } from './intake/icon.ts'
import { intakeLimits } from './intake/limits.ts'

interface IconDeps {
  db: Db
  log: Logger
  fetchPicture: FetchPicture
  changed: Live['changed']
  /** Tells who shows apps of the item that its icon is here. */
  found(tenantId: string, address: string, picture: string): Promise<void>
}

const timeoutMs = 5000
/** Addresses that one pass goes to, and of these one tenant's. */
const mostInPass = 20
const mostOfTenant = 5

/**
 * Brings the icons of charts that only name an address into the portal, so that nobody's browser goes there: each is
 * fetched once, looked through as an icon of a package is, and kept with the versions that name it. One that cannot be
 * had is tried again the next day.
 */
export function createIconPass({ db, log, fetchPicture, changed, found }: IconDeps) {
  const store = createIconStore(db)
  return async function pass(): Promise<void> {
    for (const { tenantId, address } of await store.wanted(mostInPass, mostOfTenant)) {
      const picture = (await store.known(tenantId, address)) ?? (await fetched(address))
      if (picture === undefined) continue
      await store.keep(tenantId, address, picture)
      await found(tenantId, address, picture)
      changed(tenantId, 'catalog')
    }
  }

  async function fetched(address: string): Promise<string | undefined> {
    try {
      return pictureOf(await fetchPicture(address, { maxBytes: intakeLimits.iconBytes, timeoutMs }))
    } catch (error) {
      log.info({ address, reason: error instanceof Error ? error.message : String(error) }, 'an icon was not fetched')
      return undefined
    }
  }
}

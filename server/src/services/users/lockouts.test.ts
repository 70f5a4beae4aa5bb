import { expect, it } from 'vitest'
import { createAttempts } from '../../adapters/keycloak/attempts.ts'
import { type Keycloak, KeycloakRefused } from '../../adapters/keycloak/keycloak.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Db } from '../../platform/db/db.ts'
import type { People } from '../permissions/index.ts'
import type { Users } from './index.ts'
import { createLockouts } from './lockouts.ts'

const unknownPath = async () => {
  throw new KeycloakRefused(404, 'RESTEASY003210: Could not find resource', undefined)
}

it('an identity server that locks no addresses is named as the reason', async () => {
  const keycloak = { run: unknownPath } as unknown as Keycloak
  const lockouts = createLockouts({} as Db, createAttempts(keycloak), {} as Users, {} as People)
  const actor = { realm: 'harbour' } as Actor
  expect(await lockouts.addresses(actor)).toEqual([])
  await expect(lockouts.unlockAddress(actor, '203.0.113.7')).rejects.toMatchObject({
    ...{ code: 'iam.no-address-locks', status: 501 },
  })
})

import { expect, it } from 'vitest'
import { createAttempts } from '../../adapters/keycloak/attempts.ts'
import { type Keycloak, KeycloakRefused } from '../../adapters/keycloak/keycloak.ts'
import { createMails } from '../../adapters/keycloak/mail.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Db } from '../../platform/db/db.ts'
import type { People } from '../permissions/index.ts'
import type { Users } from '../users/index.ts'
import { createLockouts } from '../users/lockouts.ts'
import { createOutbox } from './index.ts'

const unknownPath = async () => {
  throw new KeycloakRefused(404, 'RESTEASY003210: Could not find resource', undefined)
}
const actor = { realm: 'harbour', userId: 'boss' } as Actor

it('an identity server without calls for it is named as the reason', async () => {
  const keycloak = { run: unknownPath } as unknown as Keycloak
  const outbox = createOutbox(keycloak, createMails(keycloak), {} as People)
  await expect(outbox.read(actor, 'any')).rejects.toMatchObject({ code: 'iam.no-outbox', status: 501 })
  await expect(outbox.send(actor, 'any')).rejects.toMatchObject({ code: 'iam.no-outbox', status: 501 })
  const lockouts = createLockouts({} as Db, createAttempts(keycloak), {} as Users, {} as People)
  expect(await lockouts.addresses(actor)).toEqual([])
  await expect(lockouts.unlockAddress(actor, '203.0.113.7')).rejects.toMatchObject({
    ...{ code: 'iam.no-address-locks', status: 501 },
  })
})

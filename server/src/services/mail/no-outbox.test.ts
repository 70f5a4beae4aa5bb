import { expect, it } from 'vitest'
import { type Keycloak, KeycloakRefused } from '../../adapters/keycloak/keycloak.ts'
import { createMails } from '../../adapters/keycloak/mail.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { People } from '../permissions/index.ts'
import { createOutbox } from './index.ts'

const unknownPath = async () => {
  throw new KeycloakRefused(404, 'RESTEASY003210: Could not find resource', undefined)
}

it('an identity server without an outbox is named as the reason', async () => {
  const keycloak = { run: unknownPath } as unknown as Keycloak
  const outbox = createOutbox(keycloak, createMails(keycloak), {} as People)
  const actor = { realm: 'harbour', userId: 'boss' } as Actor
  await expect(outbox.read(actor, 'any')).rejects.toMatchObject({ code: 'iam.no-outbox', status: 501 })
  await expect(outbox.send(actor, 'any')).rejects.toMatchObject({ code: 'iam.no-outbox', status: 501 })
})

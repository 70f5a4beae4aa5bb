import type KeycloakAdminClient from '@keycloak/keycloak-admin-client'
import Resource from '@keycloak/keycloak-admin-client/lib/resources/resource.js'
import type { MailStatus } from '@quayside/contract/mail/limits'
import type { RequiredAction } from '@quayside/contract/users/rules'
import { ignoreGone } from './gone.ts'
import type { Keycloak } from './keycloak.ts'

export interface KeptMail {
  id: string
  userId: string
  to: string
  subject: string
  status: MailStatus
  tries: number
  reason: string | null
  nextTry: number | null
  createdDate: number
  expires: number
  sentDate: number | null
  readable: boolean
  text?: string
  link?: string
}

interface MailQuery {
  search?: string
  status?: string
}

/** Mails that the embedded identity server keeps, and links of its own; Keycloak has neither and no such calls. */
class Mails extends Resource<{ realm?: string }> {
  find = this.makeRequest<MailQuery & { first: number; max: number }, KeptMail[]>({
    ...{ method: 'GET', path: '/outbox', queryParamKeys: ['search', 'status', 'first', 'max'] },
  })
  count = this.makeRequest<MailQuery, number>({
    ...{ method: 'GET', path: '/outbox/count', queryParamKeys: ['search', 'status'] },
  })
  findOne = this.makeRequest<{ id: string }, KeptMail>({
    ...{ method: 'GET', path: '/outbox/{id}', urlParamKeys: ['id'] },
  })
  send = this.makeRequest<{ id: string }, void>({
    ...{ method: 'POST', path: '/outbox/{id}/send', urlParamKeys: ['id'] },
  })
  link = this.makeRequest<
    { id: string; lifespan: number; actions: RequiredAction[] },
    { link: string; expires: number }
  >({
    ...{ method: 'POST', path: '/users/{id}/action-link', urlParamKeys: ['id'] },
    ...{ queryParamKeys: ['lifespan'], payloadKey: 'actions' },
  })

  constructor(client: KeycloakAdminClient) {
    super(client, {
      path: '/admin/realms/{realm}',
      getUrlParams: () => ({ realm: client.realmName }),
      getBaseUrl: () => client.baseUrl,
    })
  }
}

export function createMails(keycloak: Keycloak) {
  const count = (realm: string, query: MailQuery): Promise<number | undefined> =>
    keycloak.run((kc) => new Mails(kc).count({ realm, ...query })).catch(ignoreGone)
  return {
    /** Undefined where the identity server keeps no mails. */
    count,
    hasOutbox: async (realm: string) => (await count(realm, {})) !== undefined,
    find: (realm: string, query: MailQuery & { first: number; max: number }) =>
      keycloak.run((kc) => new Mails(kc).find({ realm, ...query })),
    /** Undefined for a mail that is not there. */
    get: (realm: string, id: string): Promise<KeptMail | undefined> =>
      keycloak.run((kc) => new Mails(kc).findOne({ realm, id })).catch(ignoreGone),
    send: (realm: string, id: string) => keycloak.run((kc) => new Mails(kc).send({ realm, id })),
    /** Undefined where the identity server hands out links by mail alone. */
    link: (realm: string, id: string, actions: RequiredAction[], lifespan: number) =>
      keycloak.run((kc) => new Mails(kc).link({ realm, id, actions, lifespan })).catch(ignoreGone),
  }
}
export type MailCalls = ReturnType<typeof createMails>

import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import { role } from '@quayside/contract/http/policy'
import type { MailContent, OutboxMail } from '@quayside/contract/mail/endpoints'
import { mailStatuses } from '@quayside/contract/mail/limits'
import type { RequiredAction } from '@quayside/contract/users/rules'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { KeycloakRefused } from '../../adapters/keycloak/keycloak.ts'
import type { KeptMail, MailCalls } from '../../adapters/keycloak/mail.ts'
import { refusalOf } from '../../adapters/keycloak/refusal.ts'
import { serviceAccountOf } from '../../adapters/keycloak/representations.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { fail } from '../../platform/http/errors.ts'
import { filterValues, listReply, mustKnowFilters, mustNotSort } from '../../platform/http/listing.ts'
import type { People } from '../permissions/index.ts'

const managesCredentials = role('iam-users', 'users.credentials.manage')
const isoOf = (milliseconds: number) => new Date(milliseconds).toISOString()

const toMail = (mail: KeptMail): OutboxMail => ({
  ...{ id: mail.id, userId: mail.userId, to: mail.to, subject: mail.subject, status: mail.status, tries: mail.tries },
  reason: mail.reason,
  nextTryAt: mail.nextTry === null ? null : isoOf(mail.nextTry),
  ...{ createdAt: isoOf(mail.createdDate), expiresAt: isoOf(mail.expires) },
  sentAt: mail.sentDate === null ? null : isoOf(mail.sentDate),
  isReadable: mail.readable,
})

function statusFilter(query: ListQuery): string | undefined {
  const [value, ...more] = filterValues(query.filters, 'status')
  if (value === undefined) return undefined
  if (more.length > 0 || !mailStatuses.some((one) => one === value))
    throw fail('request.invalid', {
      field: 'filters.status',
      message: `filters.status: one of ${mailStatuses.join(', ')}`,
    })
  return value
}

/** Mails of the identity server, and links to hand over. Both lead into accounts. */
export function createOutbox(keycloak: Keycloak, mails: MailCalls, people: People) {
  async function found(realm: string, id: string): Promise<KeptMail> {
    const mail = await mails.get(realm, id)
    if (mail) return mail
    throw (await mails.hasOutbox(realm)) ? fail('iam.mail-not-found', { field: 'id' }) : fail('iam.no-outbox')
  }

  return {
    async find({ realm }: Actor, query: ListQuery, path: string): Promise<ListReply<OutboxMail>> {
      mustKnowFilters(query.filters, ['status'])
      mustNotSort(query.sort)
      const search = query.search?.trim()
      const status = statusFilter(query)
      const wanted = { ...(search ? { search } : {}), ...(status ? { status } : {}) }
      const total = await mails.count(realm, wanted)
      if (total === undefined) return listReply([], 0, query, path)
      const { skip, limit } = query.page
      const rows = await mails.find(realm, { ...wanted, first: skip, max: limit })
      return listReply(rows.map(toMail), total, query, path)
    },

    /** Reading the link is as good as setting the password: for who may do that with this person. */
    async read(actor: Actor, id: string): Promise<MailContent> {
      const { realm } = actor
      const { userId } = await found(realm, id)
      return people.change(actor, { right: managesCredentials, kind: 'gives', about: userId }, async (judged) => {
        await judged.mayTakeOver(userId)
        const mail = await found(realm, id)
        return { ...toMail(mail), text: mail.text ?? null, link: mail.link ?? null }
      })
    },

    /** It goes to the person's own address, and opens nothing to who sends it. */
    async send({ realm }: Actor, id: string): Promise<void> {
      await found(realm, id)
      try {
        await mails.send(realm, id)
      } catch (error) {
        if (error instanceof KeycloakRefused && error.status === 400)
          throw fail('iam.no-mail', { message: 'There is no mail server: set one first.', cause: error })
        throw refusalOf(error)
      }
    },

    async link(actor: Actor, id: string, { actions, hours }: { actions: RequiredAction[]; hours: number }) {
      const { realm } = actor
      const person = await keycloak.run((kc) => kc.users.findOne({ realm, id }))
      if (!person) throw fail('iam.user-not-found', { field: 'id' })
      if (serviceAccountOf(person) !== null) throw fail('iam.service-account', { field: 'id' })
      if (id === actor.userId) throw fail('iam.own-account')
      return people.change(actor, { right: managesCredentials, kind: 'gives', about: id }, async (judged) => {
        await judged.mayTakeOver(id)
        const made = await mails.link(realm, id, actions, hours * 3600).catch((error: unknown) => {
          throw refusalOf(error)
        })
        if (!made) throw fail('iam.no-links')
        return { link: made.link, expiresAt: isoOf(made.expires) }
      })
    },
  }
}
export type Outbox = ReturnType<typeof createOutbox>

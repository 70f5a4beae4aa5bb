import type RealmRepresentation from '@keycloak/keycloak-admin-client/lib/defs/realmRepresentation.js'
import { role } from '@quayside/contract/http/policy'
import type { MailServerInput, MailSettings } from '@quayside/contract/mail/endpoints'
import { type Keycloak, KeycloakRefused } from '../../adapters/keycloak/keycloak.ts'
import type { MailCalls } from '../../adapters/keycloak/mail.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { fail } from '../../platform/http/errors.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { People } from '../permissions/index.ts'

/** Mask that the identity server shows in place of a password, and that leaves the password as it is. */
const mask = '**********'

type Stored = Record<string, unknown>

const textOf = (value: unknown) => (value === undefined || value === null ? '' : String(value))

function toSettings({ smtpServer = {} }: RealmRepresentation, hasOutbox: boolean): MailSettings {
  const stored: Stored = smtpServer
  const port = Number(textOf(stored.port))
  return {
    ...{ host: textOf(stored.host), port: port > 0 ? port : null, from: textOf(stored.from) },
    ...{ fromDisplayName: textOf(stored.fromDisplayName), replyTo: textOf(stored.replyTo) },
    encryption: textOf(stored.ssl) === 'true' ? 'tls' : textOf(stored.starttls) === 'true' ? 'starttls' : 'offered',
    user: textOf(stored.auth) === 'true' ? textOf(stored.user) : '',
    hasPassword: textOf(stored.password) !== '',
    hasOutbox,
  }
}

/** The form in which the identity server keeps it. Settings that the portal does not show stay as they are. */
function toStored(input: MailServerInput, kept: Stored): Stored {
  if (input.host === '') return {}
  const withAuth = input.user !== ''
  const password = input.password ?? (textOf(kept.password) === '' ? '' : mask)
  return {
    ...kept,
    ...{ host: input.host, port: input.port === null ? '' : String(input.port), from: input.from },
    ...{ fromDisplayName: input.fromDisplayName, replyTo: input.replyTo },
    ...{ ssl: String(input.encryption === 'tls'), starttls: String(input.encryption === 'starttls') },
    ...{ auth: String(withAuth), user: input.user, password: withAuth ? password : '' },
  }
}

/** Settings that decide who gets to see the password, and whether on the way. */
const sentTo = ['host', 'port', 'user', 'ssl', 'starttls'] as const

/** The password that is there is sent to the server alone for which it was typed: Keycloak itself does not look. */
function mustGoWhereItWent(next: Stored, kept: Stored): void {
  if (next.password !== mask) return
  const isSame = sentTo.every((key) => (textOf(next[key]) || 'false') === (textOf(kept[key]) || 'false'))
  if (!isSame)
    throw fail('request.invalid', {
      field: 'password',
      message: 'password: type it again, because where it goes has changed',
    })
}

const editsLogin = role('iam-loginsettings', 'loginsettings.edit')
const fields: Readonly<Record<string, string>> = { ssl: 'encryption', starttls: 'encryption', auth: 'user', to: 'to' }

function refusalOf(error: unknown): unknown {
  if (!(error instanceof KeycloakRefused) || error.status !== 400) return error
  const [, name] = /smtpServer\.(\w+)/.exec(error.message) ?? []
  const field = name === undefined ? undefined : (fields[name] ?? name)
  return fail('iam.setting-refused', { field, message: error.message.replace('smtpServer.', ''), cause: error })
}

/** The mail server of the realm. */
export function createMailSettings(keycloak: Keycloak, mails: MailCalls, people: People, log: Logger) {
  async function stored({ realm }: Actor): Promise<RealmRepresentation> {
    const found = await keycloak.run((kc) => kc.realms.findOne({ realm }))
    if (!found) throw fail('tenant.not-found')
    return found
  }
  const get = async (actor: Actor) => toSettings(await stored(actor), await mails.hasOutbox(actor.realm))

  async function wanted(actor: Actor, input: MailServerInput): Promise<Stored> {
    const kept: Stored = (await stored(actor)).smtpServer ?? {}
    const next = toStored(input, kept)
    mustGoWhereItWent(next, kept)
    return next
  }

  /** Every link to an account passes the mail server: who chooses it could be anybody in the tenant. */
  const asAdministrator = (actor: Actor, work: () => Promise<void>) =>
    people.change(actor, { right: editsLogin, kind: 'gives' }, async (judged) => {
      judged.mustHold(['quayside-admin'], 'host')
      await work()
    })

  return {
    get,
    async set(actor: Actor, input: MailServerInput): Promise<MailSettings> {
      const { realm } = actor
      const smtpServer = await wanted(actor, input)
      await asAdministrator(actor, async () => {
        try {
          await keycloak.run((kc) => kc.realms.update({ realm }, { smtpServer }))
        } catch (error) {
          throw refusalOf(error)
        }
      })
      log.info({ realm, by: actor.userId, host: smtpServer.host }, 'the mail server of the realm was changed')
      return get(actor)
    },

    async test(actor: Actor, { to, ...input }: MailServerInput & { to: string }): Promise<void> {
      const { realm } = actor
      const settings = { ...(await wanted(actor, input)), to }
      try {
        await keycloak.run((kc) => kc.realms.testSMTPConnection({ realm }, settings as never))
      } catch (error) {
        if (error instanceof KeycloakRefused && error.status === 500)
          throw fail('iam.no-mail', { message: error.message.slice(0, 400), cause: error })
        throw refusalOf(error)
      }
    },
  }
}
export type MailSettingsService = ReturnType<typeof createMailSettings>

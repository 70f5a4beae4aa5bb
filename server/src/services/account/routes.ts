import { currency } from '@quayside/contract/account/currency'
import { account as endpoints } from '@quayside/contract/account/endpoints'
import { accountPolicies, currencyPolicies } from '@quayside/contract/account/policies'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import type { PersonalAccount } from './index.ts'
import type { LinkedIdentities } from './linked-identities.ts'
import type { OwnAccount } from './own-account.ts'

interface Parts {
  account: PersonalAccount
  own: OwnAccount
  links: LinkedIdentities
}

export function routes(http: Http, { account, own, links }: Parts): void {
  serve(http, endpoints, accountPolicies, {
    account: ({ actor }) => account.get(actor),
    updateAccount: ({ actor, body }) => own.update(actor, body),
    resetPassword: ({ actor }) => own.newPassword(actor),
    resetMyPassword: ({ actor }) => own.newPassword(actor),
    setUpSecondFactor: ({ actor }) => own.secondFactor(actor),
    changeEmail: ({ actor }) => own.newEmail(actor),
    setUpPasskey: ({ actor }) => own.passkey(actor),
    removePasskey: ({ actor, params }) => own.removePasskey(actor, params.id),
    accountCredentials: async ({ actor }) => ({ data: await own.credentials(actor) }),
    linkedIdentities: async ({ actor }) => ({ data: await links.list(actor) }),
    unlinkIdentity: ({ actor, params }) => links.unlink(actor, params.id),
    accountSessions: async ({ actor }) => ({ data: await account.sessions(actor) }),
    accountSession: ({ actor, params }) => account.session(actor, params.id),
    endSession: ({ actor, params }) => account.endSession(actor, params.id),
    activities: ({ actor }) => own.activities(actor),
    accountConsents: async ({ actor }) => ({ data: await own.consents(actor) }),
    accountConsent: ({ actor, params }) => own.consent(actor, params.id),
    revokeConsent: ({ actor, params }) => own.revokeConsent(actor, params.id),
    logout: ({ actor }) => account.logout(actor),
  })
  serve(http, currency, currencyPolicies, {
    getCurrency: ({ actor }) => own.currency(actor),
    setCurrency: ({ actor, body }) => own.setCurrency(actor, body.currency),
  })
}

import { account as endpoints } from '@quayside/contract/account/endpoints'
import { accountPolicies } from '@quayside/contract/account/policies'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import type { PersonalAccount } from './index.ts'

export function routes(http: Http, account: PersonalAccount): void {
  serve(http, endpoints, accountPolicies, {
    account: ({ actor }) => account.get(actor),
    accountSessions: async ({ actor }) => ({ data: await account.sessions(actor) }),
    logout: ({ actor }) => account.logout(actor),
  })
}

import { personalTokens as endpoints } from '@quayside/contract/personal-tokens/endpoints'
import { personalTokenPolicies } from '@quayside/contract/personal-tokens/policies'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import type { PersonalTokenService } from './index.ts'

export function routes(http: Http, tokens: PersonalTokenService): void {
  serve(http, endpoints, personalTokenPolicies, {
    listTokens: ({ actor }) => tokens.list(actor),
    createToken: ({ actor, body }) => tokens.create(actor, body),
    deleteToken: ({ actor, params }) => tokens.remove(actor, params.id),
    listTokensOf: ({ actor, params }) => tokens.listFor(actor, params.id),
    deleteTokenOf: ({ actor, params }) => tokens.removeFor(actor, params.id, params.tid),
    tokenSettings: ({ actor }) => tokens.settings(actor),
    setTokenSettings: ({ actor, body }) => tokens.setSettings(actor, body),
  })
}

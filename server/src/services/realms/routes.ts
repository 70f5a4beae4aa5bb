import { realms as endpoints } from '@quayside/contract/realms/endpoints'
import { realmPolicies } from '@quayside/contract/realms/policies'
import type { Actor } from '../../platform/auth/actor.ts'
import { fail } from '../../platform/http/errors.ts'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import type { Realms } from './index.ts'

/** The caller, when the realm of the path is theirs; any other is answered as one that is not there. */
function inOwn({ actor, params }: { actor: Actor; params: { realm: string } }): Actor {
  if (params.realm !== actor.realm) throw fail('tenant.not-found')
  return actor
}

export function routes(http: Http, { password, login, headers, bruteForce, otp, ...realms }: Realms): void {
  serve(http, endpoints, realmPolicies, {
    getRealm: async (call) => realms.get(inOwn(call)),
    requiredActions: async (call) => ({ data: await realms.requiredActions(inOwn(call)) }),
    passwordPolicy: ({ actor }) => password.get(actor),
    passwordPolicyOf: async (call) => password.get(inOwn(call)),
    setPasswordPolicy: ({ actor, body }) => password.set(actor, body),
    setPasswordPolicyOf: async (call) => password.set(inOwn(call), call.body),
    loginSettings: ({ actor }) => login.get(actor),
    loginSettingsOf: async (call) => login.get(inOwn(call)),
    setLoginSettings: ({ actor, body }) => login.set(actor, body),
    setLoginSettingsOf: async (call) => login.set(inOwn(call), call.body),
    securityHeaders: ({ actor }) => headers.get(actor),
    securityHeadersOf: async (call) => headers.get(inOwn(call)),
    setSecurityHeaders: ({ actor, body }) => headers.set(actor, { browserSecurityHeaders: body }),
    setSecurityHeadersOf: async (call) => headers.set(inOwn(call), { browserSecurityHeaders: call.body }),
    bruteForceDetection: ({ actor }) => bruteForce.get(actor),
    bruteForceDetectionOf: async (call) => bruteForce.get(inOwn(call)),
    setBruteForceDetection: ({ actor, body }) => bruteForce.set(actor, body),
    setBruteForceDetectionOf: async (call) => bruteForce.set(inOwn(call), call.body),
    otpPolicy: ({ actor }) => otp.get(actor),
    setOtpPolicy: ({ actor, body }) => otp.set(actor, body),
  })
}

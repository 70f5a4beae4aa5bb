import { holding, type Policies, role, signedIn } from '../http/policy.ts'
import type { personalTokens } from './endpoints.ts'

export const personalTokenPolicies: Policies<typeof personalTokens> = {
  listTokens: signedIn,
  createToken: signedIn,
  deleteToken: signedIn,
  listTokensOf: holding(role('iam-users', 'users.credentials.view')),
  deleteTokenOf: holding(role('iam-users', 'users.credentials.manage')),
  tokenSettings: holding(role('iam-loginsettings', 'loginsettings.view')),
  setTokenSettings: holding(role('iam-loginsettings', 'loginsettings.edit')),
}
